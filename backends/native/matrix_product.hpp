// The masked product of two sparse matrices over a semiring, C⟨M⟩ = A ⊕.⊗ B, row by row:
//
//   push   row i of C = ⊕ over k in row i of A:  A[i, k] ⊗ row k of B        summed up in an accumulator
//   pull   C[i, j] = ⊕ over k in both:  A[i, k] ⊗ Bᵀ[j, k]                     for each j in row i of M
//
// A push under a mask never sums what the mask forbids, and a pull never looks at it; of a complement, what it forbids
// is dropped once it is summed. Terms are added in ascending k by both, whatever the number of threads: a row is one
// thread's. Blocks of rows with about as many terms are handed out, and go to the result in their order.
#pragma once

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <cstring>
#include <limits>
#include <memory>
#include <new>
#include <vector>

#include "join.hpp"
#include "product.hpp"
#include "sums.hpp"

namespace lagbfs {

// `b` is B, or Bᵀ where C is pulled. `mask.indptr` is null where all positions are allowed.
template <class Index, class T>
struct MatrixProblem {
  Csr<Index> a, b;
  Values<T> a_values, b_values;
  std::int64_t inner, cols;
  Csr<Index> mask;
  bool complement = false;

  bool masked() const { return mask.indptr && !complement; }
};

// A row of A, spread out: where the entry of column k is, counted from 1, or 0.
template <class Index>
class Spread {
 public:
  explicit Spread(std::int64_t inner) : at_(inner) { std::memset(at_.data(), 0, at_.bytes()); }
  void set(const Csr<Index>& a, std::int64_t i) {
    for (std::int64_t e = a.indptr[i]; e < std::int64_t(a.indptr[i + 1]); ++e)
      at_[a.indices[e]] = Index(e - a.indptr[i] + 1);
  }
  void clear(const Csr<Index>& a, std::int64_t i) {
    for (const Index* k = a.begin(i); k != a.end(i); ++k) at_[*k] = 0;
  }
  Index operator[](Index k) const { return at_[k]; }

 private:
  Buffer<Index> at_;
};

// Calls f(j, term) for every term of row i, k ascending.
template <class S, class Ring, class T, class Index, class F>
[[gnu::always_inline]] inline void each_term(Ring ring, const MatrixProblem<Index, T>& p, std::int64_t i, F&& f) {
  for (std::int64_t e = p.a.indptr[i]; e < std::int64_t(p.a.indptr[i + 1]); ++e) {
    const std::int64_t k = p.a.indices[e], end = p.b.indptr[k + 1];
    const T x = p.a_values[e];
    for (std::int64_t g = p.b.indptr[k]; g < end; ++g) f(p.b.indices[g], term_in<S>(ring, x, p.b_values[g], k));
  }
}

constexpr std::int64_t kAskedLines = 4;

// Asks memory for the first values of row k of B, so many lines of the cache.
template <class T, class Index>
void ask_for_values(const MatrixProblem<Index, T>& p, std::int64_t k) {
  constexpr std::int64_t kLine = 64 / sizeof(T);
  const T* const values = &p.b_values.values[p.b.indptr[k] * p.b_values.stride];
  for (std::int64_t line = 0; line < kAskedLines; ++line) __builtin_prefetch(values + line * kLine);
}

template <class S, class Ring, class T, class Index>
void push_masked_row(Ring ring, const MatrixProblem<Index, T>& p, std::int64_t i, OpenSums<S>& row,
                     RowBlock<Index, S>& block) {
  const Index *const begin = p.mask.begin(i), *const end = p.mask.end(i);
  if (begin == end || !p.a.degree(i)) return;
  row.open(begin, end);
  each_term<S>(ring, p, i, [&](Index j, S term) { row.take(ring, j, term); });
  row.emit(block, begin, end);
}

// Without a mask, or under a complement. Sums of all columns are made for the first row of many terms.
template <class S, class Ring, class T, class Index>
void push_row(Ring ring, const MatrixProblem<Index, T>& p, std::int64_t i, std::int64_t terms,
              std::unique_ptr<Sums<S>>& sums, RowBlock<Index, S>& block) {
  const std::int64_t first = block.size;
  if (terms <= kSortedTerms) {
    FewTerms<Index, S> few;
    each_term<S>(ring, p, i, [&](Index j, S term) { few.take(j, term); });
    few.emit(ring, block);
  } else {
    if (!sums) sums = std::make_unique<Sums<S>>(p.cols, identity<S>(ring.add));
    Sums<S>& row = *sums;
    for (const Index* k = p.a.begin(i); k != p.a.end(i); ++k)
      if (p.b.degree(*k)) row.expect(p.b.begin(*k)[0], p.b.end(*k)[-1]), ask_for_values(p, *k);
    each_term<S>(ring, p, i, [&](Index j, S term) { row.take(ring, j, term); });
    row.emit(ring, block);
  }
  if (p.mask.indptr) block.drop(first, p.mask.begin(i), p.mask.end(i));
}

template <class T, class Index>
std::int64_t terms_of(const MatrixProblem<Index, T>& p, std::int64_t i) {
  std::int64_t terms = 0;
  for (const Index* k = p.a.begin(i); k != p.a.end(i); ++k) terms += p.b.degree(*k);
  return terms;
}

// What a thread sums rows up in: one of them at most is made.
template <class Index, class S>
struct Summing {
  std::unique_ptr<Sums<S>> sums;
  std::unique_ptr<OpenSums<S>> open;
  std::unique_ptr<Spread<Index>> spread;
};

template <class S, class Ring, class T, class Index>
void push_rows(Ring ring, const MatrixProblem<Index, T>& p, const std::int64_t* work, Summing<Index, S>& row,
               RowBlock<Index, S>& block, Index* counts) {
  for (std::int64_t i = block.first; i < block.last; ++i) {
    const std::int64_t before = block.size;
    if (p.masked()) push_masked_row(ring, p, i, *row.open, block);
    else push_row(ring, p, i, work[i] - 1, row.sums, block);
    counts[i] = Index(block.size - before);
  }
}

// A column more than so many times as long as the row is searched for the row's entries, instead of being walked.
constexpr std::int64_t kSearched = 16;

// Calls f(e, g) for each k in row i of A, its entry e, and row j of Bᵀ, its entry g, ascending, until f is done.
template <class T, class Index, class F>
void meet(const MatrixProblem<Index, T>& p, const Spread<Index>& row, std::int64_t i, std::int64_t j, F&& f) {
  const Index first = p.a.indptr[i];
  const Index* g = p.b.begin(j);
  const Index* const end = p.b.end(j);
  if (end - g > kSearched * p.a.degree(i)) {
    for (std::int64_t e = first; e < std::int64_t(p.a.indptr[i + 1]) && g != end; ++e) {
      g = std::lower_bound(g, end, p.a.indices[e]);
      if (g != end && *g == p.a.indices[e] && f(e, g - p.b.indices)) return;
    }
    return;
  }
  for (; g != end; ++g)
    if (const Index at = row[*g]; at && f(std::int64_t(first) + at - 1, g - p.b.indices)) return;
}

template <class S, class Ring, class T, class Index>
void pull_rows(Ring ring, const MatrixProblem<Index, T>& p, Spread<Index>& row, RowBlock<Index, S>& block,
               Index* counts) {
  for (std::int64_t i = block.first; i < block.last; ++i) {
    const std::int64_t before = block.size;
    row.set(p.a, i);
    for (const Index* j = p.mask.begin(i); j != p.mask.end(i); ++j) {
      S sum{};
      bool any = false;
      meet(p, row, i, *j, [&](std::int64_t e, std::int64_t g) {
        const S term = term_in<S>(ring, p.a_values[e], p.b_values[g], p.b.indices[g]);
        sum = any ? combine(ring.add, sum, term) : term;
        any = true;
        return settled(ring.add, sum);
      });
      if (any) block.add(*j, sum);
    }
    row.clear(p.a, i);
    counts[i] = Index(block.size - before);
  }
}

// What row i takes about.
template <class T, class Index>
std::int64_t row_work(const MatrixProblem<Index, T>& p, std::int64_t i, bool push) {
  std::int64_t work = 1;
  if (push) return work + terms_of(p, i);
  for (const Index* j = p.mask.begin(i); j != p.mask.end(i); ++j) work += p.b.degree(*j);
  return work;
}

template <class T, class Index>
Buffer<std::int64_t> row_works(const MatrixProblem<Index, T>& p, bool push, Lease& lease) {
  Buffer<std::int64_t> work(p.a.rows);
  const bool alone = p.a.edges() < kAloneTerms;
  lease.chunks(p.a.rows, alone ? std::max<std::int64_t>(p.a.rows, 1) : kMergeRows,
               [&](int, std::int64_t begin, std::int64_t end) {
                 for (std::int64_t i = begin; i < end; ++i) work[i] = row_work(p, i, push);
               });
  return work;
}

// Blocks of rows to be handed out, and how many entries each has at most.
template <class T, class Index>
std::vector<RowRange> row_ranges(const MatrixProblem<Index, T>& p, const Buffer<std::int64_t>& works) {
  std::vector<RowRange> ranges;
  std::int64_t work = 0, bound = 0, first = 0;
  for (std::int64_t i = 0; i < p.a.rows; ++i) {
    const std::int64_t own = works[i];
    work += own;
    bound += p.masked() ? p.mask.degree(i) : std::min(own - 1, p.cols);
    if (work < kBlockWork && i + 1 < p.a.rows) continue;
    ranges.push_back({first, i + 1, bound});
    work = bound = 0, first = i + 1;
  }
  return ranges;
}

// Sets each range's bound to the number of entries that its rows have without a mask.
template <class T, class Index>
void count_rows(const MatrixProblem<Index, T>& p, std::vector<RowRange>& ranges, Lease& lease, Signals& signals) {
  const int team = ranges.size() > 1 ? lease.need() : 1;
  std::vector<Buffer<std::uint64_t>> seen;
  for (int id = 0; id < team; ++id) {
    seen.emplace_back(p.cols / 64 + 1);
    std::fill(seen[id].begin(), seen[id].end(), std::uint64_t(0));
  }
  const auto each = [&](std::int64_t i, auto&& f) {
    for (const Index* k = p.a.begin(i); k != p.a.end(i); ++k)
      for (const Index* j = p.b.begin(*k); j != p.b.end(*k); ++j) f(*j >> 6, std::uint64_t{1} << (*j & 63));
  };
  lease.chunks(std::int64_t(ranges.size()), 1, [&](int id, std::int64_t b, std::int64_t) {
    if (signals.tick(id)) return;
    std::uint64_t* const bits = seen[id].data();
    std::int64_t count = 0;
    for (std::int64_t i = ranges[b].first; i < ranges[b].last; ++i) {
      if (p.a.degree(i) == 1) {
        count += terms_of(p, i);
        continue;
      }
      each(i, [&](std::int64_t word, std::uint64_t bit) { count += !(bits[word] & bit), bits[word] |= bit; });
      each(i, [&](std::int64_t word, std::uint64_t) { bits[word] = 0; });
    }
    ranges[b].bound = count;
  });
  signals.check();
}

template <class S, class Ring, class T, class Index>
MatrixResult<Index, S> matrix_product_in(Ring ring, const MatrixProblem<Index, T>& p, bool push, std::int64_t room,
                                         int threads, bool (*ask)()) {
  Lease lease(threads);
  Signals signals(ask);
  const Buffer<std::int64_t> works = row_works(p, push, lease);
  auto ranges = row_ranges(p, works);
  const auto bytes = [&] { return bound_of(ranges) * std::int64_t(sizeof(Index) + sizeof(S)); };
  if (!p.masked() && bytes() > room) {
    count_rows(p, ranges, lease, signals);
    if (bytes() > room) throw TooLarge{bytes()};
  }
  Buffer<Index> counts(p.a.rows);
  Joined<Index, S> joined(ranges);
  const int team = ranges.size() > 1 ? lease.need() : 1;
  std::vector<Summing<Index, S>> rows(team);
  for (Summing<Index, S>& row : rows) {
    if (!push) row.spread = std::make_unique<Spread<Index>>(p.inner);
    else if (p.masked()) row.open = std::make_unique<OpenSums<S>>(p.cols);
  }
  lease.chunks(std::int64_t(ranges.size()), 1, [&](int id, std::int64_t b, std::int64_t) {
    if (signals.tick(id)) return;
    RowBlock<Index, S> block = joined.begin(b);
    if (push) push_rows(ring, p, works.data(), rows[id], block, counts.data());
    else pull_rows(ring, p, *rows[id].spread, block, counts.data());
    joined.end(b, std::move(block));
  });
  signals.check();
  return joined.result(counts, p.a.rows);
}

// S is the type that with_sum gives. A pull needs a mask that is not complemented. Throws TooLarge if the result would
// take more than `room` bytes, before they are allocated.
template <class S, class T, class Index>
MatrixResult<Index, S> matrix_product(const Semiring& semiring, const MatrixProblem<Index, T>& p, bool push,
                                      int threads, bool (*ask)() = nullptr,
                                      std::int64_t room = std::numeric_limits<std::int64_t>::max()) {
  return with_ring(semiring, compiled_apart<S, T>(),
                   [&](auto ring) { return matrix_product_in<S>(ring, p, push, room, threads, ask); });
}

}  // namespace lagbfs
