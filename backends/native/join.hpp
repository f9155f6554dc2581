// Blocks of rows that are computed in any order and by any thread, put side by side in theirs.
//
// Where a block goes is known once all before it are done: it is copied from where it was computed, memory that is in
// the cache and is used again. A block that is done too soon waits, for whoever completes the one before it.
#pragma once

#include <algorithm>
#include <cstdint>
#include <mutex>
#include <optional>
#include <utility>
#include <vector>

#include "memory.hpp"
#include "recycle.hpp"

namespace lagbfs {

// Rows [first, last), which have at most `bound` entries.
struct RowRange {
  std::int64_t first, last, bound;
};

inline std::int64_t bound_of(const std::vector<RowRange>& ranges) {
  std::int64_t bound = 0;
  for (const RowRange& range : ranges) bound += range.bound;
  return bound;
}

// The result would take so many bytes.
struct TooLarge {
  std::int64_t bytes;
};

// One range of rows while it is computed.
template <class Index, class S>
struct RowBlock {
  std::int64_t first = 0, last = 0, size = 0;
  Buffer<Index> indices;
  Buffer<S> values;

  void add(Index j, S sum) { indices[size] = j, values[size++] = sum; }

  // Removes the columns of an ascending list from what was added from entry `from` on.
  void drop(std::int64_t from, const Index* forbidden, const Index* end) {
    std::int64_t kept = from;
    for (std::int64_t at = from; at < size; ++at) {
      while (forbidden != end && *forbidden < indices[at]) ++forbidden;
      indices[kept] = indices[at], values[kept] = values[at];
      kept += forbidden == end || *forbidden != indices[at];
    }
    size = kept;
  }
};

template <class Index, class S>
struct MatrixResult {
  Buffer<std::int64_t> indptr;
  Recycled<Index> indices;
  Recycled<S> values;
};

template <class Index, class S>
class Joined {
 public:
  explicit Joined(const std::vector<RowRange>& ranges)
      : ranges_(ranges), waiting_(ranges.size()), indices_(bound_of(ranges)), values_(indices_.size()) {
    for (const RowRange& range : ranges) most_ = std::max(most_, range.bound);
    spare_.reserve(ranges.size());
  }

  // What to compute range b in.
  RowBlock<Index, S> begin(std::int64_t b) {
    RowBlock<Index, S> block = take_spare();
    if (!block.indices) block.indices = Buffer<Index>(most_), block.values = Buffer<S>(most_);
    block.first = ranges_[b].first, block.last = ranges_[b].last, block.size = 0;
    return block;
  }

  // Range b is computed.
  void end(std::int64_t b, RowBlock<Index, S> block) {
    {
      std::lock_guard<std::mutex> lock(mutex_);
      waiting_[b] = std::move(block);
    }
    for (;;) {
      RowBlock<Index, S> next;
      std::int64_t to = 0;
      {
        std::lock_guard<std::mutex> lock(mutex_);
        if (next_ == std::int64_t(waiting_.size()) || !waiting_[next_]) return;
        next = std::move(*waiting_[next_]), waiting_[next_++].reset();
        to = size_, size_ += next.size;
      }
      std::copy_n(next.indices.data(), next.size, indices_.data() + to);
      std::copy_n(next.values.data(), next.size, values_.data() + to);
      std::lock_guard<std::mutex> lock(mutex_);
      spare_.push_back(std::move(next));
    }
  }

  // Everything, once all ranges are computed; counts[i] is the number of entries of row i.
  MatrixResult<Index, S> result(const Buffer<Index>& counts, std::int64_t rows) {
    MatrixResult<Index, S> c{Buffer<std::int64_t>(rows + 1)};
    std::int64_t at = 0;
    for (std::int64_t i = 0; i < rows; ++i) c.indptr[i] = at, at += counts[i];
    c.indptr[rows] = at;
    indices_.shrink(size_), values_.shrink(size_);
    c.indices = std::move(indices_), c.values = std::move(values_);
    return c;
  }

 private:
  RowBlock<Index, S> take_spare() {
    std::lock_guard<std::mutex> lock(mutex_);
    if (spare_.empty()) return {};
    RowBlock<Index, S> block = std::move(spare_.back());
    spare_.pop_back();
    return block;
  }

  const std::vector<RowRange>& ranges_;
  std::mutex mutex_;
  std::vector<std::optional<RowBlock<Index, S>>> waiting_;
  std::vector<RowBlock<Index, S>> spare_;
  std::int64_t next_ = 0, size_ = 0, most_ = 0;
  Recycled<Index> indices_;
  Recycled<S> values_;
};

}  // namespace lagbfs
