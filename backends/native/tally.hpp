// Vertices and their out-edges, counted.
#pragma once

#include <algorithm>
#include <cstdint>

#include "bitmap.hpp"
#include "graph.hpp"
#include "memory.hpp"

namespace lagbfs {

struct Tally {
  std::int64_t vertices = 0, edges = 0;
  Tally& operator+=(const Tally& o) { return vertices += o.vertices, edges += o.edges, *this; }
};

// Sums tallies of a section's threads.
class Sum {
 public:
  void add(const Tally& t) { fetch_add(&total_.vertices, t.vertices), fetch_add(&total_.edges, t.edges); }
  Tally total() const { return total_; }

 private:
  Tally total_;
};

// The vertices of word w that `found` has. Without short degrees, if those are most, the edges of the word less those
// of the others.
template <class Index, class Offset>
inline Tally count(const View<Index, Offset>& view, std::int64_t w, Word found) {
  const std::int64_t base = w * kWordBits, end = std::min<std::int64_t>(base + kWordBits, view.active);
  const std::int64_t size = __builtin_popcountll(found);
  if (view.short_degrees) {
    Word longer;
    std::int64_t edges = sum_bytes(view.short_degrees + base, found, longer);
    for_bits(longer, base, [&](std::int64_t v) { edges += view.long_degree(v) - kLongDegree; });
    return {size, edges};
  }
  const bool most = 2 * size > end - base;
  std::int64_t edges = 0;
  for_bits(most ? ~found : found, base, [&](std::int64_t v) { edges += v < end ? view.out.degree(v) : 0; });
  return {size, most ? view.out.indptr[end] - view.out.indptr[base] - edges : edges};
}

}  // namespace lagbfs
