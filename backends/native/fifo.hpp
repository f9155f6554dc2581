// First in, first out: a search that finds vertices in the order in which one thread with one queue would. The parent
// of each is the first in that order that has an edge to it; of vertices of one parent those come first that its row
// has first. The workspace's queue is the order.
//
// push  one thread claims, row after row, and goes from level to level without a look at anything else
// pull  each unvisited vertex takes the in-neighbour of least rank: its position in the frontier, which nobody else
// has.
//       Rows being sorted, the vertices sorted by rank, those of one rank as they were, are the next frontier.
#pragma once

#include <algorithm>
#include <cstdint>
#include <limits>
#include <type_traits>

#include "arms.hpp"
#include "notes.hpp"
#include "state.hpp"

namespace lagbfs {

template <class Index, class Offset>
class Fifo {
 public:
  // From the sources, which begin the queue. In the user's labels, with parents.
  explicit Fifo(State<Index, Offset>& s) : s_(s), queue_(s.work.queue.data()), tail_(s.frontier.size()) {}

  std::int64_t size() const { return tail_ - head_; }
  std::int64_t reached() const { return tail_; }
  Span<const Index> frontier() const { return {queue_ + head_, queue_ + tail_}; }

  // Out-edges of the frontier, counted anew at each call.
  std::int64_t edges() const {
    std::int64_t edges = 0;
    for (const Index u : frontier()) edges += s_.view.out.degree(u);
    return edges;
  }

  // Out-edges of vertices that are not reached, if the frontier has so many.
  std::int64_t unvisited_edges(std::int64_t edges) const { return s_.view.edges - scanned_ - edges; }

  // A pull looks at the in-edges of all unvisited, and at all words of their bitmap: never for a few vertices.
  int choose() {
    const std::int64_t unvisited = s_.view.n - s_.view.barren_count - tail_;
    if (size() < std::max(kLeastRanked, unvisited / kRankedShare)) return kPushQueue;
    const std::int64_t edges = this->edges(), pulled = unvisited_edges(edges) + s_.words();
    return edges > pulled / (s_.lease.need() > 1 ? kRankShare : 1) ? kPullList : kPushQueue;
  }

  // Levels by one thread, until there is nothing to push, a pull may pay, or stop(), which is asked after each level if
  // it is `watched`, and else where a level is not thin.
  template <class Stop>
  void push(Stop&& stop, bool watched) {
    do push_levels(watched);
    while (!stop() && choose() == kPushQueue);
  }

  // next⟨¬visited⟩ = AT min.second ranks.
  void pull() {
    const Notes<Index> notes(s_, false);
    Index* const ranks = notes.of_thread(0);
    scanned_ += edges();
    note(ranks, [](std::int64_t i) { return Index(i); });
    s_.lease.chunks(s_.words(), kRankWords, [&](int id, std::int64_t begin, std::int64_t end) {
      if (!s_.signals.tick(id)) rank(ranks, begin, end);
    });
    note(ranks, [](std::int64_t) { return Index(-1); });
    s_.signals.check();
    advance(sort());
  }

 private:
  // A level, and those after it while they are thin and nobody watches.
  void push_levels(bool watched) {
    const Csr<Index, Offset> out = s_.view.out;
    Word* const visited = s_.unvisited.visited();
    Index *const queue = queue_, *const parents = s_.parents, *tail = queue + tail_;
    std::int64_t i = head_, end = tail_;
    do {
      for (; i < end; ++i) {
        const Index u = queue[i];
        if (i + kAhead < end) __builtin_prefetch(out.begin(queue[i + kAhead]));
        if (i % kAskAlone == 0) s_.signals.tick(0), s_.signals.check();
        scanned_ += out.degree(u);
        tail = out.degree(u) > kLongRows ? claim_few(visited, parents, u, out.begin(u), out.end(u), tail)
                                         : claim(visited, parents, u, out.begin(u), out.end(u), tail);
      }
      end = tail - queue;
      ++s_.level;
      if (s_.levels)
        for (std::int64_t k = i; k < end; ++k) s_.levels.set(queue[k], s_.level);
    } while (!watched && i < end && end - i < kLeastRanked);
    head_ = i, tail_ = end;
  }

  // Appends the new among the neighbours of u. No branch depends on whether a vertex is new.
  static Index* claim(Word* visited, Index* parents, Index u, const Index* e, const Index* end, Index* tail) {
    Index spare;
    for (; e != end; ++e) {
      const Index v = *e;
      Word* const word = visited + (v >> 6);
      const Word old = *word;
      const bool fresh = ~old >> (v & 63) & 1;
      *word = old | bit_of(v);
      *tail = v;
      *(fresh ? parents + v : &spare) = u;
      tail += fresh;
    }
    return tail;
  }

  // The same where few are new, or nearly all: so it is with the rows of hubs.
  static Index* claim_few(Word* visited, Index* parents, Index u, const Index* e, const Index* end, Index* tail) {
    for (; e != end; ++e)
      if (insert_alone(visited, *e)) parents[*e] = u, *tail++ = *e;
    return tail;
  }

  void advance(const Index* tail) {
    head_ = tail_, tail_ = tail - queue_;
    ++s_.level;
  }

  template <class Rank>
  void note(Index* ranks, Rank&& rank_at) {
    const Span<const Index> frontier = this->frontier();
    s_.lease.chunks(frontier.size(), kRankVertices, [&](int, std::int64_t begin, std::int64_t end) {
      for (std::int64_t i = begin; i < end; ++i) ranks[frontier[i]] = rank_at(i);
    });
  }

  // The unvisited of words [begin, end) that have a parent: they make those words of the next bitmap, and their parents
  // are ranks yet. Who has no rank has a note of -1: as an unsigned number, the largest.
  void rank(const Index* ranks, std::int64_t begin, std::int64_t end) {
    using Rank = std::make_unsigned_t<Index>;
    constexpr Rank none = std::numeric_limits<Rank>::max();
    const Csr<Index, Offset> in = s_.view.in;
    const Settler<Index> settle = s_.settler();
    Word *const next = s_.frontier.next_bitmap(), *const visited = s_.unvisited.visited();
    for (std::int64_t w = begin; w < end; ++w) {
      Word found = 0;
      for_bits(~visited[w], w * kWordBits, [&](std::int64_t v) {
        Rank least = none;
        for (const Index *e = in.begin(v), *const stop = in.end(v); e != stop; ++e)
          least = std::min(least, Rank(ranks[*e]));
        if (least == none) return;
        found |= bit_of(v);
        settle(Index(v), Index(least));
      });
      next[w] = found, visited[w] |= found;
    }
  }

  // Appends the vertices of the next bitmap to the queue by the ranks that they have for parents, which become
  // vertices. Returns the queue's end.
  Index* sort() {
    s_.work.reserve_scratch();
    const Span<const Index> frontier = this->frontier();
    Index *const starts = s_.work.scratch.data(), *const parents = s_.parents, *const next = queue_ + tail_;
    std::fill(starts, starts + frontier.size() + 1, Index(0));
    for_found([&](std::int64_t v) { ++starts[parents[v] + 1]; });
    for (std::int64_t r = 0; r < frontier.size(); ++r) starts[r + 1] += starts[r];
    const Index size = starts[frontier.size()];
    for_found([&](std::int64_t v) {
      const Index rank = parents[v];
      next[starts[rank]++] = Index(v);
      parents[v] = frontier[rank];
    });
    return next + size;
  }

  template <class F>
  void for_found(F&& f) {
    const Word* const found = s_.frontier.next_bitmap();
    for (std::int64_t w = 0; w < s_.words(); ++w) for_bits(found[w], w * kWordBits, f);
  }

  State<Index, Offset>& s_;
  Index* const queue_;
  std::int64_t head_ = 0, tail_;  // queue[head … tail) is the frontier
  std::int64_t scanned_ = 0;      // out-edges of the vertices before it
};

}  // namespace lagbfs
