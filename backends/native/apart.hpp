// Many searches, each by one thread from its beginning to its end: no thread waits for another, which is what counts
// where there are thousands of levels with little in each.
#pragma once

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <limits>
#include <memory>
#include <vector>

#include "graph.hpp"
#include "many.hpp"
#include "recycle.hpp"
#include "signals.hpp"
#include "start.hpp"
#include "team.hpp"
#include "tuning_many.hpp"

namespace lagbfs {

// Where searches apart write, all of it in rows of n, or null. A search that is deeper than `Level` can say writes no
// levels: it is not done, and made again by whoever asks with wider ones.
template <class Level, class Index>
struct ApartOut {
  Level* levels = nullptr;
  Index* parents = nullptr;
  PerVertex vertices;
  bool* done = nullptr;
};

// One search, by one thread: vertices in the order found, the parent of each beside it, and where levels end.
template <class Index, class Offset>
class LoneSearch {
 public:
  LoneSearch(const View<Index, Offset>& view, bool parents)
      : view_(view), visited_(words_of(view.active)), queue_(view.active + 1), from_(parents ? view.active + 1 : 0) {
    clear_visited(visited_.data(), view.active);
  }

  // False if it was stopped.
  bool run(Index source, std::int32_t max_depth, int id, Signals& signals) {
    ends_.assign(1, 1);
    const std::int64_t v = view_.to_label(source);
    queue_[0] = Index(v);
    if (from_.size()) from_[0] = Index(v);
    if (v >= view_.active) return true;  // it has no edges
    insert_alone(visited_.data(), v);
    for (std::int64_t head = 0; std::int64_t(ends_.size()) <= max_depth; head = ends_[ends_.size() - 2]) {
      const std::int64_t end = ends_.back();
      const std::int64_t tail =
          from_.size() ? level<true>(head, end, id, signals) : level<false>(head, end, id, signals);
      if (signals.stopped()) return false;
      if (tail == end) break;
      ends_.push_back(tail);
    }
    return true;
  }

  void forget() {
    if (reached() * kForgetShare > view_.active) return clear_visited(visited_.data(), view_.active);
    for (std::int64_t i = 0; i < reached(); ++i)
      if (queue_[i] < view_.active) visited_[queue_[i] >> 6] = 0;
    if (view_.active & 63) visited_[view_.active >> 6] |= ~Word{0} << (view_.active & 63);
  }

  std::int64_t reached() const { return ends_.back(); }
  std::int32_t depth() const { return std::int32_t(ends_.size()) - 1; }

  // f(v, parent, level), the first two of the user's labels, for each vertex found.
  template <class F>
  void each(F&& f) {
    std::int64_t i = 0;
    for (std::int32_t level = 0; level <= depth(); ++level)
      for (; i < ends_[level]; ++i)
        f(view_.to_user(queue_[i]), from_.size() ? view_.to_user(from_[i]) : Index(0), level);
  }

  void count(std::int64_t s, PerSource& found) const {
    for (std::int32_t level = 0; level <= depth(); ++level)
      found.add(s, level, ends_[level] - (level ? ends_[level - 1] : 0));
  }

 private:
  // Appends what queue[head … end) finds. No branch depends on whether a vertex is new.
  template <bool Parents>
  std::int64_t level(std::int64_t head, std::int64_t end, int id, Signals& signals) {
    Word* const visited = visited_.data();
    Index *const queue = queue_.data(), *const from = from_.data(), *tail = queue + end;
    for (; head < end; ++head) {
      const Index u = queue[head];
      if (head + kAhead < end) __builtin_prefetch(view_.out.begin(queue[head + kAhead]));
      if (head % kAskAlone == 0 && signals.tick(id)) break;
      for (const Index *e = view_.out.begin(u), *const stop = view_.out.end(u); e != stop; ++e) {
        Word* const word = visited + (*e >> 6);
        const Word old = *word;
        *word = old | bit_of(*e);
        *tail = *e;
        if (Parents) from[tail - queue] = u;
        tail += ~old >> (*e & 63) & 1;
      }
    }
    return tail - queue;
  }

  const View<Index, Offset>& view_;
  Recycled<Word> visited_;
  Recycled<Index> queue_, from_;  // one entry of each is spare
  std::vector<std::int64_t> ends_;
};

// What one thread has summed up for each vertex, in the user's labels.
class VertexSums {
 public:
  explicit VertexSums(std::int64_t n) : sums_(n), counts_(n), depths_(n) {
    std::fill_n(sums_.data(), n, 0), std::fill_n(counts_.data(), n, 0), std::fill_n(depths_.data(), n, 0);
  }
  PerVertex arrays() { return {sums_.data(), counts_.data(), depths_.data()}; }
  void add_to(const PerVertex& out) {
    for (std::size_t v = 0; v < sums_.size(); ++v) out.add(std::int64_t(v), sums_[v], counts_[v], depths_[v]);
  }

 private:
  Recycled<std::int64_t> sums_, counts_;
  Recycled<std::int32_t> depths_;
};

template <class Level, class Index, class Offset>
void write_search(LoneSearch<Index, Offset>& search, const View<Index, Offset>& view, std::int64_t s,
                  const ApartOut<Level, Index>& out, const PerVertex& sums) {
  Level* const levels = out.levels ? out.levels + s * view.n : nullptr;
  Index* const parents = out.parents ? out.parents + s * view.n : nullptr;
  if (levels) std::memset(levels, 0xff, view.n * sizeof(Level));
  if (parents) std::memset(parents, 0xff, view.n * sizeof(Index));
  if (levels) search.each([&](Index v, Index, std::int32_t level) { levels[v] = Level(level); });
  if (parents) search.each([&](Index v, Index parent, std::int32_t) { parents[v] = parent; });
  if (sums) search.each([&](Index v, Index, std::int32_t level) { sums.add(v, level, 1, level); });
}

// From k sources.
template <class Level, class Index, class Offset>
void search_apart(const View<Index, Offset>& view, const Index* sources, std::int64_t k, const ManyWanted& wanted,
                  PerSource& found, const ApartOut<Level, Index>& out, Lease& lease, Signals& signals) {
  const std::int64_t threads = std::min<std::int64_t>(k, k > 1 ? lease.need() : 1);
  std::vector<std::unique_ptr<LoneSearch<Index, Offset>>> searches;
  std::vector<std::unique_ptr<VertexSums>> sums;
  for (std::int64_t id = 0; id < threads; ++id) {
    searches.push_back(std::make_unique<LoneSearch<Index, Offset>>(view, out.parents != nullptr));
    if (out.vertices) sums.push_back(std::make_unique<VertexSums>(view.n));
  }
  std::int64_t next = 0;
  lease.run([&](int id) {
    if (id >= threads) return;
    LoneSearch<Index, Offset>& search = *searches[id];
    for (std::int64_t s; (s = fetch_add(&next, std::int64_t{1})) < k;) {
      if (!search.run(sources[s], wanted.max_depth, id, signals)) return;
      out.done[s] = !out.levels || search.depth() <= std::numeric_limits<Level>::max();
      search.count(s, found);
      if (out.done[s]) write_search(search, view, s, out, out.vertices ? sums[id]->arrays() : PerVertex{});
      search.forget();
    }
  });
  signals.check();
  for (const auto& of_thread : sums) of_thread->add_to(out.vertices);
}

}  // namespace lagbfs
