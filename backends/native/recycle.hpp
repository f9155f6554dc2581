// Memory of results and work buffers. A block given back is kept for the next of the same size: fresh memory
// costs page faults, which on large graphs are a good part of a search. At most kKeptBlocks blocks and kMostKept
// bytes are kept, and no block that is small.
#pragma once

#include <array>
#include <cstddef>
#include <mutex>

#include "memory.hpp"
#include "tuning.hpp"

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
    Kept& slot = free_slot();
    slot = Kept{};
    if (sum() + bytes <= kMostKept) slot = Kept{std::move(block), bytes};
  }

  std::size_t bytes() {
    std::lock_guard<std::mutex> lock(mutex_);
    return sum();
  }

 private:
  struct Kept {
    Block block;
    std::size_t bytes = 0;
  };
  static bool keeps(std::size_t bytes) { return bytes >= kLeastKept && bytes <= kMostKept; }

  // An empty one, else the next in turn.
  Kept& free_slot() {
    for (Kept& kept : kept_)
      if (!kept.block) return kept;
    return kept_[next_++ % kKeptBlocks];
  }

  std::size_t sum() const {
    std::size_t sum = 0;
    for (const Kept& kept : kept_) sum += kept.block ? kept.bytes : 0;
    return sum;
  }

  std::mutex mutex_;
  std::size_t next_ = 0;
  std::array<Kept, kKeptBlocks> kept_;
};

// An array whose memory comes from there and goes back; uninitialised.
template <class T>
class Recycled {
  static_assert(std::is_trivial<T>::value, "elements are not constructed");

 public:
  Recycled() = default;
  explicit Recycled(std::size_t size) : size_(size) {
    if (size > SIZE_MAX / sizeof(T)) throw std::bad_alloc();
    block_ = Recycler::instance().take(size * sizeof(T));
  }
  Recycled(Recycled&& o) noexcept : block_(std::move(o.block_)), size_(o.size_) {}
  Recycled& operator=(Recycled&& o) noexcept { return swap(o), *this; }
  void swap(Recycled& o) noexcept { std::swap(block_, o.block_), std::swap(size_, o.size_); }
  ~Recycled() { Recycler::instance().give(std::move(block_), size_ * sizeof(T)); }
  T* data() { return static_cast<T*>(block_.get()); }
  T& operator[](std::size_t i) { return data()[i]; }
  std::size_t size() const { return size_; }
  std::size_t bytes() const { return size_ * sizeof(T); }
  explicit operator bool() const { return bool(block_); }

 private:
  Block block_;
  std::size_t size_ = 0;
};

}  // namespace lagbfs
