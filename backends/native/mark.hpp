// Marking: an edge u → v notes u at v, whatever is known of v: one store, which waits for nothing. A sweep over the
// notes (notes.hpp) then settles the new vertices.
//
// Three ways to find the frontier's edges: mark_rows and mark_ranges walk its queue, mark_scan asks every vertex
// whether it is in the frontier, mark_edges hands out equal runs of all edges whatever their rows.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "arms.hpp"
#include "notes.hpp"

namespace lagbfs {

// Ranges of labels that receive about equally many edges, in words: a thread that has one to itself takes no cache
// line from another.
template <class Index, class Offset>
std::vector<std::int64_t> equal_ranges(const State<Index, Offset>& s, std::int64_t count) {
  const Csr<Index, Offset>& in = s.view.in;
  const std::int64_t edges = in.indptr[s.view.active];
  std::vector<std::int64_t> bounds{0};
  for (std::int64_t i = 1; i < count; ++i) {
    const Offset* at = std::lower_bound(in.indptr, in.indptr + s.view.active, Offset(edges / count * i));
    bounds.push_back(std::max(bounds.back(), (at - in.indptr) / kWordBits / kLineWords * kLineWords));
  }
  bounds.push_back(s.words());
  return bounds;
}

// For long rows. The queue's out-edges into each range: rows being sorted, those are a run of every row.
template <bool Smallest, class Index, class Offset>
void mark_ranges(State<Index, Offset>& s, const Notes<Index>& notes) {
  const Span<const Index> queue = s.frontier.as_queue();
  const Csr<Index, Offset> out = s.view.out;
  const int each = s.frontier.edges() > kCutOften * s.frontier.size() ? kRangesOften : kRangesSeldom;
  const auto bounds = equal_ranges(s, s.lease.need() == 1 ? 1 : each * s.lease.need());
  const std::int64_t count = std::int64_t(bounds.size()) - 1;
  Sum sum;
  s.lease.chunks(count, 1, [&](int id, std::int64_t r, std::int64_t) {
    const Noter<Smallest, Index> note{notes.of_thread(0)};
    const Index first = Index(bounds[r] * kWordBits), last = Index(bounds[r + 1] * kWordBits - 1);
    for (std::int64_t i = 0; i < queue.size(); ++i) {
      if (i % kAskRange == kAskRange - 1 && s.signals.tick(id)) break;
      if (i + kAhead < queue.size()) __builtin_prefetch(out.begin(queue[i + kAhead]));
      const Index *begin = out.begin(queue[i]), *end = out.end(queue[i]);
      if (r > 0) begin = std::lower_bound(begin, end, first);
      if (r < count - 1) end = std::upper_bound(begin, end, last);
      note(queue[i], begin, end);
    }
    sum.add(sweep<Smallest>(s, notes, bounds[r], bounds[r + 1]));
  });
  s.frontier.became_bitmap(sum.total());
}

// For short rows, or all of them by one thread.
template <bool Smallest, class Index, class Offset>
void mark_rows(State<Index, Offset>& s, const Notes<Index>& notes, bool alone) {
  const Span<const Index> queue = s.frontier.as_queue();
  const Csr<Index, Offset> out = s.view.out;
  const std::int64_t size = queue.size();
  const std::int64_t chunk = alone ? size : std::clamp<std::int64_t>(size / (kRunsEach * s.lease.need()), 1, kMostRows);
  s.lease.chunks(size, chunk, [&](int id, std::int64_t begin, std::int64_t end) {
    if (s.signals.tick(id)) return;
    const Noter<Smallest, Index> note{notes.of_thread(id)};
    for (std::int64_t i = begin; i < end; ++i) {
      if (i + kAhead < size) __builtin_prefetch(out.begin(queue[i + kAhead]));
      note(queue[i], out.begin(queue[i]), out.end(queue[i]));
    }
  });
  sweep_all<Smallest>(s, notes, alone);
}

// Whether a queue is cut by ranges.
template <class Index, class Offset>
bool has_long_rows(const State<Index, Offset>& s) {
  return s.frontier.edges() > std::max(kLongRows * s.frontier.size(), kManyEdges);
}

template <bool Smallest, class Index, class Offset>
void mark_scan(State<Index, Offset>& s, const Notes<Index>& notes) {
  const Word* const front = s.frontier.as_bitmap();
  const Csr<Index, Offset> out = s.view.out;
  s.lease.chunks(words_of(out.rows), kMarkWords, [&](int id, std::int64_t begin, std::int64_t end) {
    if (s.signals.tick(id)) return;
    const Noter<Smallest, Index> note{notes.of_thread(id)};
    for (std::int64_t w = begin; w < end; ++w)
      for_bits(front[w], w * kWordBits, [&](std::int64_t u) { note(Index(u), out.begin(u), out.end(u)); });
  });
  sweep_all<Smallest>(s, notes);
}

template <bool Smallest, class Index, class Offset>
void mark_edges(State<Index, Offset>& s, const Notes<Index>& notes) {
  const Word* const front = s.frontier.as_bitmap();
  const Csr<Index, Offset> out = s.view.out;
  const Offset* const rows_end = out.indptr + out.rows + 1;
  s.lease.chunks(out.edges(), kMarkEdges, [&](int id, std::int64_t begin, std::int64_t end) {
    if (s.signals.tick(id)) return;
    const Noter<Smallest, Index> note{notes.of_thread(id)};
    std::int64_t u = std::upper_bound(out.indptr, rows_end, Offset(begin)) - out.indptr - 1;
    for (std::int64_t e = begin; e < end; ++u) {
      const std::int64_t stop = std::min<std::int64_t>(out.indptr[u + 1], end);
      if (test(front, u)) note(Index(u), out.indices + e, out.indices + stop);
      e = stop;
    }
  });
  sweep_all<Smallest>(s, notes);
}

// next⟨¬visited⟩ = frontier any.secondi A, as a bitmap.
template <bool Smallest, class Index, class Offset>
void push_marking(State<Index, Offset>& s, int arm, bool alone) {
  const bool ranges = arm == kPushQueue && !alone && has_long_rows(s);
  const bool crowded = !alone && !ranges && kApartShare * s.frontier.edges() > s.view.active;
  const Notes<Index> notes(s, crowded && s.lease.need() > 1);
  ranges              ? mark_ranges<Smallest>(s, notes)
  : arm == kPushQueue ? mark_rows<Smallest>(s, notes, alone)
  : arm == kPushScan  ? mark_scan<Smallest>(s, notes)
                      : mark_edges<Smallest>(s, notes);
}

}  // namespace lagbfs
