// Barren vertices: those that no edge leads to. No search looks for them.
#pragma once

#include <algorithm>
#include <cstdint>
#include <utility>

#include "bitmap.hpp"
#include "graph.hpp"
#include "memory.hpp"
#include "team.hpp"
#include "tuning.hpp"

namespace lagbfs {

// Finds the view's barren vertices, and returns what holds their set: the visited set of a search that has not begun,
// with the bits past the last vertex; nothing if there are none.
template <class Index, class Offset>
Buffer<Word> find_barren(View<Index, Offset>& view, Lease& lease) {
  Buffer<Word> barren(words_of(view.active));
  std::int64_t count = 0;
  lease.chunks(barren.size(), kBarrenWords, [&](int, std::int64_t begin, std::int64_t end) {
    std::int64_t found = 0;
    for (std::int64_t w = begin; w < end; ++w) {
      const std::int64_t base = w * kWordBits, last = std::min<std::int64_t>(base + kWordBits, view.active);
      Word bits = 0;
      for (std::int64_t v = base; v < last; ++v) bits |= Word(view.in.degree(v) == 0) << (v - base);
      found += __builtin_popcountll(bits);
      barren[w] = last - base < kWordBits ? bits | ~Word{0} << (last - base) : bits;
    }
    fetch_add(&count, found);
  });
  if (!count) barren = Buffer<Word>();
  view.barren = barren.data(), view.barren_count = view.n - view.active + count;
  return barren;
}

}  // namespace lagbfs
