// Two matrices of the same shape, entry by entry: what both have between them, and where it was.
#pragma once

#include <algorithm>
#include <cstdint>

#include "graph.hpp"
#include "memory.hpp"
#include "signals.hpp"
#include "team.hpp"
#include "tuning.hpp"

namespace lagbfs {

// Calls f(column, entry of a or -1, entry of b or -1) for every column that row i of either has, ascending.
template <class Index, class F>
inline void unite_row(const Csr<Index>& a, const Csr<Index>& b, std::int64_t i, F&& f) {
  Index e = a.indptr[i], g = b.indptr[i];
  const Index a_end = a.indptr[i + 1], b_end = b.indptr[i + 1];
  while (e < a_end && g < b_end) {
    const Index j = a.indices[e], k = b.indices[g];
    f(std::min(j, k), j <= k ? e : Index(-1), k <= j ? g : Index(-1));
    e += j <= k, g += k <= j;
  }
  for (; e < a_end; ++e) f(a.indices[e], e, Index(-1));
  for (; g < b_end; ++g) f(b.indices[g], Index(-1), g);
}

template <class Index>
struct United {
  Buffer<Index> indptr, indices, a_at, b_at;
};

template <class Index>
United<Index> unite(const Csr<Index>& a, const Csr<Index>& b, int threads, bool (*ask)() = nullptr) {
  Lease lease(threads);
  Signals signals(ask);
  const std::int64_t rows = a.rows,
                     chunk = a.edges() + b.edges() < kMergeAlone ? std::max<std::int64_t>(rows, 1) : kMergeRows;
  United<Index> u{Buffer<Index>(rows + 1)};
  u.indptr[0] = 0;
  lease.chunks(rows, chunk, [&](int id, std::int64_t begin, std::int64_t end) {
    if (signals.tick(id)) return;
    for (std::int64_t i = begin; i < end; ++i) {
      Index count = 0;
      unite_row(a, b, i, [&](Index, Index, Index) { ++count; });
      u.indptr[i + 1] = count;
    }
  });
  signals.check();
  for (std::int64_t i = 0; i < rows; ++i) u.indptr[i + 1] += u.indptr[i];
  const std::size_t size = std::size_t(u.indptr[rows]);
  u.indices = Buffer<Index>(size), u.a_at = Buffer<Index>(size), u.b_at = Buffer<Index>(size);
  lease.chunks(rows, chunk, [&](int id, std::int64_t begin, std::int64_t end) {
    if (signals.tick(id)) return;
    Index at = u.indptr[begin];
    for (std::int64_t i = begin; i < end; ++i)
      unite_row(a, b, i, [&](Index j, Index e, Index g) { u.indices[at] = j, u.a_at[at] = e, u.b_at[at++] = g; });
  });
  signals.check();
  return u;
}

// For each entry of a, which one of b has its position, -1 if none.
template <class Index>
Buffer<Index> locate(const Csr<Index>& a, const Csr<Index>& b, int threads, bool (*ask)() = nullptr) {
  Lease lease(threads);
  Signals signals(ask);
  const std::int64_t chunk = a.edges() + b.edges() < kMergeAlone ? std::max<std::int64_t>(a.rows, 1) : kMergeRows;
  Buffer<Index> at(a.edges());
  lease.chunks(a.rows, chunk, [&](int id, std::int64_t begin, std::int64_t end) {
    if (signals.tick(id)) return;
    for (std::int64_t i = begin; i < end; ++i)
      unite_row(a, b, i, [&](Index, Index e, Index g) {
        if (e >= 0) at[e] = g;
      });
  });
  signals.check();
  return at;
}

}  // namespace lagbfs
