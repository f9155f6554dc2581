// Many searches at once: what is asked for, and what is found, however it is computed.
//
//   together (together.hpp)  64 to 512 searches in step, a bit of each vertex for each
//   apart    (apart.hpp)     each thread runs whole searches by itself
//
// Everything given and returned is in the user's labels.
#pragma once

#include <cstdint>
#include <vector>

#include "memory.hpp"

namespace lagbfs {

// max_depth: the level to stop at. by_level: whether the vertices of each level are counted for each source.
struct ManyWanted {
  std::int32_t max_depth = 0;
  bool by_level = false;
};

// For each source: the sum of the distances of the vertices it reaches, how many those are, itself included, the
// largest distance, and, if asked for, how many there are at each distance.
struct PerSource {
  explicit PerSource(std::int64_t k, bool counted) : sums(k), reached(k), depths(k), by_level(counted ? k : 0) {
    for (std::int64_t s = 0; s < k; ++s) sums[s] = reached[s] = depths[s] = 0;
  }
  // `count` vertices of source s at a level; in the order of levels.
  void add(std::int64_t s, std::int32_t level, std::int64_t count) {
    if (count == 0) return;
    sums[s] += level * count, reached[s] += count, depths[s] = level;
    if (!by_level.empty()) by_level[s].push_back(count);
  }
  std::int32_t depth() const {
    std::int32_t most = 0;
    for (std::size_t s = 0; s < depths.size(); ++s) most = depths[s] > most ? depths[s] : most;
    return most;
  }
  Buffer<std::int64_t> sums, reached;
  Buffer<std::int32_t> depths;
  std::vector<std::vector<std::int64_t>> by_level;
};

// For each vertex, over the sources that reach it: the sum of the distances, their number, the largest. Added to. All
// may be null.
struct PerVertex {
  std::int64_t *sums = nullptr, *counts = nullptr;
  std::int32_t* depths = nullptr;
  explicit operator bool() const { return sums != nullptr; }
  void add(std::int64_t v, std::int64_t sum, std::int64_t count, std::int32_t depth) const {
    sums[v] += sum, counts[v] += count;
    if (depth > depths[v]) depths[v] = depth;
  }
};

}  // namespace lagbfs
