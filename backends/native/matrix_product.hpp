// The masked product of two sparse matrices over a semiring, C⟨M⟩ = A ⊕.⊗ B, row by row:
//
//   push   row i of C = ⊕ over k in row i of A:  A[i, k] ⊗ row k of B        summed up in an accumulator
//   pull   C[i, j] = ⊕ over k in both:  A[i, k] ⊗ Bᵀ[j, k]                     for each j in row i of M
//
// A push under a mask never sums what the mask forbids; a pull never looks at it. Terms are added in ascending k by
// both, whatever the number of threads: a row is one thread's. Blocks of rows with about as many terms are handed out,
// each written to an array of its own; all are then put side by side.
#pragma once

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <cstring>
#include <limits>
#include <memory>
#include <new>
#include <stdexcept>
#include <vector>

#include "product.hpp"

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

template <class Index, class S>
struct MatrixResult {
  Buffer<Index> indptr, indices;
  Buffer<S> values;
};

// Rows [first, last) of the result, once they are computed; `bound` is how many entries they have at most.
template <class Index, class S>
struct RowBlock {
  RowBlock(std::int64_t first, std::int64_t last, std::int64_t bound) : first(first), last(last), bound(bound) {}
  std::int64_t first, last, bound, size = 0;
  Buffer<Index> indices;
  Buffer<S> values;

  void begin() { indices = Buffer<Index>(bound), values = Buffer<S>(bound); }
  void add(Index j, S sum) { indices[size] = j, values[size++] = sum; }
  void end() { indices.shrink(size), values.shrink(size); }
};

// One row of C while it is summed up. State of a column: closed to this row, open, or with a sum. Columns that have
// one are kept as a set of bits with a summary of its words, so that they are found in order without sorting; under a
// mask they are found by the mask's row.
template <class S>
class Accumulator {
 public:
  enum State : std::uint8_t { kFresh, kOpened, kClosed, kSummed };

  explicit Accumulator(std::int64_t cols)
      : sums_(cols), state_(cols), bits_(cols / 64 + 1), summary_(cols / 4096 + 1), low_(summary_.size()) {
    std::memset(state_.data(), 0, state_.bytes());
    std::memset(bits_.data(), 0, bits_.bytes());
    std::memset(summary_.data(), 0, summary_.bytes());
  }

  void mark(std::int64_t j, State state) { state_[j] = state; }

  // Under a mask columns are open only if marked so; else all that are not marked closed are.
  template <bool kMasked, class Ring>
  void take(Ring ring, std::int64_t j, S term) {
    if (state_[j] == kSummed) {
      sums_[j] = combine(ring.add, sums_[j], term);
    } else if (state_[j] == (kMasked ? kOpened : kFresh)) {
      sums_[j] = term, state_[j] = kSummed;
      if (!kMasked) note(j);
    }
  }

  // Adds the row to a block, columns ascending, and forgets it.
  template <class Index>
  void emit(RowBlock<Index, S>& block) {
    for (std::int64_t w = low_; w <= high_; ++w) {
      for (std::uint64_t words = summary_[w]; words; words &= words - 1) {
        const std::int64_t word = w * 64 + __builtin_ctzll(words);
        for (std::uint64_t bits = bits_[word]; bits; bits &= bits - 1) {
          const std::int64_t j = word * 64 + __builtin_ctzll(bits);
          block.add(Index(j), sums_[j]);
          state_[j] = kFresh;
        }
        bits_[word] = 0;
      }
      summary_[w] = 0;
    }
    low_ = summary_.size(), high_ = -1;
  }

  template <class Index>
  void emit(RowBlock<Index, S>& block, const Index* mask, const Index* end) {
    for (; mask != end; ++mask) {
      if (state_[*mask] == kSummed) block.add(*mask, sums_[*mask]);
      state_[*mask] = kFresh;
    }
  }

 private:
  void note(std::int64_t j) {
    const std::int64_t w = j >> 12;
    bits_[j >> 6] |= std::uint64_t{1} << (j & 63);
    summary_[w] |= std::uint64_t{1} << ((j >> 6) & 63);
    low_ = std::min(low_, w), high_ = std::max(high_, w);
  }

  Buffer<S> sums_;
  Buffer<std::uint8_t> state_;
  Buffer<std::uint64_t> bits_, summary_;
  std::int64_t low_, high_ = -1;
};

template <bool kMasked, class S, class Ring, class T, class Index>
void push_row(Ring ring, const MatrixProblem<Index, T>& p, std::int64_t i, Accumulator<S>& row) {
  for (std::int64_t e = p.a.indptr[i]; e < std::int64_t(p.a.indptr[i + 1]); ++e) {
    const std::int64_t k = p.a.indices[e], end = p.b.indptr[k + 1];
    const T x = p.a_values[e];
    for (std::int64_t f = p.b.indptr[k]; f < end; ++f)
      row.template take<kMasked>(ring, p.b.indices[f], term_in<S>(ring, x, p.b_values[f], k));
  }
}

template <class S, class Ring, class T, class Index>
void push_rows(Ring ring, const MatrixProblem<Index, T>& p, Accumulator<S>& row, RowBlock<Index, S>& block,
               Index* counts) {
  for (std::int64_t i = block.first; i < block.last; ++i) {
    const std::int64_t before = block.size;
    const Index* const allowed = p.mask.indptr ? p.mask.begin(i) : nullptr;
    const Index* const end = p.mask.indptr ? p.mask.end(i) : nullptr;
    const auto state = p.complement ? Accumulator<S>::kClosed : Accumulator<S>::kOpened;
    for (const Index* j = allowed; j != end; ++j) row.mark(*j, state);
    if (p.masked()) {
      if (allowed != end) push_row<true>(ring, p, i, row);
      row.emit(block, allowed, end);
    } else {
      push_row<false>(ring, p, i, row);
      row.emit(block);
      for (const Index* j = allowed; j != end; ++j) row.mark(*j, Accumulator<S>::kFresh);
    }
    counts[i] = Index(block.size - before);
  }
}

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

// What row i takes about, and how many entries it has at most.
template <class T, class Index>
std::int64_t row_work(const MatrixProblem<Index, T>& p, std::int64_t i, bool push) {
  std::int64_t work = 1;
  if (push)
    for (const Index* k = p.a.begin(i); k != p.a.end(i); ++k) work += p.b.degree(*k);
  else
    for (const Index* j = p.mask.begin(i); j != p.mask.end(i); ++j) work += p.b.degree(*j);
  return work;
}

template <class S, class T, class Index>
std::vector<RowBlock<Index, S>> row_blocks(const MatrixProblem<Index, T>& p, bool push) {
  std::vector<RowBlock<Index, S>> blocks;
  std::int64_t work = 0, bound = 0, first = 0;
  for (std::int64_t i = 0; i < p.a.rows; ++i) {
    const std::int64_t own = row_work(p, i, push);
    work += own;
    bound += p.masked() ? p.mask.degree(i) : std::min(own, p.cols);
    if (work < kBlockWork && i + 1 < p.a.rows) continue;
    blocks.emplace_back(first, i + 1, bound);
    work = bound = 0, first = i + 1;
  }
  return blocks;
}

// The blocks side by side.
template <class Index, class S>
MatrixResult<Index, S> joined_rows(std::vector<RowBlock<Index, S>>& blocks, Buffer<Index> counts, std::int64_t rows,
                                   Lease& lease) {
  std::vector<std::int64_t> starts;
  std::int64_t size = 0;
  for (const auto& block : blocks) starts.push_back(size), size += block.size;
  if (size > std::int64_t(std::numeric_limits<Index>::max())) throw std::length_error("too many entries");
  MatrixResult<Index, S> c{Buffer<Index>(rows + 1), Buffer<Index>(size), Buffer<S>(size)};
  Index at = 0;
  for (std::int64_t i = 0; i < rows; ++i) c.indptr[i] = at, at += counts[i];
  c.indptr[rows] = at;
  lease.chunks(std::int64_t(blocks.size()), 1, [&](int, std::int64_t b, std::int64_t) {
    auto& block = blocks[b];
    std::copy_n(block.indices.data(), block.size, c.indices.data() + starts[b]);
    std::copy_n(block.values.data(), block.size, c.values.data() + starts[b]);
    block.indices.release(), block.values.release();
  });
  return c;
}

template <class S, class Ring, class T, class Index>
MatrixResult<Index, S> matrix_product_in(Ring ring, const MatrixProblem<Index, T>& p, bool push, int threads,
                                         bool (*ask)()) {
  Lease lease(threads);
  Signals signals(ask);
  auto blocks = row_blocks<S>(p, push);
  Buffer<Index> counts(p.a.rows);
  const int team = blocks.size() > 1 ? lease.need() : 1;
  std::vector<std::unique_ptr<Accumulator<S>>> accumulators(team);
  std::vector<std::unique_ptr<Spread<Index>>> spreads(team);
  for (int id = 0; id < team; ++id)
    if (push) accumulators[id] = std::make_unique<Accumulator<S>>(p.cols);
    else spreads[id] = std::make_unique<Spread<Index>>(p.inner);
  std::atomic<bool> full{false};  // no memory is left: nothing may be thrown from a thread of the team
  lease.chunks(std::int64_t(blocks.size()), 1, [&](int id, std::int64_t b, std::int64_t) {
    if (signals.tick(id) || full.load(std::memory_order_relaxed)) return;
    try {
      blocks[b].begin();
    } catch (const std::bad_alloc&) {
      full.store(true, std::memory_order_relaxed);
      return;
    }
    if (push) push_rows(ring, p, *accumulators[id], blocks[b], counts.data());
    else pull_rows(ring, p, *spreads[id], blocks[b], counts.data());
    blocks[b].end();
  });
  signals.check();
  if (full) throw std::bad_alloc();
  return joined_rows(blocks, std::move(counts), p.a.rows, lease);
}

// S is the type that with_sum gives. A pull needs a mask that is not complemented.
template <class S, class T, class Index>
MatrixResult<Index, S> matrix_product(const Semiring& semiring, const MatrixProblem<Index, T>& p, bool push,
                                      int threads, bool (*ask)() = nullptr) {
  return with_ring(semiring, compiled_apart<S, T>(),
                   [&](auto ring) { return matrix_product_in<S>(ring, p, push, threads, ask); });
}

}  // namespace lagbfs
