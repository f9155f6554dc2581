// Memory of results and work buffers. A block given back is kept for the next that is as large, or little smaller:
// fresh memory costs page faults, which on large graphs are a good part of a search, and half of what merges two
// matrices. At most kKeptBlocks blocks and kMostKept bytes are kept, those given back last, and no block that is small.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <mutex>
#include <new>
#include <type_traits>
#include <utility>

#include "memory.hpp"
#include "tuning.hpp"

namespace lagbfs {

// A block serves for less than it has, by one part in so many at most.
constexpr std::size_t kKeptShare = 4;

// A block and its size, which may be more than was asked for.
struct Sized {
  Memory block;
  std::size_t bytes = 0;
};

class Recycler {
 public:
  static Recycler& instance() {
    static Recycler* recycler = new Recycler;  // outlives every result
    return *recycler;
  }

  Sized take(std::size_t bytes) {
    if (keeps(bytes)) {
      std::lock_guard<std::mutex> lock(mutex_);
      if (Kept* const kept = fitting(bytes)) return std::move(kept->sized);
    }
    try {
      return {allocate(bytes), bytes};
    } catch (const std::bad_alloc&) {
      clear();
      return {allocate(bytes), bytes};
    }
  }

  void give(Sized sized) {
    if (!sized.block || !keeps(sized.bytes)) return;
    std::lock_guard<std::mutex> lock(mutex_);
    while (sum() + sized.bytes > kMostKept) *oldest(true) = {};
    *oldest(false) = Kept{std::move(sized), ++given_};
  }

  void clear() {
    std::lock_guard<std::mutex> lock(mutex_);
    for (Kept& kept : kept_) kept = {};
  }

  std::size_t bytes() {
    std::lock_guard<std::mutex> lock(mutex_);
    return sum();
  }

 private:
  struct Kept {
    Sized sized;
    std::uint64_t given = 0;
    std::uint64_t age() const { return sized.block ? given : 0; }
  };
  static bool keeps(std::size_t bytes) { return bytes >= kLeastKept && bytes <= kMostKept; }

  // The smallest that is large enough, and not much larger.
  Kept* fitting(std::size_t bytes) {
    Kept* best = nullptr;
    for (Kept& kept : kept_)
      if (kept.sized.block && kept.sized.bytes >= bytes && kept.sized.bytes - bytes <= bytes / kKeptShare &&
          (!best || kept.sized.bytes < best->sized.bytes))
        best = &kept;
    return best;
  }

  // The one given back first; an empty one comes before all, unless it has to be `filled`.
  Kept* oldest(bool filled) {
    Kept* best = nullptr;
    for (Kept& kept : kept_)
      if ((kept.sized.block || !filled) && (!best || kept.age() < best->age())) best = &kept;
    return best;
  }

  std::size_t sum() const {
    std::size_t sum = 0;
    for (const Kept& kept : kept_) sum += kept.sized.block ? kept.sized.bytes : 0;
    return sum;
  }

  std::mutex mutex_;
  std::uint64_t given_ = 0;
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
    sized_ = Recycler::instance().take(size * sizeof(T));
  }
  Recycled(Recycled&& o) noexcept : sized_(std::move(o.sized_)), size_(std::exchange(o.size_, 0)) {}
  Recycled& operator=(Recycled&& o) noexcept { return swap(o), *this; }
  void swap(Recycled& o) noexcept { std::swap(sized_, o.sized_), std::swap(size_, o.size_); }
  ~Recycled() { Recycler::instance().give(std::move(sized_)); }
  // Keeps the first `size` elements; whoever has the block next finds it as long as it was.
  void shrink(std::size_t size) { trim(sized_.block, size * sizeof(T), sized_.bytes), size_ = size; }
  T* data() { return static_cast<T*>(sized_.block.get()); }
  const T* data() const { return static_cast<const T*>(sized_.block.get()); }
  T* begin() { return data(); }
  T* end() { return data() + size_; }
  T& operator[](std::size_t i) { return data()[i]; }
  const T& operator[](std::size_t i) const { return data()[i]; }
  std::size_t size() const { return size_; }
  std::size_t bytes() const { return size_ * sizeof(T); }
  explicit operator bool() const { return bool(sized_.block); }

 private:
  Sized sized_;
  std::size_t size_ = 0;
};

}  // namespace lagbfs
