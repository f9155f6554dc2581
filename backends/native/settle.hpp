// Writing what becomes known of a vertex, and claims, of which the parent is written later.
//
// Levels of large graphs are written as bytes, a quarter of the memory to touch in no order, for as long as they fit;
// then, or at the end, they are spread over the result (State::widen).
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "team.hpp"
#include "tuning.hpp"
#include "workspace.hpp"

namespace lagbfs {

// Where levels go, either or none: bytes, kUnreached where there is no level, or the result, there -1.
struct Levels {
  static constexpr std::uint8_t kUnreached = 255;  // more than kNarrowLevels
  std::uint8_t* narrow = nullptr;
  std::int32_t* wide = nullptr;

  explicit operator bool() const { return narrow || wide; }
  bool has(std::int64_t v) const { return narrow ? narrow[v] != kUnreached : wide[v] >= 0; }
  void set(std::int64_t v, std::int32_t level) const {
    if (narrow) narrow[v] = std::uint8_t(level);
    else if (wide) wide[v] = level;
  }
};

// Writes what becomes known of v: its parent u and its level. Vertices are in the view's labels, parents and levels, of
// which either may be none, in the user's: `user` translates u (graph.hpp), and `own` v. Kernels hold one by value, so
// that its pointers stay in registers.
template <class Index>
struct Settler {
  const Index *const own, *const user;
  Index* const parents;
  const Levels levels;
  const std::int32_t level;

  void operator()(Index v, Index u) const {
    const Index at = own ? own[v] : v;
    if (parents) parents[at] = user ? user[u] : u;
    levels.set(at, level);
  }

  void set_level(Index v) const {
    if (levels) levels.set(own ? own[v] : v, level);
  }
};

// The claims that wait to be settled: a stretch of the queue, and in the workspace's scratch, at the same places, the
// parents. Thin levels then touch nothing at random but the rows and the bitmap, and all threads settle, which few of
// such levels employ. A stretch is of levels in a row: where each of them ends tells the levels of all.
template <class Index>
class Claims {
 public:
  Claims(Workspace<Index>& work, Lease& lease, const Index* own, const Index* user, Index* parents,
         const Levels& levels)
      : work_(work), lease_(lease), own_(own), user_(user), parents_(parents), levels_(levels) {}

  // To be called before beside().
  void reserve() { work_.reserve_scratch(); }

  // Where the parent of a vertex goes that stands in the queue at `at`.
  Index* beside(const Index* at) const { return work_.scratch.data() + (at - work_.queue.data()); }

  // This stretch of the queue, of vertices of this level, is claimed. If it does not follow the last one, that one need
  // not wait any more.
  void add(Span<const Index> queued, std::int32_t level) {
    const std::int64_t begin = queued.begin() - work_.queue.data();
    if (begin != end_ || level != next_) settle(), begin_ = begin;
    end_ = begin + queued.size(), next_ = level + 1;
    if (!levels_) return;
    if (ends_.empty()) first_ = level;
    ends_.push_back(end_);
  }

  // Writes parents and levels; the scratch is free from then on.
  void settle() {
    const std::int64_t begin = begin_, size = end_ - begin_;
    begin_ = end_;
    lease_.chunks(size, kSettleClaims, [&](int, std::int64_t first, std::int64_t last) {
      levels_ ? settle_levels(begin + first, begin + last) : settle_parents(begin + first, begin + last);
    });
    ends_.clear();
  }

 private:
  // Positions [at, end) of the queue.
  void settle_parents(std::int64_t at, std::int64_t end) const { settle_by({own_, user_, parents_, {}, 0}, at, end); }

  void settle_levels(std::int64_t at, std::int64_t end) const {
    for (auto k = std::upper_bound(ends_.begin(), ends_.end(), at); at < end; at = *k++)
      settle_by({own_, user_, parents_, levels_, first_ + std::int32_t(k - ends_.begin())}, at, std::min(end, *k));
  }

  void settle_by(const Settler<Index> settle, std::int64_t at, std::int64_t end) const {
    const Index *const queue = work_.queue.data(), *const from = work_.scratch.data();
    for (; at < end; ++at) settle(queue[at], from[at]);
  }

  Workspace<Index>& work_;
  Lease& lease_;
  const Index *const own_, *const user_;
  Index* const parents_;
  const Levels& levels_;
  std::int64_t begin_ = 0, end_ = 0;  // of the stretch
  std::int32_t next_ = 0;             // the level that would follow it
  std::int32_t first_ = 0;            // its first level, and where each of its levels ends; if levels are wanted
  std::vector<std::int64_t> ends_;
};

}  // namespace lagbfs
