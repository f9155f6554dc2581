// Sets of vertices, one bit each: vertex v is bit v % 64 of word v / 64.
//
// Invariant of every bitmap of visited vertices: the bits past the last vertex are set, so that
// the complement of a word holds vertices only. In every other bitmap those bits are clear.
#pragma once

#include <cstdint>
#include <cstring>

#if defined(__AVX2__)
#include <immintrin.h>
#endif

#include "memory.hpp"

namespace lagbfs {

using Word = std::uint64_t;
constexpr int kWordBits = 64;

inline std::int64_t words_of(std::int64_t n) { return (n + kWordBits - 1) / kWordBits; }

inline Word bit_of(std::int64_t v) { return Word{1} << (v & 63); }

inline bool test(const Word* set, std::int64_t v) { return load(set + (v >> 6)) >> (v & 63) & 1; }

// Whether v was absent. The first form is for sets that no other thread touches meanwhile.
inline bool insert_alone(Word* set, std::int64_t v) {
  Word* word = set + (v >> 6);
  const Word bit = bit_of(v);
  if (*word & bit) return false;
  *word |= bit;
  return true;
}

inline bool insert_shared(Word* set, std::int64_t v) {
  Word* word = set + (v >> 6);
  const Word bit = bit_of(v);
  return !(load(word) & bit) && !(fetch_or(word, bit) & bit);
}

inline void clear(Word* set, std::int64_t words) { std::memset(set, 0, words * sizeof(Word)); }

// The empty visited set of n vertices: only the bits past the last vertex.
inline void clear_visited(Word* set, std::int64_t n) {
  clear(set, words_of(n));
  if (n & 63) set[n >> 6] = ~Word{0} << (n & 63);
}

// f(v) for each bit of `bits`, the word holding vertices base … base + 63, in ascending order.
template <class F>
inline void for_bits(Word bits, std::int64_t base, F&& f) {
  for (; bits; bits &= bits - 1) f(base + __builtin_ctzll(bits));
}

// The sum of those of 64 bytes that `bits` has; `full` becomes the set of those among them that are 255.
inline std::int64_t sum_bytes(const std::uint8_t* bytes, Word bits, Word& full) {
  full = 0;
#if defined(__AVX2__)
  const __m256i spread = _mm256_setr_epi64x(0, 0x0101010101010101, 0x0202020202020202, 0x0303030303030303);
  const __m256i each = _mm256_set1_epi64x(std::int64_t(0x8040201008040201));
  __m256i sums = _mm256_setzero_si256();
  for (int b = 0; b < kWordBits; b += 32) {
    const __m256i own = _mm256_and_si256(_mm256_shuffle_epi8(_mm256_set1_epi32(int(bits >> b)), spread), each);
    const __m256i values =
        _mm256_and_si256(_mm256_loadu_si256(reinterpret_cast<const __m256i*>(bytes + b)), _mm256_cmpeq_epi8(own, each));
    sums = _mm256_add_epi64(sums, _mm256_sad_epu8(values, _mm256_setzero_si256()));
    full |= Word(unsigned(_mm256_movemask_epi8(_mm256_cmpeq_epi8(values, _mm256_set1_epi8(-1))))) << b;
  }
  return _mm256_extract_epi64(sums, 0) + _mm256_extract_epi64(sums, 1) + _mm256_extract_epi64(sums, 2) +
         _mm256_extract_epi64(sums, 3);
#else
  std::int64_t sum = 0;
  for_bits(bits, 0, [&](std::int64_t b) { sum += bytes[b], full |= Word(bytes[b] == 255) << b; });
  return sum;
#endif
}

}  // namespace lagbfs
