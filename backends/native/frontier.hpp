// The state of a search, and how kernels change it.
//
// Everything is in the view's labels but parents and levels, which are the user's arrays in the user's
// labels (either may be null): Settler translates on the way, so that there is no way back to do.
// A vertex's bit is set once it is visited, a barren one's from the start. `smallest` (min_secondi) asks for each
// vertex's smallest parent.
//
// The frontier is queue[head … tail), or the bitmap `front`, or both; the flags say which are current.
#pragma once

#include <algorithm>
#include <cstdint>
#include <utility>

#include "bitmap.hpp"
#include "graph.hpp"
#include "runs.hpp"
#include "signals.hpp"
#include "team.hpp"
#include "tuning.hpp"
#include "workspace.hpp"

namespace lagbfs {

struct Tally {
  std::int64_t vertices = 0, edges = 0;
  Tally& operator+=(const Tally& o) { return vertices += o.vertices, edges += o.edges, *this; }
};

// Writes what becomes known of v: its parent u and its level. Kernels hold one by value, so that its
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

template <class Index>
struct State {
  State(const View<Index>& view, Workspace<Index>& work, Lease& lease, Signals& signals, Index* parents,
        std::int32_t* levels, bool smallest)
      : view(view), work(work), lease(lease), signals(signals), parents(parents), levels(levels),
        smallest(smallest) {}

  const View<Index>& view;
  Workspace<Index>& work;
  Lease& lease;
  Signals& signals;
  Index* parents;
  std::int32_t* levels;
  bool smallest;
  std::int32_t level = 0;  // of the frontier
  std::int64_t head = 0, tail = 0;
  std::int64_t settled = 0;   // queue[settled … tail) have their parents in from()
  bool queued = true, mapped = false, listed = false;
  bool clean = false;         // work.next is empty
  bool owned = false;         // runs describe the queue's frontier
  bool apart = false;         // every other thread has notes of its own
  Runs runs;
  std::int64_t unlisted = 0;  // length of list(), if listed
  Tally frontier, visited;

  Word* seen() { return work.visited.data(); }
  Word* front() { return work.front.data(); }
  // They share memory: see workspace.hpp.
  Index* from() { return work.scratch.data(); }
  Index* list() { return work.scratch.data(); }
  std::int64_t words() const { return words_of(view.active); }

  void reserve_scratch() {
    if (!work.scratch) work.scratch = Recycled<Index>(view.n + 1);
  }

  // Of the user's label v: whether the results have it.
  bool reached(Index v) const { return (parents ? std::int64_t(parents[v]) : levels[v]) >= 0; }

  std::int64_t unvisited_edges() const { return view.edges - visited.edges; }

  Settler<Index> settler() const { return {view.user, parents, levels, level + 1}; }
};

// Finds the view's barren vertices, and returns what holds their set: the visited set of a search that has not begun,
// with the bits past the last vertex; nothing if there are none.
template <class Index>
Buffer<Word> find_barren(View<Index>& view, Lease& lease) {
  Buffer<Word> barren(words_of(view.active));
  std::int64_t count = 0;
  lease.chunks(barren.size(), 1 << 12, [&](int, std::int64_t begin, std::int64_t end) {
    std::int64_t found = 0;
    for (std::int64_t w = begin; w < end; ++w) {
      const std::int64_t base = w * kWordBits, last = std::min<std::int64_t>(base + kWordBits, view.active);
      Word bits = 0;
      for (std::int64_t v = base; v < last; ++v) bits |= Word(view.in.degree(v) == 0) << (v - base);
      found += __builtin_popcountll(bits);
      barren[w] = last - base < kWordBits ? bits | ~Word{0} << (last - base) : bits;
    }
    fetch_add(&count, found);
  });
  if (!count) barren = Buffer<Word>();
  view.barren = barren.data(), view.barren_count = view.n - view.active + count;
  return barren;
}

template <class Index>
void clear_visited(State<Index>& s) {
  if (s.view.barren)
    std::copy(s.view.barren, s.view.barren + s.words(), s.seen());
  else
    clear_visited(s.seen(), s.view.active);
}

// Sums tallies of a section's threads.
class Sum {
 public:
  void add(const Tally& t) { fetch_add(&total_.vertices, t.vertices), fetch_add(&total_.edges, t.edges); }
  Tally total() const { return total_; }

 private:
  Tally total_;
};

// The vertices of word w that `found` has. Without short degrees, if those are most, the edges of the word less those
// of the others.
template <class Index>
inline Tally count(const View<Index>& view, std::int64_t w, Word found) {
  const std::int64_t base = w * kWordBits, end = std::min<std::int64_t>(base + kWordBits, view.active);
  const std::int64_t size = __builtin_popcountll(found);
  if (view.short_degrees) {
    Word longer;
    std::int64_t edges = sum_bytes(view.short_degrees + base, found, longer);
    for_bits(longer, base, [&](std::int64_t v) { edges += view.out.degree(v) - kLongDegree; });
    return {size, edges};
  }
  const bool most = 2 * size > end - base;
  std::int64_t edges = 0;
  for_bits(most ? ~found : found, base, [&](std::int64_t v) { edges += v < end ? view.out.degree(v) : 0; });
  return {size, most ? view.out.indptr[end] - view.out.indptr[base] - edges : edges};
}

// Writes the parents that wait beside the queue.
template <class Index>
void settle_claims(State<Index>& s) {
  const std::int64_t begin = std::exchange(s.settled, s.tail);
  if (!s.parents) return;
  s.lease.chunks(s.tail - begin, 1 << 14, [&](int, std::int64_t first, std::int64_t last) {
    const Settler<Index> settle = s.settler();
    const Index *const queue = s.work.queue.data(), *const from = s.from();
    for (std::int64_t i = begin + first; i < begin + last; ++i) settle.set_parent(queue[i], from[i]);
  });
}

// The queue as a bitmap.
template <class Index>
void map_frontier(State<Index>& s) {
  if (s.mapped) return;
  const std::int64_t size = s.tail - s.head;
  const Index* queue = s.work.queue.data() + s.head;
  clear(s.front(), s.words());
  if (size < 20000)
    for (std::int64_t i = 0; i < size; ++i) insert_alone(s.front(), queue[i]);
  else
    s.lease.chunks(size, 4096, [&](int, std::int64_t begin, std::int64_t end) {
      for (std::int64_t i = begin; i < end; ++i) insert_shared(s.front(), queue[i]);
    });
  s.mapped = true;
}

// Appends to list, from `tail` on, the vertices of the bitmap word(0), word(1), …: those of one word side by side.
template <class Index, class F>
void append_bits(State<Index>& s, std::int64_t chunk, Index* list, std::int64_t& tail, F&& word) {
  s.lease.chunks(s.words(), chunk, [&](int, std::int64_t begin, std::int64_t end) {
    std::int64_t size = 0;
    for (std::int64_t w = begin; w < end; ++w) size += __builtin_popcountll(word(w));
    if (size == 0) return;
    Index* at = list + fetch_add(&tail, size);
    for (std::int64_t w = begin; w < end; ++w)
      for_bits(word(w), w * kWordBits, [&](std::int64_t v) { *at++ = Index(v); });
  });
}

// The bitmap as a queue.
template <class Index>
void queue_frontier(State<Index>& s) {
  if (s.queued) return;
  settle_claims(s);
  s.head = s.tail;
  append_bits(s, 1 << 14, s.work.queue.data(), s.tail, [front = s.front()](std::int64_t w) { return front[w]; });
  s.settled = s.tail;
  s.queued = true, s.owned = false;
}

}  // namespace lagbfs
