// Marking: an edge u → v to an unvisited v sets v's bit in `next` and notes u as its parent; a sweep over `next`
// then settles the marked vertices in order. Of several edges any may win: all are valid parents.
//
// Parents are noted in the user's array where its labels are the view's, else in work.list.
#pragma once

#include <algorithm>
#include <vector>

#include "frontier.hpp"

namespace lagbfs {

// Null if no parents are wanted.
template <class Index>
Index* notes_of(State<Index>& s) {
  return !s.parents || !s.view.user ? s.parents : s.work.list.data();
}

// Marks in `next`. Shared: other threads mark in it too. Otherwise no branch depends on what a vertex is: for
// most levels that would be a coin's toss.
template <bool Smallest, bool Shared, class Index>
class Marker {
 public:
  Marker(State<Index>& s, Word* next) : seen_(s.seen()), next_(next), noted_(notes_of(s)) {}

  void operator()(Index u, const Index* begin, const Index* end) {
    for (const Index* e = begin; e != end; ++e) Smallest || Shared ? branching(u, *e) : branchless(u, *e);
  }

 private:
  void branching(Index u, Index v) {
    if (test(seen_, v)) return;
    if (Smallest) take_min(noted_ + v, u);
    if (insert<Shared>(next_, v) && !Smallest && noted_) store(noted_ + v, u);
  }

  void branchless(Index u, Index v) {
    const Word seen = seen_[v >> 6], next = next_[v >> 6];
    const bool fresh = (~(seen | next) >> (v & 63) & 1) && noted_;
    next_[v >> 6] = next | (bit_of(v) & ~seen);
    Index nowhere;
    store(fresh ? noted_ + v : &nowhere, u);
  }

  const Word* const seen_;
  Word* const next_;
  Index* const noted_;
};

template <class Index>
void begin_marks(State<Index>& s) {
  if (s.parents && s.view.user && !s.work.list) s.work.list = Buffer<Index>(s.view.n);
  if (!s.clean) clear(s.work.next.data(), s.words());
}

// Settles the marked vertices of words [begin, end).
template <class Index>
Tally sweep_marks(State<Index>& s, std::int64_t begin, std::int64_t end) {
  const Index* const noted = notes_of(s);
  const bool in_place = noted == s.parents;  // no translation to do, or no parents at all
  const Settler<Index> settle{s.view.user, in_place ? nullptr : s.parents, s.levels, s.level + 1};
  const bool idle = !settle.parents && !settle.levels;
  Tally tally;
  for (std::int64_t w = begin; w < end; ++w) {
    const Word found = s.work.next[w];
    if (!found) continue;
    s.seen()[w] |= found;
    count(s, w, found, tally);
    if (idle) continue;
    for_bits(found, w * kWordBits, [&](std::int64_t v) { settle(Index(v), noted ? noted[v] : Index(v)); });
  }
  return tally;
}

template <class Index>
void end_marks(State<Index>& s, const Sum& sum) {
  s.frontier = sum.total();
  std::swap(s.work.front, s.work.next);
  s.mapped = true, s.queued = s.clean = false;
}

// Ranges of labels that receive about equally many edges, in words: a thread that has one to itself
// needs no atomics and takes no cache line from another.
template <class Index>
std::vector<std::int64_t> equal_ranges(const State<Index>& s, std::int64_t count) {
  constexpr std::int64_t kLine = 8;  // words per cache line
  const Csr<Index>& in = s.view.in;
  const std::int64_t edges = in.indptr[s.view.active];
  std::vector<std::int64_t> bounds{0};
  for (std::int64_t i = 1; i < count; ++i) {
    const Index* at = std::lower_bound(in.indptr, in.indptr + s.view.active, Index(edges / count * i));
    bounds.push_back(std::max(bounds.back(), (at - in.indptr) / kWordBits / kLine * kLine));
  }
  bounds.push_back(s.words());
  return bounds;
}

// For long rows. The queue's out-edges into each range: rows being sorted, those are a run of every row.
template <bool Smallest, class Index>
void mark_ranges(State<Index>& s) {
  const Index* const queue = s.work.queue.data();
  const Csr<Index> out = s.view.out;
  const auto bounds = equal_ranges(s, s.lease.need() == 1 ? 1 : 4 * s.lease.need());
  const std::int64_t count = std::int64_t(bounds.size()) - 1;
  Sum sum;
  s.lease.chunks(count, 1, [&](int id, std::int64_t r, std::int64_t) {
    Marker<Smallest, false, Index> mark(s, s.work.next.data());
    const Index first = Index(bounds[r] * kWordBits), last = Index(bounds[r + 1] * kWordBits - 1);
    for (std::int64_t i = s.head; i < s.tail; ++i) {
      if (i % 1024 == 1023 && s.signals.tick(id)) return;
      if (i + 8 < s.tail) __builtin_prefetch(out.begin(queue[i + 8]));
      const Index *begin = out.begin(queue[i]), *end = out.end(queue[i]);
      if (r > 0) begin = std::lower_bound(begin, end, first);
      if (r < count - 1) end = std::upper_bound(begin, end, last);
      mark(queue[i], begin, end);
    }
    sum.add(sweep_marks(s, bounds[r], bounds[r + 1]));
  });
  end_marks(s, sum);
}

// For short rows. Each thread marks in a bitmap of its own; the sweep unites them.
template <bool Smallest, class Index>
void mark_apart(State<Index>& s) {
  const Index* const queue = s.work.queue.data();
  const Csr<Index> out = s.view.out;
  const std::int64_t words = s.words(), others = s.lease.need() - 1;
  if (std::int64_t(s.work.apart.size()) < others * words) s.work.apart = Buffer<Word>(others * words);
  if (others > 0) clear(s.work.apart.data(), others * words);
  const auto map_of = [&](int id) {
    return id == 0 ? s.work.next.data() : s.work.apart.data() + (id - 1) * words;
  };
  s.lease.chunks(s.tail - s.head, 256, [&](int id, std::int64_t begin, std::int64_t end) {
    if (s.signals.tick(id)) return;
    Marker<Smallest, false, Index> mark(s, map_of(id));
    for (std::int64_t i = s.head + begin; i < s.head + end; ++i) {
      if (i + 8 < s.tail) __builtin_prefetch(out.begin(queue[i + 8]));
      mark(queue[i], out.begin(queue[i]), out.end(queue[i]));
    }
  });
  Sum sum;
  s.lease.chunks(words, kScanWords, [&](int, std::int64_t begin, std::int64_t end) {
    for (int id = 1; id <= others; ++id)
      for (std::int64_t w = begin; w < end; ++w) s.work.next[w] |= map_of(id)[w];
    sum.add(sweep_marks(s, begin, end));
  });
  end_marks(s, sum);
}

constexpr std::int64_t kLongRows = 256;  // mean degree of a frontier with long rows
constexpr int kMaxApart = 16;            // bitmaps: 2 bytes per vertex

template <bool Smallest, class Index>
void mark_queue(State<Index>& s) {
  const bool long_rows = s.frontier.edges > kLongRows * s.frontier.vertices;
  long_rows || s.lease.need() > kMaxApart ? mark_ranges<Smallest>(s) : mark_apart<Smallest>(s);
}

}  // namespace lagbfs
