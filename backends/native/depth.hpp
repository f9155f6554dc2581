// How deep each vertex lies in the forest that parents describe.
//
// From each vertex up to the first whose depth is known, and back: every vertex is given its depth about once. Threads
// may meet, and then write the same.
#pragma once

#include <atomic>
#include <cstdint>

#include "memory.hpp"
#include "signals.hpp"
#include "team.hpp"
#include "tuning.hpp"

namespace lagbfs {

struct Depths {
  Buffer<std::int32_t> depths;
  std::int64_t astray;  // the first vertex whose parents lead to no root; the number of vertices if there is none
};

constexpr std::int32_t kUnknownDepth = -2;

// Whether the parents of v lead to a root: then it has its depth, and all on the way. They may lead round in a circle,
// to what is not reached, or out of range.
template <class Index>
bool deepen(const Index* parents, std::int64_t n, Index v, std::int32_t* depths) {
  std::int64_t steps = 0;
  Index u = v;
  while (load(depths + u) == kUnknownDepth && parents[u] != u) {
    u = parents[u];
    if (u < 0 || u >= n || ++steps > n) return false;
  }
  const std::int32_t known = load(depths + u);
  if (known == -1) return false;
  std::int32_t depth = (known == kUnknownDepth ? 0 : known) + std::int32_t(steps);
  for (u = v; load(depths + u) == kUnknownDepth; u = parents[u]) store(depths + u, depth--);
  return true;
}

template <class Index>
Depths depths_of(const Index* parents, std::int64_t n, int threads, bool (*ask)() = nullptr) {
  Lease lease(n < kDepthsAlone ? 1 : threads);
  Signals signals(ask);
  Depths d{Buffer<std::int32_t>(n), n};
  std::int32_t* const depths = d.depths.data();
  lease.chunks(n, kDepthVertices, [&](int, std::int64_t begin, std::int64_t end) {
    for (std::int64_t v = begin; v < end; ++v) depths[v] = parents[v] < 0 ? -1 : kUnknownDepth;
  });
  std::atomic<std::int64_t> astray{n};
  lease.chunks(n, kDepthVertices, [&](int id, std::int64_t begin, std::int64_t end) {
    if (signals.tick(id)) return;
    for (std::int64_t v = begin; v < end && v < astray.load(std::memory_order_relaxed); ++v) {
      if (load(depths + v) == -1 || deepen(parents, n, Index(v), depths)) continue;
      std::int64_t first = astray.load();
      while (v < first && !astray.compare_exchange_weak(first, v)) {
      }
    }
  });
  signals.check();
  d.astray = astray;
  return d;
}

}  // namespace lagbfs
