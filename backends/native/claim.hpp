// Claiming: whoever sets a vertex's bit in `visited` appends it to the queue, and its parent to from() beside it.
//
// Parents wait there until the search needs that memory or ends (settle_claims in frontier.hpp): thin levels then touch
// nothing at random but the rows and the bitmap, and all threads settle, which few of such levels employ. Once some
// vertices have gathered, the rows that the next level will read are asked for.
// For smallest parents the bits of a level are set in `next` while it runs, so that `visited` still
// tells earlier levels from this one, and every edge takes part in the minimum.
#pragma once

#include <algorithm>

#include "frontier.hpp"

namespace lagbfs {

// Asks for the rows of v[0 … count), and writes their levels. Returns the sum of their out-degrees.
template <class Index>
inline std::int64_t expect_rows(const Csr<Index>& out, const Settler<Index>& settle, const Index* v,
                                std::int64_t count) {
  std::int64_t edges = 0;
  for (std::int64_t i = 0; i < count; ++i) {
    edges += out.degree(v[i]);
    __builtin_prefetch(out.begin(v[i]));
    settle.set_level(v[i]);
  }
  return edges;
}

// For one thread: appends straight to the queue, which has room for one entry more than it may hold.
template <class Index>
class Appender {
 public:
  explicit Appender(State<Index>& s)
      : out_(s.view.out), settle_(s.settler()), seen_(s.seen()), next_(s.work.next.data()),
        tail_(s.work.queue.data() + s.tail), expected_(tail_), from_(s.from() + s.tail) {}

  // No branch depends on whether a vertex is new: on a sparse graph that is a coin's toss.
  void claim(Index u, const Index* begin, const Index* end) {
    Index *tail = tail_, *from = from_;
    for (const Index* e = begin; e != end; ++e) {
      const Index v = *e;
      Word* const word = seen_ + (v >> 6);
      const Word old = *word;
      *word = old | bit_of(v);
      *tail = v, *from = u;
      const int fresh = int(~old >> (v & 63) & 1);
      tail += fresh, from += fresh;
    }
    tail_ = tail, from_ = from;
  }

  void claim_smallest(Index u, const Index* begin, const Index* end) {
    for (const Index* e = begin; e != end; ++e) {
      if (test(seen_, *e)) continue;
      take_min(settle_.parents + *e, u);
      if (insert_alone(next_, *e)) *tail_++ = *e;
    }
  }

  template <bool Smallest>
  void row(Index u) {
    const Index *e = out_.begin(u), *const end = out_.end(u);
    while (e != end) {
      const Index* const stop = end - e > kBatch ? e + kBatch : end;
      Smallest ? claim_smallest(u, e, stop) : claim(u, e, stop);
      if (tail_ - expected_ >= kBatch) expect();
      e = stop;
    }
  }

  void expect() {
    edges_ += expect_rows(out_, settle_, expected_, tail_ - expected_);
    expected_ = tail_;
  }

  const Index* tail() const { return tail_; }
  std::int64_t edges() const { return edges_; }

 private:
  const Csr<Index> out_;
  const Settler<Index> settle_;
  Word *const seen_, *const next_;
  Index *tail_, *expected_, *from_;
  std::int64_t edges_ = 0;
};

template <bool Smallest, class Index>
void push_alone(State<Index>& s) {
  const Index* const queue = s.work.queue.data();
  const std::int64_t begin = s.head, end = s.tail;
  Appender<Index> appender(s);
  for (std::int64_t i = begin; i < end; ++i) {
    if (i % 4096 == 4095 && s.signals.tick(0)) break;
    appender.template row<Smallest>(queue[i]);
  }
  appender.expect();
  s.head = end, s.tail = appender.tail() - queue;
  s.frontier = {s.tail - s.head, appender.edges()};
  s.owned = false;
}

// For a team: new vertices go to the queue a batch at a time, as a run of this thread's.
template <bool Smallest, class Index>
class Claimer {
 public:
  Claimer(State<Index>& state, int id, int batch)
      : state_(state), id_(id), batch_(batch), settle_(state.settler()), seen_(state.seen()),
        next_(state.work.next.data()) {}

  void operator()(Index u, const Index* begin, const Index* end) {
    for (const Index* e = begin; e != end; ++e)
      if (claim(u, *e)) add(u, *e);
  }

  void flush() {
    if (size_ == 0) return;
    tally_ += Tally{size_, expect_rows(state_.view.out, settle_, items_, size_)};
    const std::int64_t at = fetch_add(&state_.tail, std::int64_t(size_));
    std::copy(items_, items_ + size_, state_.work.queue.data() + at);
    if (!Smallest) std::copy(from_, from_ + size_, state_.from() + at);
    state_.runs.note(id_, {at, at + size_});
    size_ = 0;
  }

  const Tally& tally() const { return tally_; }

 private:
  bool claim(Index u, Index v) {
    if (!Smallest) return insert_shared(seen_, v);
    if (test(seen_, v)) return false;
    take_min(settle_.parents + v, u);
    return insert_shared(next_, v);
  }

  void add(Index u, Index v) {
    items_[size_] = v, from_[size_] = u;
    if (++size_ == batch_) flush();
  }

  State<Index>& state_;
  const int id_, batch_;
  const Settler<Index> settle_;
  Word *const seen_, *const next_;
  Tally tally_;
  int size_ = 0;
  Index items_[kBatch], from_[kBatch];
};

template <bool Smallest, class Index>
void begin_claims(State<Index>& s) {
  s.reserve_scratch();
  if (!Smallest || s.clean) return;
  clear(s.work.next.data(), s.words());
  s.clean = true;
}

// For smallest parents, which are settled: the bits of this level go from `next` to `visited`.
template <class Index>
void commit_claims(State<Index>& s) {
  const Index* const queue = s.work.queue.data();
  for (std::int64_t i = s.head; i < s.tail; ++i) {
    s.work.next[queue[i] >> 6] = 0;
    s.seen()[queue[i] >> 6] |= bit_of(queue[i]);
  }
  s.settled = s.tail;
}

}  // namespace lagbfs
