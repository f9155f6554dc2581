// One row of a product of matrices while it is summed up: all columns, those that a mask opens, or a few terms.
#pragma once

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <limits>
#include <type_traits>

#include "join.hpp"
#include "memory.hpp"
#include "semiring.hpp"
#include "tuning.hpp"

namespace lagbfs {

constexpr std::int64_t kSortedTerms = tuned(32, 4);  // of a row: up to so many are sorted as they come

// What any term can be added to without changing it, to the last bit: -0 for sums of floats, NaN for min and max, which
// pass over it. `any` has none.
template <class S>
S identity(Add add) {
  if constexpr (kIsBool<S>) {
    return {std::uint8_t(add == Add::kMin)};
  } else if constexpr (std::is_floating_point_v<S>) {
    return add == Add::kPlus ? S(-0.0) : add == Add::kTimes ? S(1) : std::numeric_limits<S>::quiet_NaN();
  } else {
    using Limits = std::numeric_limits<S>;
    return add == Add::kTimes ? S(1) : add == Add::kMin ? Limits::max() : add == Add::kMax ? Limits::min() : S(0);
  }
}

// Sums of all columns. Each is the identity until a term is added, so that adding one takes no branch. Columns that
// have a sum are bits, and words that have any such bit bytes: found in order, without sorting.
template <class S>
class Sums {
 public:
  Sums(std::int64_t cols, S identity)
      : identity_(identity), sums_(cols), bits_(cols / 64 + 1), words_(bits_.size() + 64), low_(bits_.size()) {
    std::fill(sums_.begin(), sums_.end(), identity);
    std::memset(bits_.data(), 0, bits_.bytes());
    std::memset(words_.data(), 0, words_.bytes());
  }

  // Terms of columns from `first` to `last` are going to be taken.
  void expect(std::int64_t first, std::int64_t last) {
    low_ = std::min(low_, first >> 6), high_ = std::max(high_, last >> 6);
  }

  template <class Ring>
  [[gnu::always_inline]] void take(Ring ring, std::int64_t j, S term) {
    const std::uint64_t bit = std::uint64_t{1} << (j & 63);
    if (ring.add == Add::kAny) sums_[j] = bits_[j >> 6] & bit ? sums_[j] : term;
    else sums_[j] = combine(ring.add, sums_[j], term);
    bits_[j >> 6] |= bit;
    words_[j >> 6] = 1;
  }

  // Adds the row to a block, columns ascending, and forgets it. Words are looked for 64 at a time: how many of them
  // have a bit varies less than of a few, and each is guessed to have one.
  template <class Ring, class Index>
  void emit(Ring, RowBlock<Index, S>& block) {
    for (std::int64_t w = low_ & ~std::int64_t{63}; w <= high_; w += 64)
      for (std::uint64_t some = take_words(w); some; some &= some - 1) emit_word(w + __builtin_ctzll(some), block);
    low_ = bits_.size(), high_ = -1;
  }

 private:
  // Which of 64 words have a bit, as bits; they have none from now on.
  std::uint64_t take_words(std::int64_t w) {
    std::uint64_t some = 0;
    for (int byte = 0; byte < 64; byte += 8) {
      std::uint64_t eight;
      std::memcpy(&eight, words_.data() + w + byte, 8);
      some |= (eight * 0x0102040810204080u >> 56) << byte;  // bytes of 0 or 1: each becomes one of the eight high bits
    }
    std::memset(words_.data() + w, 0, 64);
    return some;
  }

  template <class Index>
  void emit_word(std::int64_t word, RowBlock<Index, S>& block) {
    std::uint64_t bits = bits_[word];
    bits_[word] = 0;
    do {
      const std::int64_t j = word * 64 + __builtin_ctzll(bits);
      block.add(Index(j), sums_[j]);
      sums_[j] = identity_;
    } while (bits &= bits - 1);
  }

  const S identity_;
  Buffer<S> sums_;
  Buffer<std::uint64_t> bits_;
  Buffer<std::uint8_t> words_;  // 64 more than there are words, to be read 64 at a time
  std::int64_t low_, high_ = -1;
};

// Sums of the columns that a mask opens: closed, open, or with a sum. Found by the mask's row.
template <class S>
class OpenSums {
 public:
  explicit OpenSums(std::int64_t cols) : sums_(cols), state_(cols) { std::memset(state_.data(), 0, state_.bytes()); }

  template <class Index>
  void open(const Index* j, const Index* end) {
    for (; j != end; ++j) state_[*j] = kOpen;
  }

  template <class Ring>
  [[gnu::always_inline]] void take(Ring ring, std::int64_t j, S term) {
    if (state_[j] == kSummed) sums_[j] = combine(ring.add, sums_[j], term);
    else if (state_[j] == kOpen) sums_[j] = term, state_[j] = kSummed;
  }

  // Adds the row to a block and closes its columns.
  template <class Index>
  void emit(RowBlock<Index, S>& block, const Index* j, const Index* end) {
    for (; j != end; ++j) {
      if (state_[*j] == kSummed) block.add(*j, sums_[*j]);
      state_[*j] = kClosed;
    }
  }

 private:
  enum State : std::uint8_t { kClosed, kOpen, kSummed };
  Buffer<S> sums_;
  Buffer<std::uint8_t> state_;
};

// Up to kSortedTerms terms, sorted as they come: less than looking for them among all columns.
template <class Index, class S>
class FewTerms {
 public:
  void take(Index j, S term) {
    int at = size_++;
    for (; at > 0 && columns_[at - 1] > j; --at) columns_[at] = columns_[at - 1], terms_[at] = terms_[at - 1];
    columns_[at] = j, terms_[at] = term;
  }

  template <class Ring>
  void emit(Ring ring, RowBlock<Index, S>& block) const {
    for (int at = 0, next; at < size_; at = next) {
      S sum = terms_[at];
      for (next = at + 1; next < size_ && columns_[next] == columns_[at]; ++next)
        sum = combine(ring.add, sum, terms_[next]);
      block.add(columns_[at], sum);
    }
  }

 private:
  int size_ = 0;
  Index columns_[kSortedTerms];
  S terms_[kSortedTerms];
};

}  // namespace lagbfs
