// Lists of entries, their indices ascending: what two of them have between them, and what a mask leaves of a write.
//
// All walk through both lists at once. Values are moved as words of their size, whatever they mean.
#pragma once

#include <algorithm>
#include <cstdint>

#include "memory.hpp"

namespace lagbfs {

using Indices = Span<const std::int64_t>;

// Calls f(index, place in u or -1, place in v or -1) for every index of either, ascending.
template <class F>
inline void unite_lists(const Indices& u, const Indices& v, F&& f) {
  std::int64_t a = 0, b = 0;
  while (a < u.size() && b < v.size()) {
    const std::int64_t i = u[a], j = v[b];
    f(std::min(i, j), i <= j ? a : -1, j <= i ? b : -1);
    a += i <= j, b += j <= i;
  }
  for (; a < u.size(); ++a) f(u[a], a, std::int64_t(-1));
  for (; b < v.size(); ++b) f(v[b], std::int64_t(-1), b);
}

// The first place from `from` on whose index is not below `wanted`: mostly near.
inline const std::int64_t* advance(const std::int64_t* from, const std::int64_t* end, std::int64_t wanted) {
  constexpr int kNear = 8;
  for (int i = 0; i < kNear; ++i, ++from)
    if (from == end || *from >= wanted) return from;
  return std::lower_bound(from, end, wanted);
}

// Calls f(place in u, place in v) for every index of both, ascending.
template <class F>
inline void meet_lists(const Indices& u, const Indices& v, F&& f) {
  const std::int64_t *a = u.begin(), *b = v.begin();
  while (a != u.end() && b != v.end()) {
    if (*a == *b) f(a++ - u.begin(), b++ - v.begin());
    else if (*a < *b) a = advance(a, u.end(), *b);
    else b = advance(b, v.end(), *a);
  }
}

// The positions that a list names, or that bytes are set for, or all others. Asked in ascending order.
class ListMask {
 public:
  ListMask(Indices list, bool complement) : next_(list.begin()), end_(list.end()), complement_(complement) {}
  ListMask(Span<const std::uint8_t> bytes, bool complement) : bytes_(bytes), complement_(complement) {}

  bool allows(std::int64_t i) {
    if (bytes_.data()) return (std::uint64_t(i) < std::uint64_t(bytes_.size()) && bytes_[i]) != complement_;
    next_ = advance(next_, end_, i);
    return (next_ != end_ && *next_ == i) != complement_;
  }

 private:
  Span<const std::uint8_t> bytes_;
  const std::int64_t *next_ = nullptr, *end_ = nullptr;
  bool complement_;
};

// w⟨mask, replace⟩ = z: calls f(index, place in w or -1, place in z or -1), one of them -1, for every entry of the
// result.
template <class F>
inline void write_list(const Indices& w, const Indices& z, ListMask mask, bool replace, F&& f) {
  unite_lists(w, z, [&](std::int64_t i, std::int64_t old, std::int64_t fresh) {
    if (mask.allows(i)) {
      if (fresh >= 0) f(i, std::int64_t(-1), fresh);
    } else if (!replace && old >= 0) {
      f(i, old, std::int64_t(-1));
    }
  });
}

// out[i] = flags[i] ? x[i] : y[i], without a branch.
template <class Word>
inline void pick(const std::uint8_t* flags, const Word* x, const Word* y, std::int64_t size, Word* out) {
  for (std::int64_t i = 0; i < size; ++i) {
    const Word all = Word(-Word(flags[i] != 0));
    out[i] = Word((x[i] & all) | (y[i] & ~all));
  }
}

}  // namespace lagbfs
