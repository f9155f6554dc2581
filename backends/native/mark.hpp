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

template <bool Smallest, bool Shared, class Index>
class Marker {
 public:
  explicit Marker(State<Index>& s) : seen_(s.seen()), next_(s.work.next.data()), noted_(notes_of(s)) {}

  void operator()(Index u, const Index* begin, const Index* end) {
    for (const Index* e = begin; e != end; ++e) {
      const Index v = *e;
      if (Smallest) {
        if (test(seen_, v)) continue;
        take_min(noted_ + v, u);
        insert<Shared>(next_, v);
      } else if (!((load(seen_ + (v >> 6)) | load(next_ + (v >> 6))) & bit_of(v))) {
        if (insert<Shared>(next_, v) && noted_) noted_[v] = u;
      }
    }
  }

 private:
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

// The queue's out-edges into each range: rows being sorted, those are a run of every row.
template <bool Smallest, class Index>
void mark_ranges(State<Index>& s) {
  const Index* const queue = s.work.queue.data();
  const Csr<Index> out = s.view.out;
  const bool long_rows = s.frontier.edges > 256 * s.frontier.vertices;
  const std::int64_t threads = s.lease.need();
  const auto bounds = equal_ranges(s, threads == 1 ? 1 : long_rows ? 4 * threads : threads);
  const std::int64_t count = std::int64_t(bounds.size()) - 1;
  Sum sum;
  s.lease.chunks(count, 1, [&](int id, std::int64_t r, std::int64_t) {
    Marker<Smallest, false, Index> mark(s);
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

}  // namespace lagbfs
