// The numbers that the random tests of the kernels draw, out of the fuzzer's bytes: it looks for the unlikely ones.
// Where there are no more bytes, those of a generator follow, always the same, so that a byte changed is a number
// changed. See LAGBFS_DRAWN in common.hpp there.
#pragma once

#include <cstddef>
#include <cstdint>
#include <random>

class Random {
 public:
  Random(const std::uint8_t* data, std::size_t size) : at_(data), end_(data + size) {}
  explicit Random(unsigned seed) : rest_(seed) {}

  // As many bytes as n needs, 1, 2 or 4.
  std::int64_t below(std::int64_t n) {
    const int size = n <= 1 << 8 ? 1 : n <= 1 << 16 ? 2 : 4;
    std::uint64_t word = 0;
    for (int i = 0; i < size; ++i) word = word << 8 | byte();
    return std::int64_t(word % std::uint64_t(n));
  }

  std::uint32_t operator()() { return std::uint32_t(below(std::int64_t(1) << 32)); }

 private:
  std::uint8_t byte() { return at_ < end_ ? *at_++ : std::uint8_t(rest_() >> 16); }

  const std::uint8_t *at_ = nullptr, *end_ = nullptr;
  std::minstd_rand rest_;
};

static std::int64_t below(Random& random, std::int64_t n) { return random.below(n); }
