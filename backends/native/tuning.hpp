// The numbers that decide how a search is computed, never what it finds. Comments say what each decides, and what it was
// measured on where that is known.
//
// Edges of a push are its frontier's out-edges, with one more for each vertex.
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
constexpr std::int64_t kAloneEdges = kSmallLevel;       // pushes of fewer edges are one thread's
constexpr std::int64_t kAloneMarks = 8 * kSmallLevel;   // and marks of fewer, a quarter of the vertices counted in
constexpr std::int64_t kAlonePull = 20 * kSmallLevel;   // and pulls with fewer edges unvisited
constexpr std::int64_t kAloneGraph = 20 * kSmallLevel;  // and all of a search in a graph of fewer
constexpr std::int64_t kWakeEdges = 24 * kSmallLevel;   // fewer do not wake a team that sleeps: that takes some 30 µs,
constexpr std::int64_t kTeamEdges = 200000;  // and most levels of graphs of fewer are over sooner; others wake it at once

// Spins of a waiting thread: before it yields between looks; yields before it sleeps; spins between two leases.
constexpr int kSpins = 2000, kYields = 20000, kIdle = 3000;

// Claim or mark. A mark is cheaper than a claim, but a sweep looks at all vertices, 64 notes in 16 steps: a team marks
// levels of more edges than one in so many vertices; one thread, whose claims need no atomics, claims longer.
constexpr std::int64_t kSweepShare = 32;
constexpr std::int64_t kSweepShareAlone = 8;
constexpr std::int64_t kSweptEdges = 4;  // vertices whose sweep counts as one edge, where one thread or the team marks
constexpr std::int64_t kApartShare = 2;  // with more edges a vertex than this, every other thread has notes of its own

// Claiming.
constexpr int kBatch = 512;               // vertices whose rows are asked for together, and most that are queued at once
constexpr int kLeastBatch = 16;           // of a thin frontier, which has to be cut for all threads,
constexpr int kRunsEach = 8;              // into so many runs for each
constexpr std::int64_t kHeavyRow = 8192;  // rows longer than this are the whole team's,
constexpr std::int64_t kHeavyPiece = 4096;  // piece by piece,
constexpr int kHeavyRows = 256;             // of so many rows a level

// Marking. A frontier of many edges and long rows is cut by ranges of labels, which no two threads share; more often
// where rows are so long that the search for the cuts does not count. Otherwise by rows.
constexpr std::int64_t kLongRows = 256;       // mean degree
constexpr std::int64_t kManyEdges = 1 << 16;  // edges
constexpr std::int64_t kCutOften = 2048;      // mean degree from which on it is 4 ranges a thread rather than 2
constexpr int kRangesOften = 4, kRangesSeldom = 2;
constexpr std::int64_t kMostRows = 256;       // of a chunk
constexpr std::int64_t kMarkWords = 64;       // words of a chunk of push:scan
constexpr std::int64_t kMarkEdges = 16384;    // edges of a chunk of push:edges

// Pulling.
constexpr int kMany = 24;  // of a word's vertices: from so many on, all 64 are probed at once (eight at a time by AVX2),
constexpr int kSome = 8;   // and from so many on that are left, the next column of heads rather than their rows
constexpr std::int64_t kShortRows = 16;  // mean degree up to which a word's rows are neighbours in memory: not asked for
constexpr std::int64_t kListRuns = 128;  // most runs of pull:list,
constexpr std::int64_t kLeastRun = 256;  // each of at least so many vertices
constexpr std::int64_t kPullChunks = 64, kLeastPullWords = 4;  // chunks of pull:bitmap, and least words of one

constexpr int kAhead = 8;  // vertices between the one whose row is read and the one whose row is asked for

// Sizes of chunks. Large enough that handing one out does not count, small enough to keep the team busy.
constexpr std::int64_t kScanWords = 256;                                 // words of a bitmap that is swept or pulled
constexpr std::int64_t kQueueWords = 1 << 14, kListWords = 1 << 12;      // words that become a queue, a list
constexpr std::int64_t kSettleClaims = 1 << 14;                          // claims
constexpr std::int64_t kMapAlone = 20000, kMapVertices = 4096;           // a queue that becomes a bitmap; alone, below
constexpr std::int64_t kReadWords = 1024;                                // words of a state that somebody else made
constexpr std::int64_t kBarrenWords = 1 << 12;                           // words in which barren vertices are looked for
constexpr std::int64_t kNoteFill = 1 << 18;                              // notes to blank
constexpr std::int64_t kBlankParts = 8, kBlankLeast = 1 << 15, kBlankMost = 1 << 18;  // results to blank
constexpr std::int64_t kAskAlone = 4096, kAskRange = 1024;  // vertices between two looks at signals

// Layouts (layout.hpp).
constexpr std::int64_t kDeep = 100;         // levels above which a graph counts as deep
constexpr std::int64_t kSkew = 16;          // degrees are skewed where the largest is so many times the mean
constexpr std::int64_t kMaxHubs = 1 << 16;  // hubs: their bits fill 8 KiB,
constexpr std::int64_t kHubShare = 16;      // and they are at most one vertex in so many
constexpr int kHubHeads = 4, kFirstHeads = 6;  // columns of heads: where degrees are even, more are probed before a hit;
                                               // measured on uniform graphs, whose largest level it took a quarter from
constexpr std::int64_t kPatch = 256;           // vertices of a patch, tuned on roads and grids
constexpr std::int64_t kMeshDegree = 3;        // up to this mean degree no patches: one walk over a chain measured better

}  // namespace lagbfs
