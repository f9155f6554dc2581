// Claiming: whoever sets a vertex's bit in the visited bitmap appends it to the queue, and its parent to the claims
// that wait (settle.hpp). Once some vertices have gathered, the rows that the next level will read are asked for.
//
// For smallest parents the bits of a level are set in the next bitmap while it runs, so that the visited bitmap still
// tells earlier levels from this one, and every edge takes part in the minimum, which is settled at once.
#pragma once

#include <algorithm>
#include <cstdint>

#include "state.hpp"

namespace lagbfs {

// Asks for the rows of v[0 … count), unless they are of a block, whose next frontier comes from all parts. Returns the
// sum of their out-degrees.
template <class Index, class Offset>
inline std::int64_t expect_rows(const View<Index, Offset>& view, const Index* v, std::int64_t count) {
  std::int64_t edges = 0;
  if (view.degrees) {
    for (std::int64_t i = 0; i < count; ++i) edges += view.degree(v[i]);
    return edges;
  }
  const Csr<Index, Offset> out = view.out;
  for (std::int64_t i = 0; i < count; ++i) {
    edges += out.degree(v[i]);
    __builtin_prefetch(out.begin(v[i]));
  }
  return edges;
}

// For one thread: appends straight to the queue, which has room for one entry more than it may hold.
template <bool Smallest, class Index, class Offset>
class Appender {
 public:
  explicit Appender(State<Index, Offset>& s)
      : view_(s.view),
        out_(s.view.out),
        parents_(s.parents),
        visited_(s.unvisited.visited()),
        level_(Smallest ? s.frontier.empty_next_bitmap() : nullptr),
        tail_(s.frontier.next_queue()),
        expected_(tail_),
        from_(s.claims.beside(tail_)) {}

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
    edges_ += expect_rows(view_, expected_, tail_ - expected_);
    expected_ = tail_;
  }

  const Index* tail() const { return tail_; }
  std::int64_t edges() const { return edges_; }

 private:
  // No branch depends on whether a vertex is new: on a sparse graph that is a coin's toss.
  void claim(Index u, const Index* begin, const Index* end) {
    Index *tail = tail_, *from = from_;
    for (const Index* e = begin; e != end; ++e) {
      const Index v = *e;
      Word* const word = visited_ + (v >> 6);
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
      if (test(visited_, *e)) continue;
      take_min(parents_ + *e, u);
      if (insert_alone(level_, *e)) *tail_++ = *e;
    }
  }

  const View<Index, Offset>& view_;
  const Csr<Index, Offset> out_;
  Index* const parents_;
  Word *const visited_, *const level_;
  Index *tail_, *expected_, *from_;
  std::int64_t edges_ = 0;
};

template <bool Smallest, class Index, class Offset>
void claim_alone(State<Index, Offset>& s) {
  const Span<const Index> queue = s.frontier.as_queue();
  Appender<Smallest, Index, Offset> append(s);
  const Index* u = queue.begin();
  do {
    const Index* const stop = queue.end() - u > kAskAlone ? u + kAskAlone : queue.end();
    for (; u != stop; ++u) append.row(*u);
  } while (u != queue.end() && !s.signals.tick(0));
  append.expect();
  s.frontier.became_queue(append.tail(), append.edges());
}

// For a team: new vertices go to the queue a batch at a time, as a run of this thread's.
template <bool Smallest, class Index, class Offset>
class Claimer {
 public:
  Claimer(State<Index, Offset>& state, Word* level, int id, int batch)
      : state_(state),
        id_(id),
        batch_(batch),
        parents_(state.parents),
        visited_(state.unvisited.visited()),
        level_(level) {}

  void operator()(Index u, const Index* begin, const Index* end) {
    for (const Index* e = begin; e != end; ++e)
      if (claim(u, *e)) add(u, *e);
  }

  void flush() {
    if (size_ == 0) return;
    tally_ += Tally{size_, expect_rows(state_.view, items_, size_)};
    const Index* const at = state_.frontier.append_run(id_, items_, size_);
    if (!Smallest) std::copy(from_, from_ + size_, state_.claims.beside(at));
    size_ = 0;
  }

  const Tally& tally() const { return tally_; }

 private:
  bool claim(Index u, Index v) {
    if (!Smallest) return insert_shared(visited_, v);
    if (test(visited_, v)) return false;
    take_min(parents_ + v, u);
    return insert_shared(level_, v);
  }

  void add(Index u, Index v) {
    items_[size_] = v, from_[size_] = u;
    if (++size_ == batch_) flush();
  }

  State<Index, Offset>& state_;
  const int id_, batch_;
  Index* const parents_;
  Word *const visited_, *const level_;
  Tally tally_;
  int size_ = 0;
  Index items_[kBatch], from_[kBatch];
};

// Rows too long for one thread, left for the whole team. Full means: do it yourself.
template <class Index>
struct HeavyRows {
  Index rows[kHeavyRows];
  int size = 0;

  bool add(Index u) {
    const int at = fetch_add(&size, 1);
    if (at < kHeavyRows) rows[at] = u;
    return at < kHeavyRows;
  }
  int count() const { return std::min(size, int(kHeavyRows)); }
};

template <bool Smallest, class Index, class Offset>
void claim_heavy(State<Index, Offset>& s, Word* level, const HeavyRows<Index>& heavy, Sum& sum) {
  const Csr<Index, Offset> out = s.view.out;
  const int count = heavy.count();
  std::int64_t pieces[kHeavyRows + 1] = {0};
  for (int i = 0; i < count; ++i) pieces[i + 1] = pieces[i] + out.degree(heavy.rows[i]) / kHeavyPiece + 1;
  std::int64_t next = 0;
  s.lease.run([&](int id) {
    Claimer<Smallest, Index, Offset> claim(s, level, id, kBatch);
    for (std::int64_t at; (at = fetch_add(&next, std::int64_t{1})) < pieces[count];) {
      const int i = int(std::upper_bound(pieces, pieces + count + 1, at) - pieces) - 1;
      const Index* const from = out.begin(heavy.rows[i]) + (at - pieces[i]) * kHeavyPiece;
      claim(heavy.rows[i], from, std::min(from + kHeavyPiece, out.end(heavy.rows[i])));
    }
    claim.flush();
    sum.add(claim.tally());
  });
}

template <bool Smallest, class Index, class Offset>
void claim_together(State<Index, Offset>& s) {
  const std::int64_t size = s.frontier.as_queue().size();
  const Csr<Index, Offset> out = s.view.out;
  const int batch = int(std::clamp<std::int64_t>(size / (s.lease.need() * kRunsEach), kLeastBatch, kBatch));
  Word* const level = Smallest ? s.frontier.empty_next_bitmap() : nullptr;
  HeavyRows<Index> heavy;
  Sum sum;
  s.frontier.deal_runs(batch);
  s.lease.run([&](int id) {
    Claimer<Smallest, Index, Offset> claim(s, level, id, batch);
    for (Span<const Index> run; s.frontier.take_run(id, run) && !s.signals.tick(id);)
      for (const Index u : run)
        if (out.degree(u) <= kHeavyRow || !heavy.add(u)) claim(u, out.begin(u), out.end(u));
    claim.flush();
    sum.add(claim.tally());
  });
  if (heavy.count()) claim_heavy<Smallest>(s, level, heavy, sum);
  s.frontier.became_runs(sum.total());
}

// For smallest parents: the bits of this level go from the next bitmap, which is then empty again, to the visited.
template <class Index, class Offset>
void commit_level(State<Index, Offset>& s) {
  Word *const visited = s.unvisited.visited(), *const level = s.frontier.next_bitmap();
  const Settler<Index> settle = s.settler();
  for (const Index v : s.frontier.as_queue()) {
    level[v >> 6] = 0, visited[v >> 6] |= bit_of(v);
    settle.set_level(v);
  }
}

// next⟨¬visited⟩ = frontier any.secondi A, as a queue. `alone`: by one thread.
template <bool Smallest, class Index, class Offset>
void push_claiming(State<Index, Offset>& s, bool alone) {
  s.claims.reserve();
  alone ? claim_alone<Smallest>(s) : claim_together<Smallest>(s);
  Smallest ? commit_level(s) : s.claims.add(s.frontier.as_queue(), s.level + 1);
}

}  // namespace lagbfs
