// Triangles of a symmetric graph, loops left out: their number, and how many each vertex is a corner of.
//
// A triangle w < v < u is found at u: v and w in its row, w in that of v. Where rows are short on average, w is looked
// up there as they are. Otherwise only the smaller neighbours of each row count, its forward row. Where degrees are
// skewed, vertices are renamed first, by descending degree: then no forward row is longer than the square root of twice
// the edges.
//   marks   the row of u as a bitmap
//   cores   the rows of the first vertices, the hubs, as bitmaps: row v has v bits
// For each v in the row of u the cheapest of three ways tells what both rows have: the row of v probed in the marks,
// that of u probed in the core of v, or marks and core word by word.
#pragma once

#include <algorithm>
#include <cstdint>
#include <utility>
#include <vector>

#include "bitmap.hpp"
#include "graph.hpp"
#include "memory.hpp"
#include "order.hpp"
#include "recycle.hpp"
#include "signals.hpp"
#include "team.hpp"
#include "tuning_algorithms.hpp"

namespace lagbfs {

// Rows that end before the diagonal: row v is indices[begins[v] … ends[v]).
template <class Index, class Offset>
struct Forward {
  const Offset *begins = nullptr, *ends = nullptr;
  const Index* indices = nullptr;
  const Index* user = nullptr;  // user[v]: the vertex that v names; null: itself
  std::int64_t n = 0;
  const Index* begin(std::int64_t v) const { return indices + begins[v]; }
  const Index* end(std::int64_t v) const { return indices + ends[v]; }
  std::int64_t degree(std::int64_t v) const { return std::int64_t(ends[v] - begins[v]); }

  Recycled<Offset> made_offsets;
  Recycled<Index> made_indices, made_user;
};

// The rows as they are, up to the diagonal.
template <class Index, class Offset>
Forward<Index, Offset> forward_plain(const Csr<Index, Offset>& csr, Lease& lease) {
  Forward<Index, Offset> f;
  f.n = csr.rows, f.begins = csr.indptr, f.indices = csr.indices;
  f.made_offsets = Recycled<Offset>(csr.rows);
  f.ends = f.made_offsets.data();
  lease.chunks(csr.rows, kForwardRows, [&](int, std::int64_t begin, std::int64_t end) {
    for (std::int64_t v = begin; v < end; ++v)
      f.made_offsets[v] = Offset(std::lower_bound(csr.begin(v), csr.end(v), Index(v)) - csr.indices);
  });
  return f;
}

// user[new name] and name[vertex], by descending degree, vertices of like degree in order.
template <class Index, class Offset>
void name_by_degree(const Csr<Index, Offset>& csr, std::int64_t largest, Index* user, Index* name) {
  std::vector<std::int64_t> at(largest + 2);
  for (std::int64_t v = 0; v < csr.rows; ++v) ++at[largest - csr.degree(v) + 1];
  for (std::int64_t d = 0; d <= largest; ++d) at[d + 1] += at[d];
  for (std::int64_t v = 0; v < csr.rows; ++v) {
    name[v] = Index(at[largest - csr.degree(v)]++);
    user[name[v]] = Index(v);
  }
}

template <class Index, class Offset>
Forward<Index, Offset> forward_renamed(const Csr<Index, Offset>& csr, std::int64_t largest, Lease& lease,
                                       Signals& signals) {
  const std::int64_t n = csr.rows;
  Forward<Index, Offset> f;
  Buffer<Index> name(n);
  f.made_user = Recycled<Index>(n), f.made_offsets = Recycled<Offset>(n + 1);
  name_by_degree(csr, largest, f.made_user.data(), name.data());
  f.n = n, f.user = f.made_user.data(), f.begins = f.made_offsets.data(), f.ends = f.begins + 1;
  const auto each = [&](auto&& at) {
    lease.chunks(n, kForwardRows, [&](int id, std::int64_t begin, std::int64_t end) {
      if (signals.tick(id)) return;
      for (std::int64_t v = begin; v < end; ++v) at(v, csr.begin(f.user[v]), csr.end(f.user[v]));
    });
    signals.check();
  };
  each([&](std::int64_t v, const Index* e, const Index* stop) {
    std::int64_t count = 0;
    for (; e != stop; ++e) count += name[*e] < v;
    f.made_offsets[v + 1] = Offset(count);
  });
  f.made_offsets[0] = 0;
  for (std::int64_t v = 0; v < n; ++v) f.made_offsets[v + 1] += f.made_offsets[v];
  f.made_indices = Recycled<Index>(f.made_offsets[n]);
  f.indices = f.made_indices.data();
  each([&](std::int64_t v, const Index* e, const Index* stop) {
    Index* const row = f.made_indices.data() + f.begins[v];
    Index* at = row;
    for (; e != stop; ++e) {
      const Index w = name[*e];
      if (w < v) *at++ = w;
    }
    std::sort(row, at);
  });
  return f;
}

// The rows of the first vertices as bitmaps.
class Cores {
 public:
  template <class Index, class Offset>
  Cores(const Forward<Index, Offset>& f, bool any) : count_(any ? std::min(kCores, f.n) : 0) {
    words_ = Buffer<Word>(begin_of(count_));
    clear(words_.data(), begin_of(count_));
    for (std::int64_t v = 0; v < count_; ++v)
      for (const Index *e = f.begin(v), *stop = f.end(v); e != stop; ++e) words_[begin_of(v) + (*e >> 6)] |= bit_of(*e);
  }
  std::int64_t count() const { return count_; }
  const Word* row(std::int64_t v) const { return words_.data() + begin_of(v); }

 private:
  // The words of rows 0 … v - 1: none of row 0, one of each of 1 … 64, two of each of the next 64.
  static std::int64_t begin_of(std::int64_t v) {
    if (v == 0) return 0;
    const std::int64_t full = (v - 1) / 64, rest = (v - 1) % 64;
    return 32 * full * (full + 1) + rest * (full + 1);
  }
  std::int64_t count_;
  Buffer<Word> words_;
};

// What one thread counts with. `corners` is null if the total alone is asked for.
template <class Index, class Offset>
class alignas(64) TriangleCounter {
 public:
  static constexpr std::int64_t kRows = kTriangleRows;

  TriangleCounter(const Forward<Index, Offset>& f, const Cores& cores, std::int64_t* corners)
      : f_(f), cores_(cores), corners_(corners), marks_(words_of(f.n)) {
    clear(marks_.data(), words_of(f.n));
  }

  // Those whose largest vertex is u.
  void at(std::int64_t u) {
    const Index *const row = f_.begin(u), *const stop = f_.end(u);
    if (stop - row < 2) return;
    for (const Index* e = row; e != stop; ++e) marks_[*e >> 6] |= bit_of(*e);
    std::int64_t found = 0;
    for (const Index* e = row + 1; e != stop; ++e) {
      expect(e, stop);
      const std::int64_t common = corners_ ? with<true>(row, e) : with<false>(row, e);
      if (corners_) corners_[*e] += common;
      found += common;
    }
    if (corners_) corners_[u] += found;
    total += found;
    for (const Index* e = row; e != stop; ++e) marks_[*e >> 6] = 0;
  }

  std::int64_t total = 0;

 private:
  void expect(const Index* e, const Index* stop) const {
    if (stop - e > kAhead) __builtin_prefetch(f_.begins + e[kAhead]);
    if (stop - e > kAhead / 2) __builtin_prefetch(f_.begin(e[kAhead / 2]));
  }

  // What the row of u has below v = *at in common with that of v.
  template <bool Corners>
  std::int64_t with(const Index* row, const Index* at) {
    const std::int64_t v = *at, own = f_.degree(v), words = words_of(v);
    if (v >= cores_.count()) return probe<Corners>(f_.begin(v), f_.end(v), marks_.data());
    if (words < std::min<std::int64_t>(own, at - row)) return by_words<Corners>(cores_.row(v), words);
    return own <= at - row ? probe<Corners>(f_.begin(v), f_.end(v), marks_.data())
                           : probe<Corners>(row, at, cores_.row(v));
  }

  template <bool Corners>
  std::int64_t probe(const Index* e, const Index* stop, const Word* set) {
    std::int64_t found = 0;
    for (const Index* at = e; at != stop; ++at) found += std::int64_t(set[*at >> 6] >> (*at & 63) & 1);
    if (Corners && found)
      for (; e != stop; ++e) corners_[*e] += std::int64_t(set[*e >> 6] >> (*e & 63) & 1);
    return found;
  }

  template <bool Corners>
  std::int64_t by_words(const Word* core, std::int64_t words) {
    std::int64_t found = 0;
    for (std::int64_t i = 0; i < words; ++i) {
      const Word both = core[i] & marks_[i];
      if (Corners) for_bits(both, i * kWordBits, [&](std::int64_t w) { ++corners_[w]; });
      found += __builtin_popcountll(both);
    }
    return found;
  }

  const Forward<Index, Offset>& f_;
  const Cores& cores_;
  std::int64_t* corners_;
  Buffer<Word> marks_;
};

// The same where rows are short on average.
template <class Index, class Offset>
class alignas(64) PairCounter {
 public:
  static constexpr std::int64_t kRows = kPairedRows;

  PairCounter(const Csr<Index, Offset>& csr, std::int64_t* corners) : csr_(csr), corners_(corners) {}

  void at(std::int64_t u) {
    const Index *const row = csr_.begin(u), *const stop = csr_.end(u);
    if (stop - row < 2 || row[1] >= u) return;
    std::int64_t found = 0;
    for (const Index* v = row + 1; v != stop && *v < u; ++v) {
      const std::int64_t common = corners_ ? both<true>(row, v, csr_.begin(*v), csr_.end(*v))
                                           : both<false>(row, v, csr_.begin(*v), csr_.end(*v));
      if (corners_) corners_[*v] += common;
      found += common;
    }
    if (corners_) corners_[u] += found;
    total += found;
  }

  std::int64_t total = 0;

 private:
  // What two sorted rows have in common: every two entries compared, or those of the shorter looked up in a long one.
  template <bool Corners>
  std::int64_t both(const Index* a, const Index* a_end, const Index* b, const Index* b_end) {
    if (a_end - a > b_end - b) std::swap(a, b), std::swap(a_end, b_end);
    std::int64_t found = 0;
    const auto add = [&](Index w, std::int64_t times) {
      found += times;
      if (Corners) corners_[w] += times;
    };
    if (b_end - b > kShortRow) {
      for (; a != a_end; ++a) add(*a, std::binary_search(b, b_end, *a));
      return found;
    }
    for (; a != a_end; ++a)
      for (const Index* e = b; e != b_end; ++e) add(*a, *a == *e);
    return found;
  }

  const Csr<Index, Offset>& csr_;
  std::int64_t* corners_;
};

// The number of triangles that counters, one for each thread, find at n vertices. corners, unless
// null, gets the number at each vertex, user[v] or v.
template <class Counter, class Index, class Make>
std::int64_t count_all(std::int64_t n, const Index* user, std::int64_t* corners, Lease& lease, Signals& signals,
                       Make&& counter) {
  std::vector<Buffer<std::int64_t>> counts;
  std::vector<Counter> counters;
  for (int id = 0, size = lease.need(); id < size; ++id) {
    if (corners) counts.emplace_back(n), std::fill(counts.back().begin(), counts.back().end(), 0);
    counters.push_back(counter(corners ? counts.back().data() : nullptr));
  }
  lease.chunks(n, Counter::kRows, [&](int id, std::int64_t begin, std::int64_t end) {
    if (signals.tick(id)) return;
    for (std::int64_t u = begin; u < end; ++u) counters[id].at(u);
  });
  signals.check();
  std::int64_t total = 0;
  for (const auto& each : counters) total += each.total;
  for (std::int64_t v = 0; corners && v < n; ++v) {
    std::int64_t sum = 0;
    for (const auto& own : counts) sum += own[v];
    corners[user ? user[v] : v] = sum;
  }
  return total;
}

// The number of triangles. corners, unless null, gets the number at each vertex.
template <class Index, class Offset>
std::int64_t triangles(const Csr<Index, Offset>& csr, std::int64_t* corners, int threads, bool (*ask)() = nullptr) {
  Lease lease(csr.edges() < kAloneTriangles ? 1 : threads);
  Signals signals(ask);
  const Degrees degrees = degrees_of(csr);
  if (degrees.edges < kPairedDegree * degrees.connected)
    return count_all<PairCounter<Index, Offset>, Index>(
        csr.rows, nullptr, corners, lease, signals, [&](auto* own) { return PairCounter<Index, Offset>(csr, own); });
  const bool renamed = degrees.skewed();
  const Forward<Index, Offset> f =
      renamed ? forward_renamed(csr, degrees.largest, lease, signals) : forward_plain(csr, lease);
  const Cores cores(f, renamed);
  return count_all<TriangleCounter<Index, Offset>>(csr.rows, f.user, corners, lease, signals, [&](auto* own) {
    return TriangleCounter<Index, Offset>(f, cores, own);
  });
}

}  // namespace lagbfs
