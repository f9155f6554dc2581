// The transpose in two steps: entries go to ranges of columns, then within each range, which fits in the cache, to
// their places. Going there at once would write to as many places in memory as there are columns, in any order.
#pragma once

#include <algorithm>
#include <cstdint>
#include <utility>
#include <vector>

#include "build.hpp"
#include "graph.hpp"
#include "memory.hpp"
#include "recycle.hpp"
#include "signals.hpp"
#include "team.hpp"
#include "tuning.hpp"
#include "values.hpp"

namespace lagbfs {

// Matrices of so many entries are turned so, if what they are moved through takes no more than so many bytes.
constexpr std::int64_t kTurnedEntries = tuned(1 << 20, 100);
constexpr std::int64_t kTurnedBytes = tuned(1 << 28, 1 << 12);
constexpr std::int64_t kTurnedRanges = tuned(256, 4);

template <class Index>
struct Turning {
  Index row, column;
};

template <class Index>
bool turned_by_ranges(std::int64_t entries, std::int64_t cols, int width) {
  const std::int64_t bytes = entries * std::int64_t(sizeof(Turning<Index>) + width);
  return entries >= kTurnedEntries && bytes <= kTurnedBytes && cols > kTurnedRanges;
}

// Entries on their way: those of a range of columns side by side, by row.
template <class Index, class Offset>
class ByRange {
 public:
  ByRange(const Csr<Index, Offset>& csr, std::int64_t cols, const void* values, int width, Lease& lease)
      : csr_(csr),
        cols_(cols),
        blocks_(std::min<std::int64_t>(kTransposeBlocks, lease.need())),
        from_(values),
        width_(width),
        at_(blocks_ * kTurnedRanges),
        starts_(kTurnedRanges + 1),
        moved_(csr.edges()),
        values_(csr.edges() * width) {
    while ((cols - 1) >> shift_ >= kTurnedRanges) ++shift_;
    for (int id = 0; id < lease.size(); ++id) counts_.emplace_back(std::size_t{1} << shift_);
  }

  void collect(Lease& lease, Signals& signals) {
    std::fill(at_.begin(), at_.end(), Offset(0));
    each(lease, signals, [&](Offset* own, std::int64_t, std::int64_t e) { ++own[csr_.indices[e] >> shift_]; });
    place_blocks(at_.data(), blocks_, kTurnedRanges, starts_.data());
    each(lease, signals, [&](Offset* own, std::int64_t row, std::int64_t e) {
      const Index column = csr_.indices[e];
      const Offset to = own[column >> shift_]++;
      moved_[to] = {Index(row), column};
      move_value(width_, values_.data(), to, from_, e);
    });
  }

  void place(Built<Index, Offset>& b, Lease& lease, Signals& signals) {
    lease.chunks(kTurnedRanges, 1, [&](int id, std::int64_t range, std::int64_t) {
      if (!signals.tick(id)) place_range(b, range, counts_[id].data());
    });
    signals.check();
    b.indptr[cols_] = Offset(csr_.edges());
  }

 private:
  // f(at, row, e) for each entry, where `at` has a place for each range.
  template <class F>
  void each(Lease& lease, Signals& signals, F&& f) {
    lease.chunks(blocks_, 1, [&](int id, std::int64_t block, std::int64_t) {
      for (std::int64_t r = first_row(block), end = first_row(block + 1); r < end; ++r) {
        if (r % kAskRows == 0 && signals.tick(id)) return;
        for (std::int64_t e = csr_.indptr[r]; e < std::int64_t(csr_.indptr[r + 1]); ++e)
          f(at_.data() + block * kTurnedRanges, r, e);
      }
    });
    signals.check();
  }

  std::int64_t first_row(std::int64_t block) const {
    if (block == blocks_) return csr_.rows;
    const Offset first = Offset(csr_.edges() / blocks_ * block);
    return std::lower_bound(csr_.indptr, csr_.indptr + csr_.rows, first) - csr_.indptr;
  }

  // `at` has room for a number of each column of the range.
  void place_range(Built<Index, Offset>& b, std::int64_t range, Offset* at) {
    const std::int64_t first = range << shift_, size = std::min(cols_, (range + 1) << shift_) - first;
    std::fill_n(at, std::max<std::int64_t>(size, 0), Offset(0));
    for (Offset e = starts_[range]; e < starts_[range + 1]; ++e) ++at[moved_[e].column - first];
    Offset sum = starts_[range];
    for (std::int64_t c = 0; c < size; ++c) b.indptr[first + c] = sum, sum += std::exchange(at[c], sum);
    for (Offset e = starts_[range]; e < starts_[range + 1]; ++e) {
      const Offset to = at[moved_[e].column - first]++;
      b.indices[to] = moved_[e].row;
      move_value(width_, b.values.data(), to, values_.data(), e);
    }
  }

  const Csr<Index, Offset> csr_;
  const std::int64_t cols_, blocks_;
  const void* const from_;
  const int width_;
  int shift_ = 0;
  Buffer<Offset> at_, starts_;
  std::vector<Buffer<Offset>> counts_;  // of each thread
  Recycled<Turning<Index>> moved_;
  Recycled<char> values_;
};

// AT = A', with `width` bytes of value an entry; 0: none.
template <class Index, class Offset>
Built<Index, Offset> transpose(const Csr<Index, Offset>& csr, std::int64_t cols, const void* values, int width,
                               int threads, bool (*ask)() = nullptr) {
  Lease lease(threads);
  Signals signals(ask);
  Built<Index, Offset> b;
  b.nnz = csr.edges();
  b.indptr = Buffer<Offset>(cols + 1);
  b.indices = Recycled<Index>(b.nnz);
  if (width) b.values = Recycled<char>(b.nnz * width);
  if (turned_by_ranges<Index>(b.nnz, cols, width)) {
    ByRange<Index, Offset> entries(csr, cols, values, width, lease);
    entries.collect(lease, signals);
    entries.place(b, lease, signals);
    return b;
  }
  Turned<Index, Offset> turned(csr, cols, lease);
  turned.place(b.indptr.data());
  signals.tick(0), signals.check();
  turned.each(lease, signals, [&](Offset to, std::int64_t r, std::int64_t e) {
    b.indices[to] = Index(r);
    move_value(width, b.values.data(), to, values, e);
  });
  return b;
}

}  // namespace lagbfs
