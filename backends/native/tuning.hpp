// The numbers that decide how a search is computed, never what it finds. Comments say what each decides, and what it
// was measured on where that is known. Edges of a push are its frontier's out-edges, with one more for each vertex.
#pragma once

#include <cstddef>
#include <cstdint>

namespace lagbfs {

// tuned(usual, small): tests, which define LAGBFS_SMALL, compile the kernels with the second, so that graphs of some
// hundred vertices come to both sides of every threshold and are cut into chunks.
template <class T>
constexpr T tuned(T usual, T small) {
#ifdef LAGBFS_SMALL
  return static_cast<void>(usual), small;
#else
  return static_cast<void>(small), usual;
#endif
}

// One thread or the team: what is not worth a join. Most are multiples of one number.
constexpr std::int64_t kUsualSmallLevel = 1500;
constexpr std::int64_t kSmallLevel = tuned<std::int64_t>(kUsualSmallLevel, 20);
constexpr std::int64_t kAloneEdges = kSmallLevel;       // pushes of fewer edges are one thread's,
constexpr std::int64_t kAloneMarks = 8 * kSmallLevel;   // and marks of fewer, what the sweep takes included,
constexpr std::int64_t kAlonePull = 20 * kSmallLevel;   // and pulls with fewer edges unvisited,
constexpr std::int64_t kAloneGraph = 20 * kSmallLevel;  // and all of a search in a graph of fewer.
// A team that sleeps is not woken for less: that takes some 30 µs, and most levels of graphs of fewer edges than
// kTeamEdges are over sooner. Searches of larger graphs wake it at once.
constexpr std::int64_t kWakeEdges = 24 * kSmallLevel;
constexpr std::int64_t kTeamEdges = tuned(200000, 2000);

// A waiting thread spins so often before it yields the processor between looks, and yields so often before it sleeps;
// between two leases it spins less.
constexpr int kSpins = 2000, kYields = 20000, kIdle = 3000;

// Claim or mark. A mark is cheaper than a claim, but a sweep looks at all vertices, 64 notes in 16 steps: a team marks
// levels of more edges than one in so many vertices; one thread, whose claims need no atomics, claims longer.
constexpr std::int64_t kSweepShare = 32;
constexpr std::int64_t kSweepShareAlone = 8;
constexpr std::int64_t kSweptEdges = 4;  // vertices whose sweep counts as one edge of kAloneMarks
// Every other thread has notes of its own in levels of more edges than one for so many vertices, as many as a cache
// line has 32-bit notes: where cores are far apart, a store to a line that another has just written to takes 5 ns and
// more.
constexpr std::int64_t kApartShare = 16;

// Claiming. A thread asks for so many rows together and queues so many vertices at once; fewer where the frontier is
// thin, and has to be cut into kRunsEach runs for each thread. Rows longer than kHeavyRow are the whole team's, a piece
// at a time, up to kHeavyRows of them.
constexpr int kBatch = tuned(512, 24), kLeastBatch = tuned(16, 4), kRunsEach = 8;
constexpr std::int64_t kHeavyRow = tuned(8192, 24), kHeavyPiece = tuned(4096, 8);
constexpr int kHeavyRows = tuned(256, 4);

// Marking from a queue. With long rows and many edges it is cut by ranges of labels, which no two threads share: so
// many for each thread, and more where rows are so long that the search for the cuts does not count. Else by rows.
constexpr std::int64_t kLongRows = tuned(256, 4), kCutOften = tuned(2048, 12);  // mean degrees
constexpr std::int64_t kManyEdges = tuned(1 << 16, 64);
constexpr int kRangesSeldom = 2, kRangesOften = 4;
constexpr std::int64_t kLineWords = tuned(8, 1);   // words in a cache line, which no two threads should write to
constexpr std::int64_t kMostRows = tuned(256, 4);  // of a chunk

// Pulling. Of a word's vertices: from kMany on, all 64 are probed at once (by AVX2, eight at a time); from kSome on
// that are left, the next column of heads is probed rather than their rows. Rows of at most kShortRows on average lie
// side by side in memory, and need not be asked for.
constexpr int kMany = 24, kSome = 8;
constexpr std::int64_t kShortRows = 16;
constexpr std::int64_t kListRuns = tuned(128, 16), kLeastRun = tuned(1024, 8);  // pull:list: most runs, least of one

// First in, first out (fifo.hpp). A frontier of so many vertices, and of one in so many of the unvisited, is pulled if
// it has more edges than a pull looks at; by a team, which a pull employs and a push does not, more than one in
// kRankShare. Rows longer than kLongRows are claimed by branches.
constexpr std::int64_t kLeastRanked = tuned(512, 4), kRankedShare = 16, kRankShare = 2;
constexpr std::int64_t kRankVertices = tuned(1 << 14, 16),
                       kRankWords = tuned(64, 1);  // chunks: of a frontier, of words

constexpr int kAhead = 8;  // vertices between the one whose row is read and the one whose row is asked for

// Sizes of chunks: large enough that handing one out does not count, small enough to employ the team.
constexpr std::int64_t kScanWords = tuned(256, 2);       // words of a bitmap swept or pulled; of a pull fewer, so that
constexpr std::int64_t kPullChunks = tuned(64, 8);       // there are so many chunks
constexpr std::int64_t kMarkWords = tuned(64, 1);        // words of push:scan
constexpr std::int64_t kMarkEdges = tuned(16384, 32);    // edges of push:edges
constexpr std::int64_t kQueueWords = tuned(1 << 14, 2);  // words of a bitmap that becomes a queue
constexpr std::int64_t kListWords = tuned(1 << 12, 2);   // words of which the unvisited are listed
constexpr std::int64_t kMapAlone = tuned(20000, 40);     // vertices of a queue that becomes a bitmap: by one thread,
constexpr std::int64_t kMapVertices = tuned(4096, 16);   // and in chunks
constexpr std::int64_t kSettleClaims = tuned(1 << 14, 16);  // claims
// Levels are written as bytes from so many vertices on, up to such a level, and spread over the result in chunks.
constexpr std::int64_t kNarrowVertices = tuned(1 << 17, 64), kWidenedVertices = tuned(1 << 16, 16);
constexpr std::int32_t kNarrowLevels = tuned(254, 2);
constexpr std::int64_t kGivenVertices = tuned(4096, 16), kGivenWords = tuned(1024, 2);  // of a block's frontier
constexpr std::int64_t kReadWords = tuned(1024, 2);       // words of a state that somebody else made
constexpr std::int64_t kBarrenWords = tuned(1 << 12, 2);  // words in which barren vertices are looked for
constexpr std::int64_t kNoteFill = tuned(1 << 18, 64);    // notes to blank
constexpr std::int64_t kBlankParts = 8;                   // results to blank: so many chunks, of so many elements
constexpr std::int64_t kBlankLeast = tuned(1 << 15, 16), kBlankMost = tuned(1 << 18, 128);

// Looks at signals: so many seconds apart at least, and at most so many vertices, or rows, or lines of a file.
constexpr double kAskPeriod = tuned(0.05, 0.0);
constexpr std::int64_t kAskAlone = tuned(4096, 8), kAskRange = tuned(1024, 8);
constexpr std::int64_t kAskRows = tuned(4096, 8), kAskLines = tuned(1 << 16, 4);

// Products (product.hpp): fewer terms or edges are one thread's; rows of a chunk; and with fewer terms than one in so
// many results, those are sorted.
constexpr std::int64_t kAloneTerms = tuned(50000, 40), kProductRows = tuned(512, 4);
constexpr std::int64_t kSortedShare = 16;

// Construction, drawing and checks (build.hpp, random.hpp, verify.hpp).
constexpr std::int64_t kCheckEdges = tuned(1 << 16, 32);      // edges whose ends are looked at
constexpr std::int64_t kBuildEdges = tuned(1 << 15, 16);      // edges that are sorted into rows
constexpr std::int64_t kBuildRows = tuned(1024, 4);           // rows that are sorted
constexpr std::int64_t kAloneTranspose = tuned(100000, 100);  // entries whose transpose is one thread's; else
constexpr std::int64_t kTransposeBlocks = 8;                  // blocks of rows, of which each counts all columns
constexpr std::int64_t kGlance = tuned(1024, 4);              // entries whose way back is looked for first of all
constexpr std::int64_t kDrawEdges = tuned(1 << 14, 64);       // edges that are drawn
constexpr std::int64_t kVerifyRows = tuned(1024, 4);          // rows whose edges are looked at
constexpr std::int64_t kVerifyVertices = tuned(4096, 8);      // vertices that are looked for in their parents' rows
constexpr std::int64_t kVerifyEdges = tuned(1 << 14, 16);     // edges of a list that are looked for

// Memory kept for the next search (recycle.hpp): so many blocks, of such sizes, of so many bytes together.
constexpr std::size_t kKeptBlocks = tuned(8, 3);
constexpr std::size_t kLeastKept = tuned(1 << 17, 1 << 12), kMostKept = tuned(1 << 28, 1 << 17);

constexpr std::int64_t kDepthsAlone = tuned(20000, 20), kDepthVertices = tuned(4096, 7);  // levels from parents
constexpr std::int64_t kMergeAlone = tuned(50000, 40),
                       kMergeRows = tuned(1024, 3);      // entries that one thread merges; rows
constexpr std::int64_t kBlockWork = tuned(1 << 17, 50);  // terms of a block of rows of a matrix product

// Layouts (layout.hpp).
constexpr std::int64_t kDeep = 100;  // levels above which a graph counts as deep
constexpr std::int64_t kSkew = 16;   // degrees are skewed where the largest is more than so many times the mean
constexpr std::int64_t kMaxHubs = tuned(1 << 16, 64);  // hubs: their bits fill 8 KiB,
constexpr std::int64_t kHubShare = 16;                 // and they are at most one vertex in so many
// Columns of heads: where degrees are even, more are probed before a hit. They took a quarter off the largest level of
// uniform graphs.
constexpr int kHubHeads = 4, kFirstHeads = 6;
constexpr std::int64_t kPatch = tuned(256, 16);  // vertices of a patch: tuned on roads and grids
constexpr std::int64_t kMeshDegree = 3;  // mean degree up to which there are no patches: chains do better without
constexpr std::int64_t kToldApart = tuned(1 << 20, 100);  // hubs are counted by degree, from this one on together
constexpr std::int64_t kRelabelRows = tuned(1024, 4), kHeadVertices = tuned(4096, 8);  // chunks: of rows, of vertices
constexpr std::int64_t kDegreeVertices = tuned(1 << 16, 64);  // whose heads, or degrees, are found

}  // namespace lagbfs
