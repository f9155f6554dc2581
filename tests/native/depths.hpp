// Depths of forests, against walking up from every vertex.
#pragma once

#include "common.hpp"
#include "depth.hpp"

template <class Index>
void test_depths(Random& random) {
  const std::int64_t n = 1 + below(random, 300), shape = below(random, 3);
  std::vector<Index> parents(n);
  for (std::int64_t v = 0; v < n; ++v) {
    // A forest whose roots and unreached vertices come first; a chain; or anything, circles included.
    const std::int64_t above = shape == 1 ? v - 1 : below(random, shape == 2 ? n : std::max<std::int64_t>(v, 1));
    parents[v] = Index(v == 0 || (shape != 1 && below(random, 20) == 0) ? v : above);
  }
  if (shape == 0)
    for (Index& parent : parents) parent = Index(n - 1 - parent);
  if (shape == 0) std::reverse(parents.begin(), parents.end());
  std::int64_t astray = n;
  std::vector<std::int32_t> want(n);
  for (std::int64_t v = n - 1; v >= 0; --v) {
    std::int64_t u = v, steps = 0;
    while (parents[u] != u && steps <= n) u = parents[u], ++steps;
    if (steps > n) astray = v;
    want[v] = std::int32_t(steps);
  }
  const Depths d = depths_of(parents.data(), n, 3);
  CHECK(d.astray == astray);
  for (std::int64_t v = 0; v < n && astray == n; ++v) CHECK(d.depths[v] == want[v]);
  parents[below(random, n)] = Index(n);  // out of range, or no root: told, whatever it is
  CHECK(depths_of(parents.data(), n, 3).astray < n);
}
