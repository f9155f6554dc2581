// Uninitialised arrays, views of some, and relaxed atomic access to plain memory.
//
// Buffer<T>: owns `size` uninitialised elements (T is trivial). Large buffers are aligned to, and
// advised for, huge pages: the kernels read them at random. Allocation failure is std::bad_alloc.
// Every access that may meet another thread's goes through load/store/fetch_or/take_min/…: relaxed,
// because the team's joins order everything else.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <memory>
#include <mutex>
#include <new>
#include <type_traits>
#include <utility>
#include <vector>

#if defined(__linux__)
#include <sys/mman.h>
#endif

namespace lagbfs {

constexpr std::size_t kHugePage = std::size_t{1} << 21;

struct Free {
  void operator()(void* p) const { std::free(p); }
};
using Memory = std::unique_ptr<void, Free>;

// At least one byte, so that an empty array still has an address.
inline Memory allocate(std::size_t bytes) {
  const std::size_t align = bytes >= kHugePage ? kHugePage : 64;
  const std::size_t padded = (bytes / 64 + 1) * 64;
  void* p = nullptr;
  if (padded < bytes || posix_memalign(&p, align, padded) != 0) throw std::bad_alloc();
#if defined(__linux__) && defined(MADV_HUGEPAGE)
  if (align == kHugePage) madvise(p, padded, MADV_HUGEPAGE);
#endif
  return Memory(p);
}

// Gives the pages of a block from byte `used` to byte `end` back to the system: they mean nothing any more.
inline void trim([[maybe_unused]] const Memory& block, [[maybe_unused]] std::size_t used,
                 [[maybe_unused]] std::size_t end) {
#if defined(__linux__)
  constexpr std::uintptr_t kPage = 1 << 16;  // a multiple of whatever size pages have
  const auto start = reinterpret_cast<std::uintptr_t>(block.get());
  const std::uintptr_t first = (start + used + kPage - 1) / kPage * kPage, last = (start + end) / kPage * kPage;
  if (first < last) madvise(reinterpret_cast<void*>(first), last - first, MADV_DONTNEED);
#endif
}

template <class T>
class Buffer {
  static_assert(std::is_trivial<T>::value, "Buffer elements are not constructed");

 public:
  Buffer() = default;
  explicit Buffer(std::size_t size) : size_(size) {
    if (size > SIZE_MAX / sizeof(T)) throw std::bad_alloc();
    block_ = allocate(size * sizeof(T));
  }
  T* data() { return static_cast<T*>(block_.get()); }
  const T* data() const { return static_cast<const T*>(block_.get()); }
  T& operator[](std::size_t i) { return data()[i]; }
  const T& operator[](std::size_t i) const { return data()[i]; }
  T* begin() { return data(); }
  T* end() { return data() + size_; }
  std::size_t size() const { return size_; }
  std::size_t bytes() const { return size_ * sizeof(T); }
  explicit operator bool() const { return bool(block_); }
  Memory release() { return size_ = 0, std::move(block_); }

 private:
  Memory block_;
  std::size_t size_ = 0;
};

// Elements that lie side by side and belong to somebody else.
template <class T>
class Span {
 public:
  Span() = default;
  Span(T* begin, T* end) : begin_(begin), end_(end) {}
  T* begin() const { return begin_; }
  T* end() const { return end_; }
  T* data() const { return begin_; }
  T& operator[](std::int64_t i) const { return begin_[i]; }
  std::int64_t size() const { return end_ - begin_; }

 private:
  T *begin_ = nullptr, *end_ = nullptr;
};

template <class T>
inline T load(const T* p) {
  return __atomic_load_n(p, __ATOMIC_RELAXED);
}

template <class T>
inline void store(T* p, T value) {
  __atomic_store_n(p, value, __ATOMIC_RELAXED);
}

// The same of floating-point numbers, which atomics of compilers take through registers of integers: an aligned one is
// read and written whole.
template <class T>
inline T load_real(const T* p) {
#ifdef __SANITIZE_THREAD__
  T value;
  __atomic_load(p, &value, __ATOMIC_RELAXED);
  return value;
#else
  return *const_cast<const volatile T*>(p);
#endif
}

template <class T>
inline void store_real(T* p, T value) {
#ifdef __SANITIZE_THREAD__
  __atomic_store(p, &value, __ATOMIC_RELAXED);
#else
  *const_cast<volatile T*>(p) = value;
#endif
}

template <class T>
inline T fetch_add(T* p, T value) {
  return __atomic_fetch_add(p, value, __ATOMIC_RELAXED);
}

template <class T>
inline T fetch_or(T* p, T bits) {
  return __atomic_fetch_or(p, bits, __ATOMIC_RELAXED);
}

// *p = min(*p, value), with -1 counting as +infinity.
template <class T>
inline void take_min(T* p, T value) {
  using U = std::make_unsigned_t<T>;
  T seen = load(p);
  while (U(value) < U(seen) &&
         !__atomic_compare_exchange_n(p, &seen, value, true, __ATOMIC_RELAXED, __ATOMIC_RELAXED)) {
  }
}

}  // namespace lagbfs
