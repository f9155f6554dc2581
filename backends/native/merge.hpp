// Two matrices of the same shape, entry by entry: their union, their intersection, and where the entries of one are in
// the other.
//
// Rows are walked through once, side by side, without a branch on which of both comes first: a tag for each entry of
// the union tells where it is from. Indices and values are then written by the tags alone. Where one row is much
// shorter, its entries are searched for in the other (lopsided.hpp).
#pragma once

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <string>
#include <type_traits>

#include "graph.hpp"
#include "lopsided.hpp"
#include "memory.hpp"
#include "recycle.hpp"
#include "signals.hpp"
#include "team.hpp"
#include "tuning.hpp"
#include "values.hpp"

namespace lagbfs {

// Lists of at least so many entries each are cut: the search for the cut takes a few steps.
constexpr std::int64_t kCutLists = tuned(16, 3);

// Bits of a tag: the entry is one of a, of b.
constexpr std::uint8_t kOfA = 1, kOfB = 2, kOfBoth = 3;

// Two ascending lists on their way into one list of tags.
template <class Index>
struct Tagging {
  const Index *a, *a_end, *b, *b_end;
  std::uint8_t* tags;

  bool goes_on() const { return a != a_end && b != b_end; }
  void step() {
    const Index j = *a, k = *b;
    const bool of_a = j <= k, of_b = k <= j;
    *tags++ = std::uint8_t(of_a | of_b << 1);
    a += of_a, b += of_b;
  }
  void finish() {
    while (goes_on()) step();
    std::memset(tags, kOfA, a_end - a), tags += a_end - a;
    std::memset(tags, kOfB, b_end - b), tags += b_end - b;
  }
};

// Tags of the union of two ascending lists; returns how many, and counts those of both. Every step waits for the one
// before it: long lists are cut in two, which are walked at the same time.
template <class Index>
inline std::int64_t tag(const Index* a, const Index* a_end, const Index* b, const Index* b_end, std::uint8_t* tags,
                        std::int64_t& both) {
  const std::int64_t entries = (a_end - a) + (b_end - b);
  Tagging<Index> one{a, a_end, b, b_end, tags};
  if (a_end - a >= kCutLists && b_end - b >= kCutLists) {
    one.a_end = a + (a_end - a) / 2, one.b_end = std::lower_bound(b, b_end, *one.a_end);
    std::uint8_t* const middle = tags + (one.a_end - a) + (one.b_end - b);
    Tagging<Index> two{one.a_end, a_end, one.b_end, b_end, middle};
    while (one.goes_on() && two.goes_on()) one.step(), two.step();
    one.finish(), two.finish();
    std::memmove(one.tags, middle, two.tags - middle);
    one.tags += two.tags - middle;
  } else {
    one.finish();
  }
  both = entries - (one.tags - tags);
  return one.tags - tags;
}

// Values of a, of b and of the result, all of one type, and what combines them. Strides are 0 or 1.
struct Combined {
  const void *a = nullptr, *b = nullptr;
  std::int64_t a_stride = 0, b_stride = 0;
  void* out = nullptr;
  // Of a row: values e … of a and g … of b, by `size` tags or until `size` of both are found, go to `to` … .
  void (*unite)(const Combined&, const std::uint8_t* tags, std::int64_t size, std::int64_t e, std::int64_t g,
                std::int64_t to) = nullptr;
  void (*meet)(const Combined&, const std::uint8_t* tags, std::int64_t size, std::int64_t e, std::int64_t g,
               std::int64_t to) = nullptr;
};

// An unsigned integer as wide as T, to choose between two without a branch.
template <class T>
using Bits = std::conditional_t<
    sizeof(T) == 8, std::uint64_t,
    std::conditional_t<sizeof(T) == 4, std::uint32_t, std::conditional_t<sizeof(T) == 2, std::uint16_t, std::uint8_t>>>;

template <class T>
inline T chosen(bool first, T one, T two) {
  Bits<T> x, y;
  std::memcpy(&x, &one, sizeof(T)), std::memcpy(&y, &two, sizeof(T));
  const Bits<T> mask = Bits<T>(-std::int64_t(first)), bits = Bits<T>((x & mask) | (y & Bits<T>(~mask)));
  T out;
  std::memcpy(&out, &bits, sizeof(T));
  return out;
}

// Where only one has an entry, both operands are that one: what is computed of them is not taken, but may be read.
template <class Op, class T>
void unite_values(const Combined& c, const std::uint8_t* tags, std::int64_t size, std::int64_t e, std::int64_t g,
                  std::int64_t to) {
  const T* x = static_cast<const T*>(c.a) + e * c.a_stride;
  const T* y = static_cast<const T*>(c.b) + g * c.b_stride;
  T* const out = static_cast<T*>(c.out) + to;
  for (std::int64_t t = 0; t < size; ++t) {
    const std::uint8_t tag = tags[t];
    const T one = *(tag & kOfA ? x : y), two = *(tag & kOfB ? y : x);
    out[t] = chosen(tag == kOfBoth, Op{}(one, two), one);
    x += c.a_stride & -std::int64_t(tag & 1), y += c.b_stride & -std::int64_t(tag >> 1);
  }
}

template <class Op, class T>
void meet_values(const Combined& c, const std::uint8_t* tags, std::int64_t size, std::int64_t e, std::int64_t g,
                 std::int64_t to) {
  const T* x = static_cast<const T*>(c.a) + e * c.a_stride;
  const T* y = static_cast<const T*>(c.b) + g * c.b_stride;
  T* const out = static_cast<T*>(c.out) + to;
  for (std::int64_t n = 0; n < size;) {
    const std::uint8_t tag = *tags++;
    out[n] = Op{}(*x, *y);
    n += tag == kOfBoth;
    x += c.a_stride & -std::int64_t(tag & 1), y += c.b_stride & -std::int64_t(tag >> 1);
  }
}

// The functions of an operator over a dtype; none if there are none.
inline Combined combined_by(const std::string& op, const std::string& dtype) {
  Combined c;
  with_operator(op, dtype, [&](auto f, auto zero) {
    c.unite = unite_values<decltype(f), decltype(zero)>, c.meet = meet_values<decltype(f), decltype(zero)>;
  });
  return c;
}

template <class Index>
struct Merged {
  Buffer<std::int64_t> indptr;
  Recycled<Index> indices;
  Recycled<char> values;
};

// The tags of all rows, those of row i from `at(i)` on.
template <class Index, class Offset>
class Tagged {
 public:
  Tagged(const Csr<Index, Offset>& a, const Csr<Index, Offset>& b, int threads, bool (*ask)())
      : a_(a), b_(b), lease_(threads), signals_(ask), tags_(a.edges() + b.edges()) {}

  // Tags row i; returns how many columns are in both.
  std::int64_t walk(std::int64_t i) {
    std::int64_t both = 0;
    tag(a_.begin(i), a_.end(i), b_.begin(i), b_.end(i), at(i), both);
    return both;
  }

  // ends[i + 1] becomes the end of row i of the union, or of the intersection, where both(i) columns are in both.
  template <class F>
  void count(bool intersect, std::int64_t* ends, F&& both) {
    ends[0] = 0;
    each([&](std::int64_t i) {
      const std::int64_t common = both(i);
      ends[i + 1] = intersect ? common : a_.degree(i) + b_.degree(i) - common;
    });
    for (std::int64_t i = 0; i < a_.rows; ++i) ends[i + 1] += ends[i];
  }

  std::uint8_t* at(std::int64_t i) { return tags_.data() + a_.indptr[i] + b_.indptr[i]; }

  template <class F>
  void each(F&& f) {
    const std::int64_t alone = a_.edges() + b_.edges() < kMergeAlone;
    lease_.chunks(a_.rows, alone ? std::max<std::int64_t>(a_.rows, 1) : kMergeRows,
                  [&](int id, std::int64_t begin, std::int64_t end) {
                    if (signals_.tick(id)) return;
                    for (std::int64_t i = begin; i < end; ++i) f(i);
                  });
    signals_.check();
  }

 private:
  const Csr<Index, Offset> a_, b_;
  Lease lease_;
  Signals signals_;
  Recycled<std::uint8_t> tags_;
};

// Row i of both, the shorter one first, and whether that is b's.
template <class Index>
struct LinePair {
  Line<Index> few, many;
  bool swapped;

  template <class Offset>
  LinePair(const Csr<Index, Offset>& a, const Csr<Index, Offset>& b, const Combined& c, std::int64_t i)
      : few{a.indices, c.a, c.a_stride, a.indptr[i], a.indptr[i + 1]},
        many{b.indices, c.b, c.b_stride, b.indptr[i], b.indptr[i + 1]},
        swapped(many.size() < few.size()) {
    if (swapped) std::swap(few, many);
  }

  std::int64_t common() const {
    std::int64_t both = 0;
    meet_lines(few, many, [&](std::int64_t, std::int64_t) { ++both; });
    return both;
  }

  // Writes the entries of the union or of the intersection from `out.at` on; returns their end.
  std::int64_t write(const Combined& c, bool intersect, Sink<Index> out) const {
    const auto both = [&](std::int64_t e, std::int64_t g, std::int64_t at) {
      if (c.meet) c.meet(c, &kOfBoth, 1, swapped ? g : e, swapped ? e : g, at);
    };
    if (!intersect) unite_lines(few, many, out, both);
    else
      meet_lines(few, many, [&](std::int64_t e, std::int64_t g) {
        both(e, g, out.at);
        out.indices[out.at++] = few.indices[e];
      });
    return out.at;
  }
};

// Writes row i, which is tagged, from entry `to` on.
template <class Index, class Offset>
void write_tagged(const Csr<Index, Offset>& a, const Csr<Index, Offset>& b, std::int64_t i, const std::uint8_t* tags,
                  const Combined& c, bool intersect, Index* indices, std::int64_t to, std::int64_t size) {
  const std::int64_t e = a.indptr[i], g = b.indptr[i];
  const Index *j = a.begin(i), *k = b.begin(i);
  Index* const out = indices + to;
  if (intersect) {
    if (c.meet) c.meet(c, tags, size, e, g, to);
    for (std::int64_t n = 0; n < size; ++tags) out[n] = *j, n += *tags == kOfBoth, j += *tags & kOfA;
  } else {
    if (c.unite) c.unite(c, tags, size, e, g, to);
    for (std::int64_t t = 0; t < size; ++t) out[t] = *(tags[t] & kOfA ? j : k), j += tags[t] & kOfA, k += tags[t] >> 1;
  }
}

// a ∪ b or a ∩ b. Values are combined if `c` has the functions for it, `width` bytes each.
template <class Index, class Offset>
Merged<Index> merge(const Csr<Index, Offset>& a, const Csr<Index, Offset>& b, bool intersect, Combined c, int width,
                    int threads, bool (*ask)() = nullptr) {
  Tagged<Index, Offset> tagged(a, b, threads, ask);
  Merged<Index> m{Buffer<std::int64_t>(a.rows + 1)};
  tagged.count(intersect, m.indptr.data(), [&](std::int64_t i) {
    return lopsided(a.degree(i), b.degree(i)) ? LinePair<Index>(a, b, c, i).common() : tagged.walk(i);
  });
  const std::int64_t size = m.indptr[a.rows];
  m.indices = Recycled<Index>(size), m.values = Recycled<char>(c.unite ? size * width : 0);
  c.out = m.values.data();
  tagged.each([&](std::int64_t i) {
    const std::int64_t to = m.indptr[i], size = m.indptr[i + 1] - to;
    if (!size) return;
    if (lopsided(a.degree(i), b.degree(i)))
      LinePair<Index>(a, b, c, i).write(c, intersect, {m.indices.data(), c.out, width, to});
    else write_tagged(a, b, i, tagged.at(i), c, intersect, m.indices.data(), to, size);
  });
  return m;
}

template <class Index, class Offset>
struct United {
  Buffer<std::int64_t> indptr;
  Recycled<Index> indices;
  Recycled<Offset> a_at, b_at;
};

// a ∪ b, and which entry of a and which of b each entry is, -1 if none.
template <class Index, class Offset>
United<Index, Offset> unite(const Csr<Index, Offset>& a, const Csr<Index, Offset>& b, int threads,
                            bool (*ask)() = nullptr) {
  Tagged<Index, Offset> tagged(a, b, threads, ask);
  United<Index, Offset> u{Buffer<std::int64_t>(a.rows + 1)};
  tagged.count(false, u.indptr.data(), [&](std::int64_t i) { return tagged.walk(i); });
  const std::int64_t size = u.indptr[a.rows];
  u.indices = Recycled<Index>(size), u.a_at = Recycled<Offset>(size), u.b_at = Recycled<Offset>(size);
  tagged.each([&](std::int64_t i) {
    const std::uint8_t* tags = tagged.at(i);
    Offset e = a.indptr[i], g = b.indptr[i];
    for (std::int64_t to = u.indptr[i]; to < u.indptr[i + 1]; ++to, ++tags) {
      u.indices[to] = *tags & kOfA ? a.indices[e] : b.indices[g];
      u.a_at[to] = *tags & kOfA ? e++ : Offset(-1), u.b_at[to] = *tags & kOfB ? g++ : Offset(-1);
    }
  });
  return u;
}

// For each entry of a, which one of b has its position, -1 if none.
template <class Index, class Offset>
Recycled<Offset> locate(const Csr<Index, Offset>& a, const Csr<Index, Offset>& b, int threads,
                        bool (*ask)() = nullptr) {
  Tagged<Index, Offset> tagged(a, b, threads, ask);
  Recycled<Offset> at(a.edges());
  tagged.each([&](std::int64_t i) {
    tagged.walk(i);
    const std::uint8_t* tags = tagged.at(i);
    Offset g = b.indptr[i];
    for (Offset e = a.indptr[i]; e < a.indptr[i + 1]; ++tags) {
      at[e] = *tags & kOfB ? g : Offset(-1);  // overwritten unless this is the tag of e
      e += *tags & kOfA, g += *tags >> 1;
    }
  });
  return at;
}

}  // namespace lagbfs
