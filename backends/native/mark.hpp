// Marking: an edge u → v to an unvisited v sets v's bit in `next` and notes u as its parent; a sweep over `next`
// then settles the marked vertices in order. Of several edges any may win: all are valid parents.
//
// Parents are noted in the user's array where its labels are the view's, else in work.list.
#pragma once

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
  const Word* seen_;
  Word* next_;
  Index* noted_;
};

template <class Index>
void begin_marks(State<Index>& s) {
  if (s.parents && s.view.user && !s.work.list) s.work.list = Buffer<Index>(s.view.n);
  if (!s.clean) clear(s.work.next.data(), s.words());
}

template <class Index>
void sweep_marks(State<Index>& s) {
  const Index* const noted = notes_of(s);
  const bool in_place = noted == s.parents;  // no translation to do, or no parents at all
  const Settler<Index> settle{s.view.user, in_place ? nullptr : s.parents, s.levels, s.level + 1};
  const bool idle = !settle.parents && !settle.levels;
  Sum sum;
  s.lease.chunks(s.words(), kScanWords, [&](int, std::int64_t begin, std::int64_t end) {
    Tally tally;
    for (std::int64_t w = begin; w < end; ++w) {
      const Word found = s.work.next[w];
      if (!found) continue;
      s.seen()[w] |= found;
      if (!idle)
        for_bits(found, w * kWordBits, [&](std::int64_t v) { settle(Index(v), noted ? noted[v] : Index(v)); });
      count(s, w, found, tally);
    }
    sum.add(tally);
  });
  s.frontier = sum.total();
  std::swap(s.work.front, s.work.next);
  s.mapped = true, s.queued = s.clean = false;
}

}  // namespace lagbfs
