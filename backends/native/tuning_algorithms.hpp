// The numbers that decide how whole algorithms are computed, as those of tuning.hpp do for searches.
#pragma once

#include <cstddef>
#include <cstdint>

#include "tuning.hpp"

namespace lagbfs {

// components.hpp
constexpr std::int64_t kComponentVertices = tuned(8192, 8);  // vertices of a chunk
constexpr std::int64_t kAloneComponents = tuned(20000, 20);  // vertices and entries that are one thread's
constexpr std::int64_t kSampled = tuned(1024, 16);           // vertices, or edges, that stand for all
constexpr std::int64_t kFirstShare = 64;   // a search is looked at until its frontier has one in so many edges,
constexpr int kFirstLevels = tuned(8, 4);  // or for so many levels,
constexpr std::int64_t kComponentLevels = tuned(64, 3);  // and then made for so many
constexpr std::int64_t kFirstEdges = 2;                  // of each vertex that join most of a graph
constexpr std::int64_t kFewEdges = 4;                    // a vertex, on average: then all are taken at once

// triangles.hpp
constexpr std::int64_t kTriangleRows = tuned(64, 3);        // rows of a chunk whose triangles are counted,
constexpr std::int64_t kPairedRows = tuned(1024, 3);        // where they are short,
constexpr std::int64_t kForwardRows = tuned(1024, 4);       // or that are renamed
constexpr std::int64_t kAloneTriangles = tuned(20000, 40);  // entries that are one thread's
constexpr std::int64_t kCores = tuned(8192, 96);            // vertices whose rows are bitmaps as well: 4 MiB
constexpr std::int64_t kShortRow = tuned(16, 3);            // entries that are compared one by one
constexpr std::int64_t kPairedDegree = 4;                   // mean degree below which rows are taken as they are

// pagerank.hpp
constexpr std::int64_t kAloneRanks = tuned(20000, 40);     // entries and vertices that are one thread's
constexpr std::int64_t kRankWork = tuned(1 << 16, 30);     // entries and vertices that a thread takes at a time
constexpr std::int64_t kRowCost = 4;                       // entries that take as long as the rest of a row
constexpr std::int64_t kRankAhead = tuned(96, 2);          // entries ahead of a row whose shares are asked for
constexpr std::int64_t kFirstRanks = 3;                    // iterations after which convergence is looked at,
constexpr double kSlowRanks = 0.3;                         // which is slow if this share of the error is left
constexpr std::int64_t kWideVertices = tuned(1 << 16, 8);  // whose shares lie in the cache as float64, too

// betweenness.hpp
constexpr std::int64_t kSourceWork = tuned(1 << 17, 300);  // vertices and edges of the searches that a thread takes
constexpr std::int64_t kPushedEdge = 2;                    // edges of a pull that take as long as one of a push

// sssp.hpp
constexpr std::int64_t kAlonePaths = tuned(256, 8);        // vertices of a bucket that one thread relaxes
constexpr std::int64_t kPathVertices = tuned(64, 3);       // of a chunk
constexpr std::size_t kFused = tuned(1000, 10);            // of a thread's own bucket that it goes on with
constexpr std::int64_t kMostBuckets = tuned(1 << 16, 12);  // that the largest weight spans
constexpr std::int64_t kBoundedDegree = 4;                 // mean degree from which on bounds pay
constexpr std::int64_t kUnpack = tuned(1 << 14, 16);       // vertices of a chunk that is blanked, or written

}  // namespace lagbfs
