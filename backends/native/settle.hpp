// Writing what becomes known of a vertex, and claims, of which the parent is written later.
#pragma once

#include <cstdint>

#include "team.hpp"
#include "tuning.hpp"
#include "workspace.hpp"

namespace lagbfs {

// Writes what becomes known of v: its parent u and its level. Vertices are in the view's labels, parents and levels, of
// which either may be null, in the user's: `user` translates (graph.hpp). Kernels hold one by value, so that its
// pointers stay in registers.
template <class Index>
struct Settler {
  const Index* const user;
  Index* const parents;
  std::int32_t* const levels;
  const std::int32_t level;

  void operator()(Index v, Index u) const { set_parent(v, u), set_level(v); }

  void set_parent(Index v, Index u) const {
    if (parents) parents[user ? user[v] : v] = user ? user[u] : u;
  }

  void set_level(Index v) const {
    if (levels) levels[user ? user[v] : v] = level;
  }
};

// The claims that wait to be settled: a stretch of the queue, and in the workspace's scratch, at the same places, the
// parents. Thin levels then touch nothing at random but the rows and the bitmap, and all threads settle, which few of
// such levels employ.
template <class Index>
class Claims {
 public:
  Claims(Workspace<Index>& work, Lease& lease, const Index* user, Index* parents)
      : work_(work), lease_(lease), user_(user), parents_(parents) {}

  // To be called before beside().
  void reserve() { work_.reserve_scratch(); }

  // Where the parent of a vertex goes that stands in the queue at `at`.
  Index* beside(const Index* at) const { return work_.scratch.data() + (at - work_.queue.data()); }

  // This stretch of the queue is claimed. If it does not follow the last one, that one need not wait any more.
  void add(Span<const Index> queued) {
    const std::int64_t begin = queued.begin() - work_.queue.data();
    if (begin != end_) settle(), begin_ = begin;
    end_ = begin + queued.size();
  }

  // Writes the parents; the scratch is free from then on. Levels are written when a vertex is claimed.
  void settle() {
    const std::int64_t begin = begin_, size = end_ - begin_;
    begin_ = end_;
    if (!parents_) return;
    lease_.chunks(size, kSettleClaims, [&](int, std::int64_t first, std::int64_t last) {
      const Settler<Index> settle{user_, parents_, nullptr, 0};
      const Index *const queue = work_.queue.data(), *const from = work_.scratch.data();
      for (std::int64_t i = begin + first; i < begin + last; ++i) settle.set_parent(queue[i], from[i]);
    });
  }

 private:
  Workspace<Index>& work_;
  Lease& lease_;
  const Index* const user_;
  Index* const parents_;
  std::int64_t begin_ = 0, end_ = 0;  // of the stretch
};

}  // namespace lagbfs
