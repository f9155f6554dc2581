// Notes: at each vertex the parent that some edge noted there, -1 if none did. A sweep settles the unvisited among the
// noted vertices, in order, and blanks what it read.
//
// Where a cache line of notes is written to more than once, threads would take it from each other all the time: there
// every other thread has notes of its own, and the sweep reads both.
// Notes are blank between levels. Who stops marking for a signal must therefore still sweep.
#pragma once

#include <algorithm>
#include <cstdint>

#if defined(__SSE2__)
#include <immintrin.h>
#endif

#include "state.hpp"

namespace lagbfs {

template <class Index>
class Notes {
 public:
  // `apart`: in two sets.
  template <class Offset>
  Notes(State<Index, Offset>& s, bool apart) : others_(apart ? words_of(s.view.n) * kWordBits : 0) {
    const std::int64_t size = words_of(s.view.n) * kWordBits + others_;
    if (std::int64_t(s.work.notes.size()) < size) make_blank(s, size);
    all_ = s.work.notes.data();
  }

  Index* of_thread(int id) const { return all_ + (id % 2 ? others_ : 0); }

  // How far a vertex's note in the other set is from that in the first; 0 if there is no other.
  std::int64_t others() const { return others_; }

 private:
  template <class Offset>
  static void make_blank(State<Index, Offset>& s, std::int64_t size) {
    s.work.notes = Recycled<Index>(size);
    Index* const notes = s.work.notes.data();
    s.lease.chunks(size, kNoteFill, [&](int, std::int64_t begin, std::int64_t end) {
      std::fill(notes + begin, notes + end, Index(-1));
    });
  }

  std::int64_t others_;
  Index* all_;
};

// Notes u at all of its edges' ends. Of several edges to one any may win, all being valid parents; for smallest parents
// the least does.
template <bool Smallest, class Index>
struct Noter {
  Index* const notes;

  void operator()(Index u, const Index* begin, const Index* end) const {
    for (const Index* e = begin; e != end; ++e) Smallest ? take_min(notes + *e, u) : store(notes + *e, u);
  }
};

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

// Settles the noted vertices of words [begin, end), which make those words of the next bitmap.
template <bool Smallest, class Index, class Offset>
Tally sweep(State<Index, Offset>& s, const Notes<Index>& all, std::int64_t begin, std::int64_t end) {
  const Settler<Index> settle = s.settler();
  Word *const visited = s.unvisited.visited(), *const next = s.frontier.next_bitmap();
  Index* const first = all.of_thread(0);
  const std::int64_t others = all.others();
  Tally tally;
  for (std::int64_t w = begin; w < end; ++w) {
    Index* const notes = first + w * kWordBits;
    Word noted = noted_among(notes);
    if (others) noted |= join_notes<Smallest>(notes, notes + others);
    const Word found = noted & ~visited[w];
    next[w] = found;
    visited[w] |= found;
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

// All words. `alone`: by one thread.
template <bool Smallest, class Index, class Offset>
void sweep_all(State<Index, Offset>& s, const Notes<Index>& notes, bool alone = false) {
  Sum sum;
  s.lease.chunks(s.words(), alone ? s.words() : kScanWords,
                 [&](int, std::int64_t begin, std::int64_t end) { sum.add(sweep<Smallest>(s, notes, begin, end)); });
  s.frontier.became_bitmap(sum.total());
}

}  // namespace lagbfs
