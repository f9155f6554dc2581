// Sets of vertices, one bit each: vertex v is bit v % 64 of word v / 64.
//
// Invariant of every bitmap of visited vertices: the bits past the last vertex are set, so that
// the complement of a word holds vertices only. In every other bitmap those bits are clear.
#pragma once

#include <cstdint>
#include <cstring>

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

}  // namespace lagbfs
