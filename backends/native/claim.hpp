// Claiming: whoever sets a vertex's bit in `visited` settles it and appends it to the queue.
//
// For smallest parents the bits of a level are set in `next` while it runs, so that `visited` still
// tells earlier levels from this one, and every edge takes part in the minimum.
#pragma once

#include "frontier.hpp"

namespace lagbfs {

// Edge u → v. Whether v is new and so belongs to the next frontier.
template <bool Smallest, bool Shared, class Index>
inline bool claim(Word* seen, Word* next, const Settler<Index>& settle, Index u, Index v) {
  if (!Smallest) {
    if (!insert<Shared>(seen, v)) return false;
    settle(v, u);
    return true;
  }
  if (test(seen, v)) return false;
  take_min(settle.parents + v, u);
  if (!insert<Shared>(next, v)) return false;
  if (settle.levels) settle.levels[v] = settle.level;
  return true;
}

// For one thread: appends straight to the queue.
template <bool Smallest, class Index>
void push_alone(State<Index>& s) {
  Index* const queue = s.work.queue.data();
  const Csr<Index> out = s.view.out;
  const std::int64_t begin = s.head, end = s.tail;
  std::int64_t tail = end, edges = 0;
  const Settler<Index> settle = s.settler();
  Word *const seen = s.seen(), *const next = s.work.next.data();
  for (std::int64_t i = begin; i < end; ++i) {
    if (i % 4096 == 4095 && s.signals.tick(0)) break;
    const Index u = queue[i];
    for (const Index *e = out.begin(u), *stop = out.end(u); e != stop; ++e)
      if (claim<Smallest, false>(seen, next, settle, u, *e)) queue[tail++] = *e, edges += out.degree(*e);
  }
  s.head = end, s.tail = tail;
  s.frontier = {tail - end, edges};
}

// For a team: new vertices go to the queue a buffer at a time.
template <bool Smallest, class Index>
class Claimer {
 public:
  Claimer(State<Index>& state, Sum& sum)
      : state_(state), sum_(sum), settle_(state.settler()), seen_(state.seen()), next_(state.work.next.data()) {}
  Claimer(const Claimer&) = delete;
  ~Claimer() { flush(), sum_.add(tally_); }

  void operator()(Index u, const Index* begin, const Index* end) {
    for (const Index* e = begin; e != end; ++e)
      if (claim<Smallest, true>(seen_, next_, settle_, u, *e)) add(*e);
  }

 private:
  static constexpr int kSize = 1024;

  void add(Index v) {
    items_[size_++] = v;
    tally_ += Tally{1, state_.view.out.degree(v)};
    if (size_ == kSize) flush();
  }

  void flush() {
    if (size_ == 0) return;
    Index* const to = state_.work.queue.data() + fetch_add(&state_.tail, std::int64_t(size_));
    for (int i = 0; i < size_; ++i) to[i] = items_[i];
    size_ = 0;
  }

  State<Index>& state_;
  Sum& sum_;
  const Settler<Index> settle_;
  Word *const seen_, *const next_;
  Tally tally_;
  int size_ = 0;
  Index items_[kSize];
};

template <class Index>
void begin_claims(State<Index>& s) {
  if (!s.clean) clear(s.work.next.data(), s.words());
  s.clean = true;
}

// The bits of this level go from `next` to `visited`.
template <class Index>
void commit_claims(State<Index>& s) {
  const Index* const queue = s.work.queue.data();
  for (std::int64_t i = s.head; i < s.tail; ++i) {
    s.work.next[queue[i] >> 6] = 0;
    s.seen()[queue[i] >> 6] |= bit_of(queue[i]);
  }
}

}  // namespace lagbfs
