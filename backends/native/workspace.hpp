// Work buffers of one search, reused by the next on the same graph.
//
//   visited, front, next   bitmaps over the view's active labels; front and next, which change places, over a block's
//                          sources if these are more
//   queue                  frontiers one after the other; a vertex enters once; one entry is spare
//   scratch                the parents of queued vertices until they are settled, or else the list of the unvisited
//                          that pull:list keeps; made when first used
//   notes                  parents noted by push, -1 between levels; likewise
//   depths                 levels, as bytes (settle.hpp); likewise
//   given                  a block's frontier as a list; likewise
// The pool keeps at most kKept workspaces: more searches at once allocate and free their own. What a search that failed
// leaves in one nobody knows: it is not kept.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <exception>
#include <memory>
#include <mutex>
#include <utility>

#include "bitmap.hpp"
#include "recycle.hpp"

namespace lagbfs {

template <class Index>
struct Workspace {
  explicit Workspace(std::int64_t n, std::int64_t sources = 0)
      : visited(words_of(n)), front(words_of(std::max(n, sources))), next(front.size()), queue(n + 1) {}
  std::size_t bytes() const {
    return visited.bytes() + front.bytes() + next.bytes() + queue.bytes() + scratch.bytes() + notes.bytes() +
           given.bytes() + depths.bytes();
  }
  void reserve_scratch() {
    if (!scratch) scratch = Recycled<Index>(queue.size());
  }

  std::uint8_t* reserve_depths() {
    if (!depths) depths = Recycled<std::uint8_t>(queue.size());
    return depths.data();
  }

  Recycled<Word> visited, front, next;
  Recycled<Index> queue, scratch, notes, given;
  Recycled<std::uint8_t> depths;
};

template <class Index>
class Pool {
 public:
  using Item = std::unique_ptr<Workspace<Index>>;

  Item take(std::int64_t n, std::int64_t sources = 0) {
    {
      std::lock_guard<std::mutex> lock(mutex_);
      if (count_) return std::move(items_[--count_]);
    }
    return Item(new Workspace<Index>(n, sources));
  }

  void give(Item item) noexcept {
    std::lock_guard<std::mutex> lock(mutex_);
    if (count_ < kKept) items_[count_++] = std::move(item);
  }

  std::size_t bytes() {
    std::lock_guard<std::mutex> lock(mutex_);
    std::size_t sum = 0;
    for (std::size_t i = 0; i < count_; ++i) sum += items_[i]->bytes();
    return sum;
  }

 private:
  static constexpr std::size_t kKept = 2;
  std::mutex mutex_;
  std::array<Item, kKept> items_;
  std::size_t count_ = 0;
};

// A workspace for the length of a scope.
template <class Index>
class Lent {
 public:
  Lent(Pool<Index>& pool, std::int64_t n) : pool_(pool), item_(pool.take(n)) {}
  ~Lent() {
    if (std::uncaught_exceptions() == exceptions_) pool_.give(std::move(item_));
  }
  Workspace<Index>& operator*() { return *item_; }
  Workspace<Index>* operator->() { return item_.get(); }

 private:
  Pool<Index>& pool_;
  typename Pool<Index>::Item item_;
  const int exceptions_ = std::uncaught_exceptions();
};

}  // namespace lagbfs
