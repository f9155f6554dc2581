// The numbers that decide how a search is computed, never what it finds. Comments say what each decides, and what it
// was measured on where that is known. Edges of a push are its frontier's out-edges, with one more for each vertex.
#pragma once

#include <cstdint>

namespace lagbfs {

// One thread or the team: what is not worth a join. Most are multiples of one number, which tests make small, so that
// small graphs meet the team.
constexpr std::int64_t kUsualSmallLevel = 1500;
#ifdef LAGBFS_SMALL_LEVEL
constexpr std::int64_t kSmallLevel = LAGBFS_SMALL_LEVEL;
#else
constexpr std::int64_t kSmallLevel = kUsualSmallLevel;
#endif
constexpr std::int64_t kAloneEdges = kSmallLevel;       // pushes of fewer edges are one thread's,
constexpr std::int64_t kAloneMarks = 8 * kSmallLevel;   // and marks of fewer, what the sweep takes included,
constexpr std::int64_t kAlonePull = 20 * kSmallLevel;   // and pulls with fewer edges unvisited,
constexpr std::int64_t kAloneGraph = 20 * kSmallLevel;  // and all of a search in a graph of fewer.
// A team that sleeps is not woken for less: that takes some 30 µs, and most levels of graphs of fewer edges than
// kTeamEdges are over sooner. Searches of larger graphs wake it at once.
constexpr std::int64_t kWakeEdges = 24 * kSmallLevel;
constexpr std::int64_t kTeamEdges = 200000;

// A waiting thread spins so often before it yields the processor between looks, and yields so often before it sleeps;
// between two leases it spins less.
constexpr int kSpins = 2000, kYields = 20000, kIdle = 3000;

// Claim or mark. A mark is cheaper than a claim, but a sweep looks at all vertices, 64 notes in 16 steps: a team marks
// levels of more edges than one in so many vertices; one thread, whose claims need no atomics, claims longer.
constexpr std::int64_t kSweepShare = 32;
constexpr std::int64_t kSweepShareAlone = 8;
constexpr std::int64_t kSweptEdges = 4;  // vertices whose sweep counts as one edge of kAloneMarks
constexpr std::int64_t kApartShare = 2;  // with more edges a vertex than this, every other thread has notes of its own

// Claiming. A thread asks for so many rows together and queues so many vertices at once; fewer where the frontier is
// thin, and has to be cut into kRunsEach runs for each thread. Rows longer than kHeavyRow are the whole team's, a piece
// at a time, up to kHeavyRows of them.
constexpr int kBatch = 512, kLeastBatch = 16, kRunsEach = 8;
constexpr std::int64_t kHeavyRow = 8192, kHeavyPiece = 4096;
constexpr int kHeavyRows = 256;

// Marking from a queue. With long rows and many edges it is cut by ranges of labels, which no two threads share: so
// many for each thread, and more where rows are so long that the search for the cuts does not count. Else by rows.
constexpr std::int64_t kLongRows = 256, kCutOften = 2048;  // mean degrees
constexpr std::int64_t kManyEdges = 1 << 16;
constexpr int kRangesSeldom = 2, kRangesOften = 4;
constexpr std::int64_t kMostRows = 256;  // of a chunk

// Pulling. Of a word's vertices: from kMany on, all 64 are probed at once (by AVX2, eight at a time); from kSome on
// that are left, the next column of heads is probed rather than their rows. Rows of at most kShortRows on average lie
// side by side in memory, and need not be asked for.
constexpr int kMany = 24, kSome = 8;
constexpr std::int64_t kShortRows = 16;
constexpr std::int64_t kListRuns = 128, kLeastRun = 256;  // pull:list: most runs, and least vertices of one

constexpr int kAhead = 8;  // vertices between the one whose row is read and the one whose row is asked for

// Sizes of chunks: large enough that handing one out does not count, small enough to employ the team.
constexpr std::int64_t kScanWords = 256;                       // words of a bitmap swept or pulled; of a pull fewer,
constexpr std::int64_t kPullChunks = 64, kLeastPullWords = 4;  // so that there are so many chunks
constexpr std::int64_t kMarkWords = 64;                        // words of push:scan
constexpr std::int64_t kMarkEdges = 16384;                     // edges of push:edges
constexpr std::int64_t kQueueWords = 1 << 14;                  // words of a bitmap that becomes a queue
constexpr std::int64_t kListWords = 1 << 12;                   // words of which the unvisited are listed
constexpr std::int64_t kMapAlone = 20000;                      // vertices of a queue that becomes a bitmap: by one
constexpr std::int64_t kMapVertices = 4096;                    // thread, and in chunks
constexpr std::int64_t kSettleClaims = 1 << 14;                // claims
constexpr std::int64_t kReadWords = 1024;                      // words of a state that somebody else made
constexpr std::int64_t kBarrenWords = 1 << 12;                 // words in which barren vertices are looked for
constexpr std::int64_t kNoteFill = 1 << 18;                    // notes to blank
constexpr std::int64_t kBlankParts = 8;                        // results to blank: so many chunks, of
constexpr std::int64_t kBlankLeast = 1 << 15, kBlankMost = 1 << 18;  // so many elements
constexpr std::int64_t kAskAlone = 4096, kAskRange = 1024;           // vertices between two looks at signals

// Layouts (layout.hpp).
constexpr std::int64_t kDeep = 100;         // levels above which a graph counts as deep
constexpr std::int64_t kSkew = 16;          // degrees are skewed where the largest is more than so many times the mean
constexpr std::int64_t kMaxHubs = 1 << 16;  // hubs: their bits fill 8 KiB,
constexpr std::int64_t kHubShare = 16;      // and they are at most one vertex in so many
// Columns of heads: where degrees are even, more are probed before a hit. They took a quarter off the largest level of
// uniform graphs.
constexpr int kHubHeads = 4, kFirstHeads = 6;
constexpr std::int64_t kPatch = 256;     // vertices of a patch: tuned on roads and grids
constexpr std::int64_t kMeshDegree = 3;  // mean degree up to which there are no patches: chains measured better without

}  // namespace lagbfs
