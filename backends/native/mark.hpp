// Marking: an edge u → v notes u at v, whatever is known of v: one store, which waits for nothing. A sweep over the
// notes then settles the unvisited among the noted vertices, in order, and blanks what it read. Of several edges any
// may win, all being valid parents; for smallest parents the least does.
//
// Where most vertices are noted, several times each, threads would take each other's cache lines all the time: there
// every other thread has notes of its own (s.apart), and the sweep reads both.
// work.notes is blank between levels. Who stops marking for a signal must therefore still sweep.
#pragma once

#include <algorithm>
#include <vector>

#if defined(__SSE2__)
#include <immintrin.h>
#endif

#include "frontier.hpp"

namespace lagbfs {

template <class Index>
std::int64_t notes_stride(const State<Index>& s) {
  return words_of(s.view.n) * kWordBits;
}

template <bool Smallest, class Index>
struct Noter {
  Noter(State<Index>& s, int id) : notes(s.work.notes.data() + (s.apart && id % 2 ? notes_stride(s) : 0)) {}

  void operator()(Index u, const Index* begin, const Index* end) const {
    for (const Index* e = begin; e != end; ++e) Smallest ? take_min(notes + *e, u) : store(notes + *e, u);
  }

  Index* const notes;
};

template <class Index>
void begin_marks(State<Index>& s) {
  const std::int64_t size = notes_stride(s) * (s.apart ? 2 : 1);
  if (std::int64_t(s.work.notes.size()) >= size) return;
  s.work.notes = Recycled<Index>(size);
  Index* const notes = s.work.notes.data();
  s.lease.chunks(size, 1 << 18, [&](int, std::int64_t begin, std::int64_t end) {
    std::fill(notes + begin, notes + end, Index(-1));
  });
}

// Which of 64 notes are not blank: those without a sign.
template <class Index>
inline Word noted_among(const Index* notes) {
  Word blank = 0;
#if defined(__SSE2__)
  constexpr int kLanes = 16 / sizeof(Index);
  for (int b = 0; b < kWordBits; b += kLanes) {
    const __m128i lanes = _mm_loadu_si128(reinterpret_cast<const __m128i*>(notes + b));
    const int signs = kLanes == 4 ? _mm_movemask_ps(_mm_castsi128_ps(lanes)) : _mm_movemask_pd(_mm_castsi128_pd(lanes));
    blank |= Word(unsigned(signs)) << b;
  }
#else
  for (int b = 0; b < kWordBits; ++b) blank |= Word(notes[b] < 0) << b;
#endif
  return ~blank;
}

// Brings 64 notes of the other set to `notes`, blanks them, and returns which there were. Of a vertex that both have
// noted either may stay; for smallest parents the least does.
template <bool Smallest, class Index>
inline Word join_notes(Index* notes, Index* others) {
  const Word more = noted_among(others);
  if (more) {
    for_bits(more, 0, [&](std::int64_t b) { Smallest ? take_min(notes + b, others[b]) : void(notes[b] = others[b]); });
    std::fill(others, others + kWordBits, Index(-1));
  }
  return more;
}

// Settles the noted vertices of words [begin, end).
template <bool Smallest, class Index>
Tally sweep_marks(State<Index>& s, std::int64_t begin, std::int64_t end) {
  const Settler<Index> settle = s.settler();
  const std::int64_t others = s.apart ? notes_stride(s) : 0;
  Index* const all = s.work.notes.data();
  Tally tally;
  for (std::int64_t w = begin; w < end; ++w) {
    Index* const notes = all + w * kWordBits;
    Word noted = noted_among(notes);
    if (others) noted |= join_notes<Smallest>(notes, notes + others);
    const Word found = noted & ~s.seen()[w];
    s.work.next[w] = found;
    s.seen()[w] |= found;
    if (!noted) continue;
    tally.vertices += __builtin_popcountll(found);
    for_bits(found, 0, [&](std::int64_t b) {
      settle(Index(w * kWordBits + b), notes[b]);
      tally.edges += s.view.degree(w * kWordBits + b);
    });
    std::fill(notes, notes + kWordBits, Index(-1));
  }
  return tally;
}

template <class Index>
void end_marks(State<Index>& s, const Sum& sum) {
  s.frontier = sum.total();
  std::swap(s.work.front, s.work.next);
  s.mapped = true, s.queued = s.clean = false;
}

// `alone`: by one thread.
template <bool Smallest, class Index>
void sweep_all(State<Index>& s, bool alone = false) {
  Sum sum;
  s.lease.chunks(s.words(), alone ? s.words() : kScanWords, [&](int, std::int64_t begin, std::int64_t end) {
    sum.add(sweep_marks<Smallest>(s, begin, end));
  });
  end_marks(s, sum);
}

// Ranges of labels that receive about equally many edges, in words: a thread that has one to itself takes no cache
// line from another.
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
  const int each = s.frontier.edges > kCutOften * s.frontier.vertices ? 4 : 2;
  const auto bounds = equal_ranges(s, s.lease.need() == 1 ? 1 : each * s.lease.need());
  const std::int64_t count = std::int64_t(bounds.size()) - 1;
  Sum sum;
  s.lease.chunks(count, 1, [&](int id, std::int64_t r, std::int64_t) {
    const Noter<Smallest, Index> note(s, 0);
    const Index first = Index(bounds[r] * kWordBits), last = Index(bounds[r + 1] * kWordBits - 1);
    for (std::int64_t i = s.head; i < s.tail; ++i) {
      if (i % 1024 == 1023 && s.signals.tick(id)) break;
      if (i + 8 < s.tail) __builtin_prefetch(out.begin(queue[i + 8]));
      const Index *begin = out.begin(queue[i]), *end = out.end(queue[i]);
      if (r > 0) begin = std::lower_bound(begin, end, first);
      if (r < count - 1) end = std::upper_bound(begin, end, last);
      note(queue[i], begin, end);
    }
    sum.add(sweep_marks<Smallest>(s, bounds[r], bounds[r + 1]));
  });
  end_marks(s, sum);
}

// For short rows, or all of them by one thread.
template <bool Smallest, class Index>
void mark_rows(State<Index>& s, bool alone) {
  const Index* const queue = s.work.queue.data();
  const Csr<Index> out = s.view.out;
  const std::int64_t size = s.tail - s.head;
  const std::int64_t chunk = alone ? size : std::clamp<std::int64_t>(size / (8 * s.lease.need()), 1, 256);
  s.lease.chunks(size, chunk, [&](int id, std::int64_t begin, std::int64_t end) {
    if (s.signals.tick(id)) return;
    const Noter<Smallest, Index> note(s, id);
    for (std::int64_t i = s.head + begin; i < s.head + end; ++i) {
      if (i + 8 < s.tail) __builtin_prefetch(out.begin(queue[i + 8]));
      note(queue[i], out.begin(queue[i]), out.end(queue[i]));
    }
  });
  sweep_all<Smallest>(s, alone);
}

template <bool Smallest, class Index>
void mark_queue(State<Index>& s, bool alone) {
  const bool ranges = !alone && s.frontier.edges > std::max(kLongRows * s.frontier.vertices, kManyEdges);
  ranges ? mark_ranges<Smallest>(s) : mark_rows<Smallest>(s, alone);
}

}  // namespace lagbfs
