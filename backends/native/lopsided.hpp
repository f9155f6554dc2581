// Two ascending rows of which one is much shorter: its entries are looked for in the other, and what lies between them
// is copied as it is. Rows of graphs whose degrees are skewed are mostly so.
#pragma once

#include <algorithm>
#include <cstdint>
#include <cstring>

#include "tuning.hpp"
#include "values.hpp"

namespace lagbfs {

// How many times as long the longer row has to be: a search of it takes about as many steps.
constexpr std::int64_t kLopsided = tuned(8, 2);

inline bool lopsided(std::int64_t size, std::int64_t other) {
  return kLopsided * std::min(size, other) <= std::max(size, other);
}

// What is looked for in a row is near if it is among so many entries.
constexpr std::int64_t kFar = tuned(1024, 8), kLine = tuned(16, 4);

// A row of a matrix, its entries [first, last), and the values: `width` bytes each, one for all if the stride is 0.
template <class Index>
struct Line {
  const Index* indices;
  const void* values;
  std::int64_t stride, first, last;

  std::int64_t size() const { return last - first; }

  // The first entry from `from` on whose column is not less than j. Of what is near, a line of the cache after the
  // other is passed over, for which memory is asked ahead; no branch depends on what is compared within one.
  std::int64_t find(std::int64_t from, Index j) const {
    for (std::int64_t end = last, middle; end - from > kFar;)
      if (middle = from + (end - from) / 2; indices[middle] < j) from = middle + 1;
      else end = middle;
    while (from + kLine <= last && indices[from + kLine - 1] < j) from += kLine;
    std::int64_t less = 0;
    if (from + kLine <= last)
      for (std::int64_t at = 0; at < kLine; ++at) less += indices[from + at] < j;
    else
      for (std::int64_t at = from; at < last; ++at) less += indices[at] < j;
    return from + less;
  }
  bool has(std::int64_t at, Index j) const { return at < last && indices[at] == j; }
};

// Calls f(e, g) for each column of both, ascending: entry e of `few`, entry g of `many`.
template <class Index, class F>
void meet_lines(const Line<Index>& few, const Line<Index>& many, F&& f) {
  for (std::int64_t e = few.first, g = many.first; e < few.last && g < many.last; ++e)
    if (g = many.find(g, few.indices[e]); many.has(g, few.indices[e])) f(e, g++);
}

// Where entries go, one after the other.
template <class Index>
struct Sink {
  Index* indices;
  void* values;
  int width;
  std::int64_t at;

  void copy(const Line<Index>& line, std::int64_t from, std::int64_t size) {
    if (!size) return;
    std::memcpy(indices + at, line.indices + from, std::size_t(size) * sizeof(Index));
    if (line.stride) move_values(width, values, at, line.values, from, size);
    else
      with_bytes(width, [&](auto zero) {
        using T = decltype(zero);
        std::fill_n(static_cast<T*>(values) + at, size, *static_cast<const T*>(line.values));
      });
    at += size;
  }
};

// Writes the union to `out`; both(e, g, at) writes the value of a column of both.
template <class Index, class F>
void unite_lines(const Line<Index>& few, const Line<Index>& many, Sink<Index>& out, F&& both) {
  std::int64_t from = many.first;
  for (std::int64_t e = few.first; e < few.last; ++e) {
    const std::int64_t g = many.find(from, few.indices[e]);
    out.copy(many, from, g - from), from = g;
    if (!many.has(g, few.indices[e])) {
      out.copy(few, e, 1);
      continue;
    }
    both(e, g, out.at);
    out.indices[out.at++] = few.indices[e], ++from;
  }
  out.copy(many, from, many.last - from);
}

}  // namespace lagbfs
