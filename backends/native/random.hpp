// Random graphs from counters. Word i of a stream is a function of (seed, stream, i), so that any thread can
// draw any part of it: the stream is SplitMix64 started at a key that seed and stream are mixed into.
// lagbfs/base/random_words.py draws the same words in NumPy; tests hold the two equal bit for bit.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "memory.hpp"
#include "signals.hpp"
#include "team.hpp"
#include "tuning.hpp"

namespace lagbfs {

constexpr std::uint64_t kGamma = 0x9E3779B97F4A7C15u;

inline std::uint64_t mix(std::uint64_t z) {
  z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9u;
  z = (z ^ (z >> 27)) * 0x94D049BB133111EBu;
  return z ^ (z >> 31);
}

class Stream {
 public:
  Stream(std::uint64_t seed, std::uint64_t number) : key_(mix(mix(seed) + number * kGamma)) {}
  std::uint64_t operator[](std::uint64_t i) const { return mix(key_ + (i + 1) * kGamma); }

 private:
  std::uint64_t key_;
};

// floor(word · n / 2^64): a number below n.
inline std::uint64_t below(std::uint64_t word, std::uint64_t n) {
  return std::uint64_t((static_cast<unsigned __int128>(word) * n) >> 64);
}

// R-MAT: at each level 32 random bits pick a quadrant of the adjacency, by where they lie among three bounds
// scaled to 2^32. Edge i reads words i·w … i·w + w - 1 of the stream, w = ceil(scale / 2): level l, which is bit l
// of both ends, the lower half of a word if l is even, the upper if odd.
struct Rmat {
  Stream words;
  int scale;
  std::uint64_t bound[3];

  template <class Index>
  void edge(std::uint64_t i, Index& src, Index& dst) const {
    const std::uint64_t width = std::uint64_t(scale + 1) / 2;
    std::uint64_t u = 0, v = 0;
    for (std::uint64_t k = 0; k < width; ++k) {
      const std::uint64_t word = words[i * width + k];
      place(word & 0xFFFFFFFFu, int(2 * k), u, v);
      if (int(2 * k) + 1 < scale) place(word >> 32, int(2 * k) + 1, u, v);
    }
    src = Index(u), dst = Index(v);
  }

 private:
  // Quadrants in the order A B C D: the row's bit is set in the last two, the column's in the second and the last.
  void place(std::uint64_t bits, int level, std::uint64_t& u, std::uint64_t& v) const {
    const std::uint64_t row = bits >= bound[1];
    u |= row << level;
    v |= (std::uint64_t(bits >= bound[0]) ^ row ^ std::uint64_t(bits >= bound[2])) << level;
  }
};

// A permutation of 0 … 2^bits - 1 that needs no table: a Feistel network, whose halves take turns in changing the
// other.
class Scramble {
 public:
  Scramble(const Stream& keys, int bits) : low_(bits / 2), high_(bits - low_) {
    for (int round = 0; round < kRounds; ++round) keys_[round] = keys[std::uint64_t(round)];
  }

  std::uint64_t operator()(std::uint64_t x) const {
    std::uint64_t low = x & ((std::uint64_t(1) << low_) - 1), high = x >> low_;
    for (int round = 0; round < kRounds; round += 2) {
      high ^= upper(mix(low + keys_[round]), high_);
      low ^= upper(mix(high + keys_[round + 1]), low_);
    }
    return high << low_ | low;
  }

 private:
  static constexpr int kRounds = 6;
  static std::uint64_t upper(std::uint64_t word, int bits) { return bits ? word >> (64 - bits) : 0; }

  int low_, high_;
  std::uint64_t keys_[kRounds];
};

// Edges first … first + size - 1, their ends renamed to names[end] or scramble(end) unless these are null.
template <class Index>
void draw_edges(const Rmat& rmat, const Index* names, const Scramble* scramble, std::int64_t first, std::int64_t size,
                Index* src, Index* dst, int threads, bool (*ask)() = nullptr) {
  Lease lease(threads);
  Signals signals(ask);
  lease.chunks(size, kDrawEdges, [&](int id, std::int64_t begin, std::int64_t end) {
    if (signals.tick(id)) return;
    for (std::int64_t i = begin; i < end; ++i) rmat.edge(std::uint64_t(first + i), src[i], dst[i]);
    if (names)
      for (std::int64_t i = begin; i < end; ++i) src[i] = names[src[i]], dst[i] = names[dst[i]];
    if (scramble)
      for (std::int64_t i = begin; i < end; ++i)
        src[i] = Index((*scramble)(std::uint64_t(src[i]))), dst[i] = Index((*scramble)(std::uint64_t(dst[i])));
  });
  signals.check();
}

// Preferential attachment: ends[k] is the earlier vertex that edge k leads to, m edges for each of the vertices
// m … n - 1, ascending. The first joins 0 … m - 1; each other draws among all ends of edges before its own, the
// i-th of which is ends[i / (2m) · m + i % (2m)] if i % (2m) < m and else the vertex m + i / (2m). Word d of the
// stream serves draw d; a vertex drawn twice is drawn again.
template <class Index>
void attach(const Stream& words, std::int64_t n, std::int64_t m, Index* ends, bool (*ask)() = nullptr) {
  Signals signals(ask);
  std::vector<Index> joined(std::size_t(n), Index(-1));  // the last vertex that joined each
  std::uint64_t draws = 0;
  for (std::int64_t j = 0; j < m; ++j) ends[j] = Index(j);
  for (std::int64_t v = m + 1; v < n; ++v) {
    if (v % kAskRows == 0 && signals.tick(0)) break;
    Index* const own = ends + (v - m) * m;
    for (std::int64_t j = 0; j < m;) {
      const std::int64_t i = std::int64_t(below(words[draws++], std::uint64_t(2 * m * (v - m))));
      const std::int64_t block = i / (2 * m), at = i % (2 * m);
      const Index u = at < m ? ends[block * m + at] : Index(m + block);
      if (joined[std::size_t(u)] == Index(v)) continue;
      joined[std::size_t(u)] = Index(v), own[j++] = u;
    }
    std::sort(own, own + m);
  }
  signals.check();
}

}  // namespace lagbfs
