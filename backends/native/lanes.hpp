// Lanes<W>: W words side by side, a bit for each of 64 W searches. Search s is bit s % 64 of word s / 64.
#pragma once

#include <cstdint>

#if defined(__AVX2__)
#include <immintrin.h>
#endif

#include "bitmap.hpp"

namespace lagbfs {

// What is combined by one instruction: a word, or four of them.
template <bool Wide>
struct LanePart {
  Word bits;
  static LanePart zero() { return {0}; }
  static LanePart at(const Word* p) { return {*p}; }
  void to(Word* p) const { *p = bits; }
  LanePart operator|(LanePart o) const { return {bits | o.bits}; }
  LanePart operator&(LanePart o) const { return {bits & o.bits}; }
  LanePart operator^(LanePart o) const { return {bits ^ o.bits}; }
  LanePart without(LanePart o) const { return {bits & ~o.bits}; }
  bool any() const { return bits != 0; }
  bool covers(LanePart o) const { return (o.bits & ~bits) == 0; }
};

#if defined(__AVX2__)
template <>
struct LanePart<true> {
  __m256i bits;
  static LanePart zero() { return {_mm256_setzero_si256()}; }
  static LanePart at(const Word* p) { return {_mm256_loadu_si256(reinterpret_cast<const __m256i*>(p))}; }
  void to(Word* p) const { _mm256_storeu_si256(reinterpret_cast<__m256i*>(p), bits); }
  LanePart operator|(LanePart o) const { return {_mm256_or_si256(bits, o.bits)}; }
  LanePart operator&(LanePart o) const { return {_mm256_and_si256(bits, o.bits)}; }
  LanePart operator^(LanePart o) const { return {_mm256_xor_si256(bits, o.bits)}; }
  LanePart without(LanePart o) const { return {_mm256_andnot_si256(o.bits, bits)}; }
  bool any() const { return !_mm256_testz_si256(bits, bits); }
  bool covers(LanePart o) const { return _mm256_testc_si256(bits, o.bits); }
};
constexpr int kPartWords = 4;
#else
constexpr int kPartWords = 1;
#endif

template <int W>
struct Lanes {
  static constexpr bool kWide = kPartWords > 1 && W % kPartWords == 0;
  static constexpr int kStep = kWide ? kPartWords : 1, kParts = W / kStep, kCount = W * kWordBits;
  using Part = LanePart<kWide>;
  Part parts[kParts];

  template <class F>
  static Lanes make(F&& part) {
    Lanes x;
    for (int i = 0; i < kParts; ++i) x.parts[i] = part(i);
    return x;
  }
  static Lanes none() {
    return make([](int) { return Part::zero(); });
  }
  static Lanes at(const Word* p) {
    return make([&](int i) { return Part::at(p + i * kStep); });
  }
  void to(Word* p) const {
    for (int i = 0; i < kParts; ++i) parts[i].to(p + i * kStep);
  }
  Lanes operator|(const Lanes& o) const {
    return make([&](int i) { return parts[i] | o.parts[i]; });
  }
  Lanes operator&(const Lanes& o) const {
    return make([&](int i) { return parts[i] & o.parts[i]; });
  }
  Lanes operator^(const Lanes& o) const {
    return make([&](int i) { return parts[i] ^ o.parts[i]; });
  }
  Lanes without(const Lanes& o) const {
    return make([&](int i) { return parts[i].without(o.parts[i]); });
  }
  bool any() const {
    Part all = parts[0];
    for (int i = 1; i < kParts; ++i) all = all | parts[i];
    return all.any();
  }
  bool covers(const Lanes& o) const { return !o.without(*this).any(); }
};

// Of each lane, in how many of the sets added it was: sums of bits, column by column, in planes of ones, twos, fours, …
// Sets are added eight at a time by carry-save adders, which takes a few instructions for all lanes of one.
template <int W>
class LaneCounts {
 public:
  void add(const Lanes<W>& set) {
    waiting_[size_] = set;
    if (++size_ == kEight) fold();
  }

  // Adds the sums to counts[0 … 64 W) and starts again.
  void drain(std::int64_t* counts) {
    if (planes_ == 0) {
      for (int i = 0; i < size_; ++i) spread(waiting_[i], 1, counts);
    } else {
      while (size_ > 0) add(Lanes<W>::none());
      for (int p = 0; p < planes_; ++p) spread(sums_[p], std::int64_t{1} << p, counts);
    }
    planes_ = size_ = 0;
  }

 private:
  static constexpr int kEight = 8, kMostPlanes = 60;

  static void spread(const Lanes<W>& set, std::int64_t weight, std::int64_t* counts) {
    Word words[W];
    set.to(words);
    for (int j = 0; j < W; ++j) for_bits(words[j], j * kWordBits, [&](std::int64_t lane) { counts[lane] += weight; });
  }

  // a + b + c = sum + 2 × carry, bit by bit.
  static Lanes<W> add(Lanes<W>& sum, const Lanes<W>& b, const Lanes<W>& c) {
    const Lanes<W> either = sum ^ b, carry = (sum & b) | (either & c);
    sum = either ^ c;
    return carry;
  }

  void fold() {
    while (planes_ < 3) sums_[planes_++] = Lanes<W>::none();
    Lanes<W> fours[2];
    for (int half = 0; half < 2; ++half) {
      const Lanes<W>* const w = waiting_ + 4 * half;
      const Lanes<W> a = add(sums_[0], w[0], w[1]), b = add(sums_[0], w[2], w[3]);
      fours[half] = add(sums_[1], a, b);
    }
    Lanes<W> carry = add(sums_[2], fours[0], fours[1]);
    for (int p = 3; carry.any(); ++p) {
      if (p == planes_) sums_[planes_++] = Lanes<W>::none();
      const Lanes<W> next = sums_[p] & carry;
      sums_[p] = sums_[p] ^ carry, carry = next;
    }
    size_ = 0;
  }

  Lanes<W> waiting_[kEight], sums_[kMostPlanes];
  int size_ = 0, planes_ = 0;
};

}  // namespace lagbfs
