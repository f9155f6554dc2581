// The masked product of a sparse matrix and a vector over a semiring:
//
//   push   y⟨mask⟩[j] = ⊕ over k with x[k]:  x[k] ⊗ M[k, j]      rows of M are the summed-over k
//   pull   y⟨mask⟩[i] = ⊕ over k with x[k]:  M[i, k] ⊗ x[k]      rows of M are the results
//
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

namespace lagbfs {

// values == null: no value is needed. stride is 0 or 1.
template <class T>
struct Values {
  const T* values = nullptr;
  std::int64_t stride = 1;
  T operator[](std::int64_t i) const { return values[i * stride]; }
};

struct Mask {
  const std::uint8_t* bytes = nullptr;
  bool complement = false;
  bool allows(std::int64_t i) const { return !bytes || bool(bytes[i]) != complement; }
};

// x as indices with values[position], or as present bytes (null: full) with values[index].
template <class Index, class T>
struct Operand {
  const Index* indices = nullptr;
  std::int64_t size = 0;
  const std::uint8_t* present = nullptr;
  Values<T> values;
};

template <class Index, class T>
struct Problem {
  Csr<Index> matrix;
  std::int64_t cols;
  Values<T> entries;
  Operand<Index, T> x;
  Mask mask;
};

// The result, dense: present[i] says whether values[i] means anything (else it is 0).
template <class T>
struct Dense {
  explicit Dense(std::int64_t n) : present(n), values(n) {
    std::memset(present.data(), 0, n);
    std::memset(static_cast<void*>(values.data()), 0, n * sizeof(T));
  }
  Buffer<std::uint8_t> present;
  Buffer<T> values;
};

// The result, sparse: indices ascending.
template <class Index, class T>
struct Sparse {
  Buffer<Index> indices;
  Buffer<T> values;
  std::int64_t size = 0;
};

template <Mul M, class T, class Index>
inline T term(const Problem<Index, T>& p, std::int64_t entry, std::int64_t at, std::int64_t k) {
  if constexpr (M == Mul::kOne) return one<T>();
  if constexpr (M == Mul::kK) return T(k);
  if constexpr (M == Mul::kX) return p.x.values[at];
  if constexpr (M == Mul::kA) return p.entries[entry];
  if constexpr (M == Mul::kTimes) return times(p.entries[entry], p.x.values[at]);
  if constexpr (M == Mul::kPlus) return plus(p.entries[entry], p.x.values[at]);
}

template <Add A, Mul M, class T, class Index>
inline void pull_row(const Problem<Index, T>& p, std::int64_t i, Dense<T>& y) {
  bool found = false;
  T sum{};
  for (std::int64_t e = p.matrix.indptr[i]; e < p.matrix.indptr[i + 1]; ++e) {
    const std::int64_t k = p.matrix.indices[e];
    if (p.x.present && !p.x.present[k]) continue;
    const T t = term<M>(p, e, k, k);
    sum = found ? combine<A>(sum, t) : t;
    found = true;
    if (settled<A>(sum)) break;
  }
  y.present[i] = found, y.values[i] = sum;
}

template <Add A, Mul M, class T, class Index>
Dense<T> pull_product(const Problem<Index, T>& p, Lease& lease, Signals& signals) {
  Dense<T> y(p.matrix.rows);
  const std::int64_t chunk = p.matrix.edges() < 50000 ? p.matrix.rows : 512;
  lease.chunks(p.matrix.rows, chunk, [&](int id, std::int64_t begin, std::int64_t end) {
    if (signals.tick(id)) return;
    for (std::int64_t i = begin; i < end; ++i)
      if (p.mask.allows(i)) pull_row<A, M>(p, i, y);
  });
  return y;
}

// Calls f(j, term) for every allowed term with j in [from, to).
template <Mul M, class T, class Index, class F>
void push_terms(const Problem<Index, T>& p, std::int64_t from, std::int64_t to, int id, Signals& signals,
                F&& f) {
  for (std::int64_t at = 0; at < p.x.size; ++at) {
    if (at % 4096 == 4095 && signals.tick(id)) return;
    const std::int64_t k = p.x.indices[at];
    const Index* e = p.matrix.begin(k);
    const Index* const end = p.matrix.end(k);
    if (from > 0) e = std::lower_bound(e, end, Index(from));
    for (; e != end && *e < to; ++e)
      if (p.mask.allows(*e)) f(*e, term<M>(p, e - p.matrix.indices, at, k));
  }
}

template <Add A, Mul M, class T, class Index>
Dense<T> push_product(const Problem<Index, T>& p, std::int64_t terms, Lease& lease, Signals& signals) {
  Dense<T> y(p.cols);
  const std::int64_t ranges = terms < 50000 ? 1 : lease.need();
  const std::int64_t width = p.cols / ranges + 1;
  lease.chunks(ranges, 1, [&](int id, std::int64_t range, std::int64_t) {
    push_terms<M>(p, range * width, std::min((range + 1) * width, p.cols), id, signals, [&](Index j, T t) {
      y.values[j] = y.present[j] ? combine<A>(y.values[j], t) : t;
      y.present[j] = 1;
    });
  });
  return y;
}

template <class Index, class T>
using Terms = std::vector<std::pair<Index, T>>;

// By index, in the order of arrival. Apart from the semirings: compiled once for all of them.
template <class Index, class T>
void sort_terms(Terms<Index, T>& terms) {
  std::stable_sort(terms.begin(), terms.end(), [](const auto& a, const auto& b) { return a.first < b.first; });
}

// For few terms: collected, sorted and added up, without touching all of y.
template <Add A, Mul M, class T, class Index>
Sparse<Index, T> push_sparse(const Problem<Index, T>& p, Signals& signals) {
  Terms<Index, T> terms;
  push_terms<M>(p, 0, p.cols, 0, signals, [&](Index j, T t) { terms.emplace_back(j, t); });
  sort_terms(terms);
  Sparse<Index, T> y{Buffer<Index>(terms.size()), Buffer<T>(terms.size())};
  for (const auto& [j, t] : terms) {
    if (y.size && y.indices[y.size - 1] == j) {
      T& sum = y.values[y.size - 1];
      sum = combine<A>(sum, t);
    } else {
      y.indices[y.size] = j, y.values[y.size++] = t;
    }
  }
  return y;
}

template <class Index, class T>
Sparse<Index, T> compress(const Dense<T>& y) {
  const std::int64_t n = std::int64_t(y.present.size());
  std::int64_t size = 0;
  for (std::int64_t i = 0; i < n; ++i) size += y.present[i];
  Sparse<Index, T> out{Buffer<Index>(size), Buffer<T>(size)};
  for (std::int64_t i = 0; i < n; ++i)
    if (y.present[i]) out.indices[out.size] = Index(i), out.values[out.size++] = y.values[i];
  return out;
}

template <class Index, class T>
Dense<T> expand(const Sparse<Index, T>& y, std::int64_t n) {
  Dense<T> out(n);
  for (std::int64_t i = 0; i < y.size; ++i) out.present[y.indices[i]] = 1, out.values[y.indices[i]] = y.values[i];
  return out;
}

// What the caller gets: one of the two forms, the other empty.
template <class Index, class T>
struct Product {
  Dense<T> dense{0};
  Sparse<Index, T> sparse;
};

template <Add A, Mul M, class T, class Index>
Product<Index, T> product_of(const Problem<Index, T>& p, bool push, bool sparse, int threads, bool (*ask)()) {
  Lease lease(threads);
  Signals signals(ask);
  Product<Index, T> result;
  std::int64_t terms = 0;
  for (std::int64_t i = 0; push && i < p.x.size; ++i) terms += p.matrix.degree(p.x.indices[i]);
  if (push && terms < p.cols / 16) {
    result.sparse = push_sparse<A, M>(p, signals);
    if (!sparse) result.dense = expand(result.sparse, p.cols);
  } else {
    result.dense = push ? push_product<A, M>(p, terms, lease, signals) : pull_product<A, M>(p, lease, signals);
    if (sparse) result.sparse = compress<Index>(result.dense);
  }
  signals.check();
  return result;
}

// The one instantiation that the semiring names. secondi exists over int64 only: its terms are indices.
template <class T, class Index>
Product<Index, T> product(const Semiring& s, const Problem<Index, T>& p, bool push, bool sparse, int threads,
                          bool (*ask)() = nullptr) {
  const auto run = [&](auto add, auto mul) {
    return product_of<decltype(add)::value, decltype(mul)::value>(p, push, sparse, threads, ask);
  };
  const auto with = [&](auto add) -> Product<Index, T> {
    using A = decltype(add);
    if constexpr (std::is_same_v<T, std::int64_t> && (A::value == Add::kAny || A::value == Add::kMin))
      if (s.mul == Mul::kK) return run(add, std::integral_constant<Mul, Mul::kK>{});
    if constexpr (A::value == Add::kAny || A::value == Add::kPlus)
      if (s.mul == Mul::kOne) return run(add, std::integral_constant<Mul, Mul::kOne>{});
    if constexpr (A::value != Add::kAny) {
      if (s.mul == Mul::kX) return run(add, std::integral_constant<Mul, Mul::kX>{});
      if (s.mul == Mul::kA) return run(add, std::integral_constant<Mul, Mul::kA>{});
    }
    if constexpr (A::value == Add::kPlus)
      if (s.mul == Mul::kTimes) return run(add, std::integral_constant<Mul, Mul::kTimes>{});
    if constexpr (A::value == Add::kMin)
      if (s.mul == Mul::kPlus) return run(add, std::integral_constant<Mul, Mul::kPlus>{});
    throw std::invalid_argument("the semiring does not exist over this type");
  };
  switch (s.add) {
    case Add::kAny: return with(std::integral_constant<Add, Add::kAny>{});
    case Add::kMin: return with(std::integral_constant<Add, Add::kMin>{});
    case Add::kMax: return with(std::integral_constant<Add, Add::kMax>{});
    default: return with(std::integral_constant<Add, Add::kPlus>{});
  }
}

}  // namespace lagbfs
