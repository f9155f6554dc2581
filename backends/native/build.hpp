// Construction: edges to CSR, and the transpose, by parallel counting sort.
//
// Results have rows sorted by column. `positions`, where asked for, says for each stored entry which
// input entry it came from (of duplicates that are merged, the first), so that values can follow.
// With symmetrize input k stands for (src, dst) and, unless a loop, (dst, src): both have position k.
#pragma once

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <limits>
#include <stdexcept>
#include <vector>

#include "graph.hpp"
#include "memory.hpp"
#include "signals.hpp"
#include "team.hpp"
#include "tuning.hpp"

namespace lagbfs {

template <class Index, class Offset>
struct Built {
  Buffer<Offset> indptr;
  Buffer<Index> indices;
  Buffer<std::int64_t> positions;
  std::int64_t nnz = 0;
};

template <class In>
struct EdgeList {
  const In* src;
  const In* dst;
  std::int64_t size, rows, cols;
  bool symmetrize, drop_loops;

  // f(row, column, k) for each entry that edge k stands for.
  template <class F>
  void expand(std::int64_t k, F&& f) const {
    const In u = src[k], v = dst[k];
    if (u == v && drop_loops) return;
    f(u, v, k);
    if (symmetrize && u != v) f(v, u, k);
  }

  void check(Lease& lease) const {
    std::atomic<bool> bad{false};
    lease.chunks(size, kCheckEdges, [&](int, std::int64_t begin, std::int64_t end) {
      bool any = false;
      for (std::int64_t k = begin; k < end; ++k) any |= src[k] < 0 || src[k] >= rows || dst[k] < 0 || dst[k] >= cols;
      if (any) bad.store(true, std::memory_order_relaxed);
    });
    if (bad.load()) throw std::invalid_argument("an edge's end is out of range");
    if (symmetrize && rows != cols) throw std::invalid_argument("only a square matrix can be symmetrised");
  }
};

// counts[r] becomes the sum of the counts before r.
template <class Offset>
void exclusive_sum(Offset* counts, std::int64_t size) {
  Offset sum = 0;
  for (std::int64_t r = 0; r < size; ++r) {
    const Offset c = counts[r];
    counts[r] = sum;
    sum += c;
  }
}

// The entries by row, in any order within a row. indptr[r] ends as the end of row r - 1, that is, right.
template <class Index, class Offset, class In>
void scatter(const EdgeList<In>& edges, bool positions, Lease& lease, Signals& signals, Built<Index, Offset>& b) {
  b.indptr = Buffer<Offset>(edges.rows + 2);
  std::fill(b.indptr.begin(), b.indptr.end(), Offset(0));
  Offset* const at = b.indptr.data() + 1;
  lease.chunks(edges.size, kBuildEdges, [&](int id, std::int64_t begin, std::int64_t end) {
    if (signals.tick(id)) return;
    for (std::int64_t k = begin; k < end; ++k)
      edges.expand(k, [&](In u, In, std::int64_t) { fetch_add(at + u, Offset(1)); });
  });
  signals.check();
  exclusive_sum(at, edges.rows + 1);
  b.nnz = std::int64_t(at[edges.rows]);
  b.indices = Buffer<Index>(b.nnz);
  if (positions) b.positions = Buffer<std::int64_t>(b.nnz);
  lease.chunks(edges.size, kBuildEdges, [&](int id, std::int64_t begin, std::int64_t end) {
    if (signals.tick(id)) return;
    for (std::int64_t k = begin; k < end; ++k)
      edges.expand(k, [&](In u, In v, std::int64_t from) {
        const Offset to = fetch_add(at + u, Offset(1));
        b.indices[to] = Index(v);
        if (positions) b.positions[to] = from;
      });
  });
  signals.check();
}

// Sorts one row by column (and position) and, with dedup, merges equal columns. Returns its new length.
template <class Index>
std::int64_t order_row(Index* row, std::int64_t* positions, std::int64_t size, bool dedup,
                       std::vector<std::pair<Index, std::int64_t>>& scratch) {
  if (!positions) {
    std::sort(row, row + size);
    return dedup ? std::unique(row, row + size) - row : size;
  }
  scratch.resize(size);
  for (std::int64_t i = 0; i < size; ++i) scratch[i] = {row[i], positions[i]};
  std::sort(scratch.begin(), scratch.end());
  std::int64_t kept = 0;
  for (std::int64_t i = 0; i < size; ++i) {
    if (dedup && kept && row[kept - 1] == scratch[i].first) continue;
    row[kept] = scratch[i].first, positions[kept++] = scratch[i].second;
  }
  return kept;
}

// Moves the rows, row r being `lengths[r]` long, together; indptr follows.
template <class Index, class Offset>
void close_gaps(Built<Index, Offset>& b, std::int64_t rows, const Buffer<Index>& lengths) {
  Offset end = 0;
  for (std::int64_t r = 0; r < rows; ++r) {
    const Offset from = b.indptr[r];
    b.indptr[r] = end;
    if (from != end) {
      std::copy_n(b.indices.data() + from, lengths[r], b.indices.data() + end);
      if (b.positions) std::copy_n(b.positions.data() + from, lengths[r], b.positions.data() + end);
    }
    end += Offset(lengths[r]);
  }
  b.indptr[rows] = end;
  b.nnz = std::int64_t(end);
  b.indices.trim(b.nnz);
  if (b.positions) b.positions.trim(b.nnz);
}

template <class Index, class Offset, class In>
Built<Index, Offset> build_csr(const EdgeList<In>& edges, bool dedup, bool positions, int threads,
                               bool (*ask)() = nullptr) {
  Lease lease(threads);
  Signals signals(ask);
  Built<Index, Offset> b;
  edges.check(lease);
  scatter(edges, positions, lease, signals, b);
  Buffer<Index> lengths(dedup ? edges.rows : 0);
  lease.chunks(edges.rows, kBuildRows, [&](int id, std::int64_t begin, std::int64_t end) {
    if (signals.tick(id)) return;
    std::vector<std::pair<Index, std::int64_t>> scratch;
    for (std::int64_t r = begin; r < end; ++r) {
      const Offset from = b.indptr[r], size = b.indptr[r + 1] - from;
      std::int64_t* at = b.positions ? b.positions.data() + from : nullptr;
      const std::int64_t kept = order_row(b.indices.data() + from, at, size, dedup, scratch);
      if (dedup) lengths[r] = Index(kept);
    }
  });
  signals.check();
  if (dedup) close_gaps(b, edges.rows, lengths);
  return b;
}

// Where the entries of a matrix go in its transpose. Threads take consecutive blocks of rows and count columns apart,
// so that every column receives its entries in row order: results are sorted without sorting.
template <class Index, class Offset>
class Turned {
 public:
  Turned(const Csr<Index, Offset>& csr, std::int64_t cols, Lease& lease)
      : csr_(csr),
        cols_(cols),
        blocks_(csr.edges() < kAloneTranspose ? 1 : std::min<std::int64_t>(kTransposeBlocks, lease.need())),
        at_(blocks_ * cols) {
    lease.chunks(blocks_, 1, [&](int, std::int64_t block, std::int64_t) {
      Offset* const count = at_.data() + block * cols_;
      std::fill(count, count + cols_, Offset(0));
      const std::int64_t last = csr_.indptr[first_row(block + 1)];
      for (std::int64_t e = csr_.indptr[first_row(block)]; e < last; ++e) ++count[csr_.indices[e]];
    });
  }

  // Writes where the rows of the transpose start; once, and before `each`.
  void place(Offset* indptr) {
    Offset sum = 0;
    for (std::int64_t c = 0; c < cols_; ++c) {
      indptr[c] = sum;
      for (std::int64_t block = 0; block < blocks_; ++block) sum += std::exchange(at_[block * cols_ + c], sum);
    }
    indptr[cols_] = sum;
  }

  // f(to, r, e): entry e, of row r, goes to `to`.
  template <class F>
  void each(Lease& lease, Signals& signals, F&& f) {
    lease.chunks(blocks_, 1, [&](int id, std::int64_t block, std::int64_t) {
      Offset* const at = at_.data() + block * cols_;
      for (std::int64_t r = first_row(block), end = first_row(block + 1); r < end; ++r) {
        if (r % kAskRows == 0 && signals.tick(id)) return;
        for (std::int64_t e = csr_.indptr[r]; e < csr_.indptr[r + 1]; ++e) f(at[csr_.indices[e]]++, r, e);
      }
    });
    signals.check();
  }

 private:
  std::int64_t first_row(std::int64_t block) const {
    if (block == blocks_) return csr_.rows;
    const Offset first = Offset(csr_.edges() / blocks_ * block);
    return std::lower_bound(csr_.indptr, csr_.indptr + csr_.rows, first) - csr_.indptr;
  }

  const Csr<Index, Offset> csr_;
  const std::int64_t cols_, blocks_;
  Buffer<Offset> at_;  // by block and column: how many entries, then where the next goes
};

// AT = A'.
template <class Index, class Offset>
Built<Index, Offset> transpose(const Csr<Index, Offset>& csr, std::int64_t cols, bool positions, int threads,
                               bool (*ask)() = nullptr) {
  Lease lease(threads);
  Signals signals(ask);
  Built<Index, Offset> b;
  b.nnz = csr.edges();
  b.indptr = Buffer<Offset>(cols + 1);
  b.indices = Buffer<Index>(b.nnz);
  if (positions) b.positions = Buffer<std::int64_t>(b.nnz);
  Turned<Index, Offset> turned(csr, cols, lease);
  turned.place(b.indptr.data());
  signals.tick(0), signals.check();
  turned.each(lease, signals, [&](Offset to, std::int64_t r, std::int64_t e) {
    b.indices[to] = Index(r);
    if (positions) b.positions[to] = e;
  });
  return b;
}

}  // namespace lagbfs
