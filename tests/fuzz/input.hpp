// What the fuzzer's bytes stand for: choices, one after the other, and a graph of all that is left.
//
// A byte changed is a choice changed, and nothing after it moves; where there are no more bytes, every choice is 0.
#pragma once

#include <cstddef>
#include <cstring>
#include <string>

#include "../native/common.hpp"

class Input {
 public:
  Input(const std::uint8_t* data, std::size_t size) : at_(data), end_(data + size) {}

  bool done() const { return at_ == end_; }

  // As many bytes as n needs, 1, 2 or 8.
  std::int64_t below(std::int64_t n) {
    return std::int64_t(take(n <= 1 << 8 ? 1 : n <= 1 << 16 ? 2 : 8) % std::uint64_t(n));
  }
  bool flag() { return below(2) == 1; }

  template <class T>
  T bits() {
    const std::uint64_t word = take(sizeof(T));
    T value;
    std::memcpy(&value, &word, sizeof(T));
    return value;
  }

  std::vector<char> rest() { return std::vector<char>(std::exchange(at_, end_), end_); }

 private:
  std::uint64_t take(std::size_t size) {
    std::uint64_t value = 0;
    for (std::size_t i = 0; i < size && at_ < end_; ++i) value |= std::uint64_t(*at_++) << (8 * i);
    return value;
  }

  const std::uint8_t *at_, *end_;
};

// Mostly one: a team takes much longer over a few edges, and finds no more of them.
static int threads_of(Input& input) {
  const std::int64_t choice = input.below(16);
  return choice < 14 ? 1 : int(choice) - 12;
}

// Single edges, paths, stars out of a vertex and into one: a few bytes are a graph that is deep, or has a hub. There
// are no more than some hundreds, so that there are thousands of inputs a second.
static Edges edges_of(Input& input, std::int64_t rows, std::int64_t cols, bool symmetric = false) {
  Edges edges;
  for (std::int64_t added = 0; added < 600 && !input.done();) {
    const std::int64_t shape = input.below(4), u = input.below(rows), v = input.below(cols);
    const std::int64_t count = shape == 0 ? 1 : input.below(256);
    added += count;
    for (std::int64_t i = 0; i < count; ++i) {
      const std::int64_t from = (u + i * (shape != 2)) % rows, to = (v + i * (shape != 3)) % cols;
      edges.emplace(from, to);
      if (symmetric) edges.emplace(to, from);
    }
  }
  return edges;
}
