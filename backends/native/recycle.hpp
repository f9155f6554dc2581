// Memory of results. A result given back is kept for the next of the same size: fresh memory costs a
// page fault per page, which on large graphs is a good part of a search. At most kKept blocks are
// kept, and none that is small or larger than kLargest.
#pragma once

#include <array>
#include <cstddef>
#include <mutex>

#include "memory.hpp"

namespace lagbfs {

class Recycler {
 public:
  static Recycler& instance() {
    static Recycler* recycler = new Recycler;  // outlives every result
    return *recycler;
  }

  Block take(std::size_t bytes) {
    if (keeps(bytes)) {
      std::lock_guard<std::mutex> lock(mutex_);
      for (Kept& kept : kept_)
        if (kept.block && kept.bytes == bytes) return std::move(kept.block);
    }
    return allocate(bytes);
  }

  void give(Block block, std::size_t bytes) {
    if (!block || !keeps(bytes)) return;
    std::lock_guard<std::mutex> lock(mutex_);
    kept_[next_ % kKept] = Kept{std::move(block), bytes};
    ++next_;
  }

  std::size_t bytes() {
    std::lock_guard<std::mutex> lock(mutex_);
    std::size_t sum = 0;
    for (const Kept& kept : kept_) sum += kept.block ? kept.bytes : 0;
    return sum;
  }

 private:
  static constexpr std::size_t kKept = 2, kSmallest = 1 << 17, kLargest = std::size_t{1} << 28;
  struct Kept {
    Block block;
    std::size_t bytes = 0;
  };
  static bool keeps(std::size_t bytes) { return bytes >= kSmallest && bytes <= kLargest; }

  std::mutex mutex_;
  std::size_t next_ = 0;
  std::array<Kept, kKept> kept_;
};

// An array of a result.
template <class T>
class Recycled {
 public:
  Recycled() = default;
  explicit Recycled(std::size_t size)
      : block_(Recycler::instance().take(size * sizeof(T))), size_(size) {}
  Recycled(Recycled&& o) noexcept : block_(std::move(o.block_)), size_(o.size_) {}
  Recycled& operator=(Recycled&& o) noexcept {
    std::swap(block_, o.block_), std::swap(size_, o.size_);
    return *this;
  }
  ~Recycled() { Recycler::instance().give(std::move(block_), size_ * sizeof(T)); }
  T* data() { return static_cast<T*>(block_.get()); }
  std::size_t size() const { return size_; }

 private:
  Block block_;
  std::size_t size_ = 0;
};

}  // namespace lagbfs
