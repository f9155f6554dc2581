// The masked product of a sparse matrix and a vector over a semiring:
//
//   push   y⟨mask⟩[j] = ⊕ over k with x[k]:  x[k] ⊗ M[k, j]      rows of M are the summed-over k
//   pull   y⟨mask⟩[i] = ⊕ over k with x[k]:  x[k] ⊗ M[i, k]      rows of M are the results
//
// The kernels take ⊕ and ⊗ as `ring`, one of semiring.hpp's pairs: the compiler folds away what it knows of it.
// Terms are added in ascending k (in push: in the order of x's indices), whatever the number of threads:
// threads own ranges of the result. Values of an iso matrix or vector are one value, read with stride 0.
#pragma once

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <utility>
#include <vector>

#include "graph.hpp"
#include "memory.hpp"
#include "semiring.hpp"
#include "signals.hpp"
#include "team.hpp"
#include "tuning.hpp"

namespace lagbfs {

// stride is 0 or 1. By default one value, for operators that do not read it.
template <class T>
struct Values {
  static constexpr T kUnread{};
  const T* values = &kUnread;
  std::int64_t stride = 0;
  T operator[](std::int64_t i) const { return values[i * stride]; }
};

// A byte for each position, or a list of some, ascending, not null where it is empty; neither: all.
struct Mask {
  const std::uint8_t* bytes = nullptr;
  bool complement = false;
  const std::int64_t* list = nullptr;
  std::int64_t size = 0;

  bool allows(std::int64_t i) const {
    if (bytes) return bool(bytes[i]) != complement;
    return !list || std::binary_search(list, list + size, i) != complement;
  }
};

// x as indices with values[position], or as present bytes (null: full) with values[index].
template <class T>
struct Operand {
  const std::int64_t* indices = nullptr;
  std::int64_t size = 0;
  const std::uint8_t* present = nullptr;
  Values<T> values;
};

template <class Index, class Offset, class T>
struct Problem {
  Csr<Index, Offset> matrix;
  std::int64_t cols;
  Values<T> entries;
  Operand<T> x;
  Mask mask;
};

// The result, dense: present[i] says whether values[i] means anything (else it is 0).
template <class S>
struct Dense {
  explicit Dense(std::int64_t n) : present(n), values(n) {
    std::memset(present.data(), 0, n);
    std::memset(static_cast<void*>(values.data()), 0, n * sizeof(S));
  }
  Buffer<std::uint8_t> present;
  Buffer<S> values;
};

// The result, sparse: indices ascending.
template <class S>
struct Sparse {
  Buffer<std::int64_t> indices;
  Buffer<S> values;
  std::int64_t size = 0;
};

template <class S, class Ring, class T, class Index, class Offset>
inline void pull_row(Ring ring, const Problem<Index, Offset, T>& p, std::int64_t i, Dense<S>& y) {
  const Index* const k = p.matrix.indices;
  const std::int64_t end = p.matrix.indptr[i + 1];
  const auto absent = [&](std::int64_t e) { return p.x.present && !p.x.present[k[e]]; };
  const auto at = [&](std::int64_t e) { return term_in<S>(ring, p.x.values[k[e]], p.entries[e], k[e]); };
  std::int64_t e = p.matrix.indptr[i];
  while (e < end && absent(e)) ++e;
  if (e >= end) return;
  S sum = at(e);
  for (++e; e < end && !settled(ring.add, sum); ++e)
    if (!absent(e)) sum = combine(ring.add, sum, at(e));
  y.present[i] = 1, y.values[i] = sum;
}

template <class S, class Ring, class T, class Index, class Offset>
Dense<S> pull_product(Ring ring, const Problem<Index, Offset, T>& p, Lease& lease, Signals& signals) {
  Dense<S> y(p.matrix.rows);
  const std::int64_t chunk = p.matrix.edges() < kAloneTerms ? p.matrix.rows : kProductRows;
  lease.chunks(p.matrix.rows, chunk, [&](int id, std::int64_t begin, std::int64_t end) {
    if (signals.tick(id)) return;
    for (std::int64_t i = begin; i < end; ++i)
      if (p.mask.allows(i)) pull_row(ring, p, i, y);
  });
  return y;
}

// Calls f(j, term) for every allowed term with j in [from, to).
template <class S, class Ring, class T, class Index, class Offset, class F>
void push_terms(Ring ring, const Problem<Index, Offset, T>& p, std::int64_t from, std::int64_t to, int id,
                Signals& signals, F&& f) {
  for (std::int64_t at = 0; at < p.x.size; ++at) {
    if (at % kAskRows == kAskRows - 1 && signals.tick(id)) return;
    const std::int64_t k = p.x.indices[at];
    const Index* e = p.matrix.begin(k);
    const Index* const end = p.matrix.end(k);
    if (from > 0) e = std::lower_bound(e, end, Index(from));
    for (; e != end && *e < to; ++e)
      if (p.mask.allows(*e)) f(*e, term_in<S>(ring, p.x.values[at], p.entries[e - p.matrix.indices], k));
  }
}

template <class S, class Ring, class T, class Index, class Offset>
Dense<S> push_product(Ring ring, const Problem<Index, Offset, T>& p, std::int64_t terms, Lease& lease,
                      Signals& signals) {
  Dense<S> y(p.cols);
  const std::int64_t ranges = terms < kAloneTerms ? 1 : lease.need();
  const std::int64_t width = p.cols / ranges + 1;
  lease.chunks(ranges, 1, [&](int id, std::int64_t range, std::int64_t) {
    push_terms<S>(ring, p, range * width, std::min((range + 1) * width, p.cols), id, signals, [&](Index j, S t) {
      y.values[j] = y.present[j] ? combine(ring.add, y.values[j], t) : t;
      y.present[j] = 1;
    });
  });
  return y;
}

template <class Index, class S>
using Terms = std::vector<std::pair<Index, S>>;

// By index, in the order of arrival. This and the two below are compiled once for all semirings.
template <class Index, class S>
[[gnu::noinline]] void sort_terms(Terms<Index, S>& terms) {
  std::stable_sort(terms.begin(), terms.end(), [](const auto& a, const auto& b) { return a.first < b.first; });
}

// For few terms: collected, sorted and added up, without touching all of y.
template <class S, class Ring, class T, class Index, class Offset>
Sparse<S> push_sparse(Ring ring, const Problem<Index, Offset, T>& p, std::int64_t most, Signals& signals) {
  Terms<Index, S> terms;
  terms.reserve(most);
  push_terms<S>(ring, p, 0, p.cols, 0, signals, [&](Index j, S t) { terms.emplace_back(j, t); });
  sort_terms(terms);
  Sparse<S> y{Buffer<std::int64_t>(terms.size()), Buffer<S>(terms.size())};
  for (const auto& [j, t] : terms) {
    if (y.size && y.indices[y.size - 1] == j) {
      S& sum = y.values[y.size - 1];
      sum = combine(ring.add, sum, t);
    } else {
      y.indices[y.size] = j, y.values[y.size++] = t;
    }
  }
  return y;
}

template <class S>
[[gnu::noinline]] std::int64_t count(const Dense<S>& y) {
  std::int64_t size = 0;
  for (std::size_t i = 0; i < y.present.size(); ++i) size += y.present[i];
  return size;
}

template <class S>
[[gnu::noinline]] Sparse<S> compress(const Dense<S>& y, std::int64_t size) {
  Sparse<S> out{Buffer<std::int64_t>(size), Buffer<S>(size)};
  for (std::int64_t i = 0; out.size < size; ++i)
    if (y.present[i]) out.indices[out.size] = i, out.values[out.size++] = y.values[i];
  return out;
}

template <class S>
[[gnu::noinline]] Dense<S> expand(const Sparse<S>& y, std::int64_t n) {
  Dense<S> out(n);
  for (std::int64_t i = 0; i < y.size; ++i) out.present[y.indices[i]] = 1, out.values[y.indices[i]] = y.values[i];
  return out;
}

// What the caller gets, of so many entries: one of the two forms, the other empty.
template <class S>
struct Product {
  Dense<S> dense{0};
  Sparse<S> sparse;
  std::int64_t size = 0;
  bool listed = false;
};

// A mask's list as bytes, for products that look at all positions.
class Spelled {
 public:
  Spelled(Mask& mask, std::int64_t n) {
    if (!mask.list) return;
    bytes_ = Buffer<std::uint8_t>(n);
    std::memset(bytes_.data(), 0, n);
    for (std::int64_t i = 0; i < mask.size; ++i) bytes_[mask.list[i]] = 1;
    mask.bytes = bytes_.data();
  }

 private:
  Buffer<std::uint8_t> bytes_;
};

// Results of at most `most` entries are listed.
template <class S, class Ring, class T, class Index, class Offset>
Product<S> product_in(Ring ring, Problem<Index, Offset, T> p, bool push, std::int64_t most, int threads,
                      bool (*ask)()) {
  Lease lease(threads);
  Signals signals(ask);
  Product<S> result;
  std::int64_t terms = 0;
  for (std::int64_t i = 0; push && i < p.x.size; ++i) terms += p.matrix.degree(p.x.indices[i]);
  if (push && terms < p.cols / kSortedShare) {
    result.sparse = push_sparse<S>(ring, p, terms, signals);
    result.size = result.sparse.size, result.listed = result.size <= most;
    if (!result.listed) result.dense = expand(result.sparse, p.cols);
  } else {
    const Spelled mask(p.mask, push ? p.cols : p.matrix.rows);
    result.dense = push ? push_product<S>(ring, p, terms, lease, signals) : pull_product<S>(ring, p, lease, signals);
    result.size = count(result.dense), result.listed = result.size <= most;
    if (result.listed) result.sparse = compress(result.dense, result.size);
  }
  signals.check();
  return result;
}

// S is the type that with_sum gives.
template <class S, class T, class Index, class Offset>
Product<S> product(const Semiring& semiring, const Problem<Index, Offset, T>& p, bool push, std::int64_t most,
                   int threads, bool (*ask)() = nullptr) {
  return with_ring(semiring, compiled_apart<S, T>(),
                   [&](auto ring) { return product_in<S>(ring, p, push, most, threads, ask); });
}

}  // namespace lagbfs
