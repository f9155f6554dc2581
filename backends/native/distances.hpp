// Distances of many searches as numbers: from the planes that searches in step leave, and parents from them.
#pragma once

#include <algorithm>
#include <cstdint>
#include <cstring>

#include "graph.hpp"
#include "signals.hpp"
#include "team.hpp"
#include "together.hpp"

namespace lagbfs {

// Bit j of word i and bit i of word j change places.
inline void transpose_bits(Word* words) {
  Word mask = 0x00000000ffffffff;
  for (int half = 32; half; half >>= 1, mask ^= mask << half)
    for (int block = 0; block < kWordBits; block += 2 * half)
      for (int i = block; i < block + half; ++i) {
        const Word moved = (words[i] >> half ^ words[i + half]) & mask;
        words[i] ^= moved << half, words[i + half] ^= moved;
      }
}

// 64 numbers: of number i, bit p is bit i of planes[p * stride]; it is -1 if bit i of `none` is set.
template <class T>
inline void numbers_of(const Word* planes, int count, int stride, Word none, T* out) {
  for (int i = 0; i < kWordBits; ++i) out[i] = T(-T(none >> i & 1));
  for (int p = 0; p < count; ++p)
    for (int i = 0; i < kWordBits; ++i) out[i] = T(out[i] | T(T(planes[p * stride] >> i & 1) << p));
}

#if defined(__AVX2__)
template <>
inline void numbers_of(const Word* planes, int count, int stride, Word none, std::int8_t* out) {
  const __m256i spread = _mm256_setr_epi64x(0, 0x0101010101010101, 0x0202020202020202, 0x0303030303030303);
  const __m256i each = _mm256_set1_epi64x(std::int64_t(0x8040201008040201));
  const auto bytes_of = [&](Word bits, int b) {  // -1 for each of 32 bits from b on
    const __m256i own = _mm256_shuffle_epi8(_mm256_set1_epi32(int(bits >> b)), spread);
    return _mm256_cmpeq_epi8(_mm256_and_si256(own, each), each);
  };
  for (int b = 0; b < kWordBits; b += 32) {
    __m256i sum = bytes_of(none, b);
    for (int p = 0; p < count; ++p) {
      const __m256i weight = _mm256_set1_epi8(char(1 << p));
      sum = _mm256_or_si256(sum, _mm256_and_si256(bytes_of(planes[p * stride], b), weight));
    }
    _mm256_storeu_si256(reinterpret_cast<__m256i*>(out + b), sum);
  }
}
#endif

// out[s * n + v], the distance of v from source s, -1 if there is none, for k sources. T holds the largest of them.
template <class T, class Index, class Offset>
class Numbers {
 public:
  Numbers(const View<Index, Offset>& view, LanePlanes& lanes, std::int64_t k, T* out)
      : view_(view), lanes_(lanes), k_(k), out_(out) {}

  void write(const Index* sources, Lease& lease, Signals& signals) {
    lease.chunks(words_of(view_.n), kNumberWords, [&](int id, std::int64_t begin, std::int64_t end) {
      if (signals.tick(id)) return;
      for (std::int64_t first = 0; first < k_; first += kWordBits)
        for (std::int64_t w = begin; w < end; ++w) write_block(w * kWordBits, first);
    });
    signals.check();
    for (std::int64_t s = 0; s < k_; ++s) out_[s * view_.n + sources[s]] = 0;  // of those without edges nobody knows
  }

 private:
  static constexpr int kMostPlanes = 31;

  // 64 vertices, from `base` on, for 64 sources, from `first` on.
  void write_block(std::int64_t base, std::int64_t first) {
    const std::int64_t sources = std::min<std::int64_t>(k_ - first, kWordBits);
    const std::int64_t size = std::min<std::int64_t>(view_.n - base, kWordBits);
    std::int64_t places[kWordBits];
    for (std::int64_t i = 0; i < size; ++i) {
      const std::int64_t v = view_.to_label(Index(base + i));
      places[i] = v < view_.active ? v * lanes_.width + (first >> 6) : -1;
    }
    alignas(64) Word seen[kWordBits], planes[kMostPlanes][kWordBits];
    const int count = int(lanes_.planes.size());
    read(lanes_.seen, places, size, seen);
    for (int p = 0; p < count; ++p) read(lanes_.planes[p], places, size, planes[p]);
    alignas(64) T values[kWordBits];
    for (std::int64_t s = 0; s < sources; ++s) {
      T* const out = out_ + (first + s) * view_.n + base;
      numbers_of(&planes[0][s], count, kWordBits, ~seen[s], size == kWordBits ? out : values);
      if (size < kWordBits) std::copy(values, values + size, out);
    }
  }

  // The words at these places of a table, as a word of vertices for each of 64 sources.
  static void read(Recycled<Word>& table, const std::int64_t* places, std::int64_t size, Word* bits) {
    for (std::int64_t i = 0; i < kWordBits; ++i) bits[i] = i < size && places[i] >= 0 ? table[places[i]] : 0;
    transpose_bits(bits);
  }

  const View<Index, Offset>& view_;
  LanePlanes& lanes_;
  const std::int64_t k_;
  T* const out_;
};

// parents[s * n + v]: the first in-neighbour of v, in the order of its row, that is one nearer to source s.
template <class T, class Index, class Offset>
void find_parents(const Csr<Index, Offset>& in, const T* levels, std::int64_t k, Index* parents, Lease& lease,
                  Signals& signals) {
  const std::int64_t n = in.rows, blocks = (n + kLaneFill - 1) / kLaneFill;
  lease.chunks(k * blocks, 1, [&](int id, std::int64_t at, std::int64_t) {
    if (signals.tick(id)) return;
    const T* const level = levels + at / blocks * n;
    Index* const parent = parents + at / blocks * n;
    const std::int64_t begin = at % blocks * kLaneFill;
    for (std::int64_t v = begin, end = std::min(begin + kLaneFill, n); v < end; ++v) {
      parent[v] = level[v] == 0 ? Index(v) : Index(-1);
      if (level[v] <= 0) continue;
      const Index *e = in.begin(v), *const stop = in.end(v);
      while (e != stop && level[*e] != level[v] - 1) ++e;
      if (e != stop) parent[v] = *e;
    }
  });
  signals.check();
}

}  // namespace lagbfs
