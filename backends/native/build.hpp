// Construction: edges to CSR, by parallel counting sort, and where entries go in a transpose (turn.hpp).
//
// Results have rows sorted by column. Values follow their entries, moved by their width in bytes; those of duplicates
// are folded into one in the order of the input, which sorting keeps, or the first is taken.
// With symmetrize input k stands for (src, dst) and, unless a loop, (dst, src): both have value k.
#pragma once

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <limits>
#include <stdexcept>
#include <type_traits>
#include <utility>
#include <vector>

#include "fold.hpp"
#include "graph.hpp"
#include "memory.hpp"
#include "recycle.hpp"
#include "signals.hpp"
#include "team.hpp"
#include "tuning.hpp"
#include "values.hpp"

namespace lagbfs {

// Values to carry along, `width` bytes each; 0: none. `fold`, if any, makes one of duplicates.
struct Carried {
  const void* values = nullptr;
  int width = 0;
  FoldRun fold = nullptr;
};

template <class Index, class Offset>
struct Built {
  Buffer<Offset> indptr;
  Recycled<Index> indices;
  Recycled<char> values;
  std::int64_t nnz = 0;
};

template <class In>
struct EdgeList {
  const In* src;
  const In* dst;
  std::int64_t size, rows, cols;
  bool symmetrize, drop_loops;

  // f(row, column) for each entry that edge k stands for.
  template <class F>
  void expand(std::int64_t k, F&& f) const {
    const In u = src[k], v = dst[k];
    if (u == v && drop_loops) return;
    f(u, v);
    if (symmetrize && u != v) f(v, u);
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

// Where things that are counted apart, in consecutive blocks, go by key: at[block][key], first their number, then the
// place of the first. `starts` has the places of the keys, and the end.
template <class Offset>
void place_blocks(Offset* at, std::int64_t blocks, std::int64_t keys, Offset* starts) {
  Offset sum = 0;
  for (std::int64_t key = 0; key < keys; ++key) {
    starts[key] = sum;
    for (std::int64_t block = 0; block < blocks; ++block) sum += std::exchange(at[block * keys + key], sum);
  }
  starts[keys] = sum;
}

// The end of one of so many blocks of `size` things.
inline std::int64_t last(std::int64_t size, std::int64_t blocks, std::int64_t block) {
  return block + 1 == blocks ? size : size / blocks * (block + 1);
}

// The entries by row, within a row in the order of the edges. Threads take consecutive blocks of edges and count rows
// apart; one takes all where there are so many rows that counting them would take longer than the edges.
template <class Index, class Offset, class In>
void scatter(const EdgeList<In>& edges, const Carried& carried, Lease& lease, Signals& signals,
             Built<Index, Offset>& b) {
  const std::int64_t worth = std::min<std::int64_t>(kTransposeBlocks, edges.size / (2 * edges.rows + kBuildEdges) + 1);
  const std::int64_t blocks = worth > 1 ? std::min<std::int64_t>(worth, lease.need()) : 1;
  Buffer<Offset> at(blocks * edges.rows);
  const auto each = [&](auto&& f) {
    lease.chunks(blocks, 1, [&](int id, std::int64_t block, std::int64_t) {
      Offset* const own = at.data() + block * edges.rows;
      for (std::int64_t k = edges.size / blocks * block, end = last(edges.size, blocks, block); k < end; ++k) {
        if (k % kBuildEdges == 0 && signals.tick(id)) return;
        f(own, k);
      }
    });
    signals.check();
  };
  std::fill(at.begin(), at.end(), Offset(0));
  each([&](Offset* own, std::int64_t k) { edges.expand(k, [&](In u, In) { ++own[u]; }); });
  b.indptr = Buffer<Offset>(edges.rows + 1);
  place_blocks(at.data(), blocks, edges.rows, b.indptr.data());
  b.nnz = std::int64_t(b.indptr[edges.rows]);
  b.indices = Recycled<Index>(b.nnz);
  if (carried.width) b.values = Recycled<char>(b.nnz * carried.width);
  each([&](Offset* own, std::int64_t k) {
    edges.expand(k, [&](In u, In v) {
      const Offset to = own[u]++;
      b.indices[to] = Index(v);
      move_value(carried.width, b.values.data(), to, carried.values, k);
    });
  });
}

// A column and a place in its row as one number, to be sorted by.
template <class Index>
using Key = std::conditional_t<sizeof(Index) == 4, std::uint64_t, unsigned __int128>;

// What the rows of a block are sorted in.
template <class Index>
struct RowScratch {
  std::vector<Key<Index>> keys;
  std::vector<char> values;
};

// Sorts one row by column, its values with it, equal columns as they stand.
template <class Index>
void sort_row(Index* row, char* values, int width, std::int64_t size, RowScratch<Index>& scratch) {
  constexpr int kHalf = 8 * sizeof(Index);
  if (!width) return std::sort(row, row + size);
  if (std::is_sorted(row, row + size)) return;
  scratch.keys.resize(size);
  scratch.values.assign(values, values + size * width);
  for (std::int64_t i = 0; i < size; ++i) scratch.keys[i] = Key<Index>(row[i]) << kHalf | Key<Index>(i);
  std::sort(scratch.keys.begin(), scratch.keys.end());
  for (std::int64_t i = 0; i < size; ++i) {
    row[i] = Index(scratch.keys[i] >> kHalf);
    move_value(width, values, i, scratch.values.data(), std::int64_t(std::make_unsigned_t<Index>(scratch.keys[i])));
  }
}

// Makes one of equal columns of a sorted row. Returns its new length.
template <class Index>
std::int64_t merge_duplicates(Index* row, char* values, const Carried& carried, std::int64_t size) {
  std::int64_t kept = 0;
  for (std::int64_t i = 0, end; i < size; i = end) {
    for (end = i + 1; end < size && row[end] == row[i];) ++end;
    row[kept] = row[i];
    if (end - i > 1 && carried.fold) carried.fold(values, kept, i, end - i);
    else move_value(carried.width, values, kept, values, i);
    ++kept;
  }
  return kept;
}

// Moves the rows, row r being `lengths[r]` long, together; indptr follows.
template <class Index, class Offset>
void close_gaps(Built<Index, Offset>& b, std::int64_t rows, int width, const Buffer<Index>& lengths) {
  Offset end = 0;
  for (std::int64_t r = 0; r < rows; ++r) {
    const Offset from = b.indptr[r];
    b.indptr[r] = end;
    if (from != end) {
      std::copy_n(b.indices.data() + from, lengths[r], b.indices.data() + end);
      move_values(width, b.values.data(), end, b.values.data(), from, lengths[r]);
    }
    end += Offset(lengths[r]);
  }
  b.indptr[rows] = end;
  b.nnz = std::int64_t(end);
  b.indices.shrink(b.nnz);
  if (width) b.values.shrink(b.nnz * width);
}

template <class Index, class Offset, class In>
Built<Index, Offset> build_csr(const EdgeList<In>& edges, bool dedup, const Carried& carried, int threads,
                               bool (*ask)() = nullptr) {
  Lease lease(threads);
  Signals signals(ask);
  Built<Index, Offset> b;
  edges.check(lease);
  scatter(edges, carried, lease, signals, b);
  Buffer<Index> lengths(dedup ? edges.rows : 0);
  lease.chunks(edges.rows, kBuildRows, [&](int id, std::int64_t begin, std::int64_t end) {
    if (signals.tick(id)) return;
    RowScratch<Index> scratch;
    for (std::int64_t r = begin; r < end; ++r) {
      const std::int64_t from = b.indptr[r], size = b.indptr[r + 1] - from;
      Index* const row = b.indices.data() + from;
      char* const values = carried.width ? b.values.data() + from * carried.width : nullptr;
      sort_row(row, values, carried.width, size, scratch);
      if (dedup) lengths[r] = Index(merge_duplicates(row, values, carried, size));
    }
  });
  signals.check();
  if (dedup) close_gaps(b, edges.rows, carried.width, lengths);
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
  void place(Offset* indptr) { place_blocks(at_.data(), blocks_, cols_, indptr); }

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

}  // namespace lagbfs
