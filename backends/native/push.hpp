// Push: next⟨¬visited⟩ = frontier any.secondi A, by scanning the out-edges of the frontier.
//
// Three ways to find those edges: push:queue walks the frontier's queue, push:scan asks every vertex
// whether it is in the frontier, push:edges hands out equal runs of all edges whatever their rows.
// Two ways to note what they reach. Claiming (claim.hpp) appends a vertex to the queue, and its parent beside it:
// the work is proportional to the edges. Marking (mark.hpp) only notes a parent, and settles all noted
// vertices in one sequential sweep: for all levels but thin ones, as claiming touches four arrays at random.
#pragma once

#include <algorithm>

#include "claim.hpp"
#include "mark.hpp"
#include "policy.hpp"

namespace lagbfs {

// Rows too long for one thread, left for the whole team. Full means: do it yourself.
template <class Index>
struct HeavyRows {
  static constexpr int kSize = 256;
  static constexpr std::int64_t kLong = 8192, kPiece = 4096;
  Index rows[kSize];
  int size = 0;

  bool add(Index u) {
    const int at = fetch_add(&size, 1);
    if (at < kSize) rows[at] = u;
    return at < kSize;
  }
  int count() const { return std::min(size, int(kSize)); }
};

template <bool Smallest, class Index>
void claim_heavy(State<Index>& s, const HeavyRows<Index>& heavy, Sum& sum) {
  const Csr<Index> out = s.view.out;
  const int count = heavy.count();
  std::int64_t pieces[HeavyRows<Index>::kSize + 1] = {0};
  for (int i = 0; i < count; ++i) pieces[i + 1] = pieces[i] + out.degree(heavy.rows[i]) / heavy.kPiece + 1;
  std::int64_t next = 0;
  s.lease.run([&](int id) {
    Claimer<Smallest, Index> claim(s, id, kBatch);
    for (std::int64_t at; (at = fetch_add(&next, std::int64_t{1})) < pieces[count];) {
      const int i = int(std::upper_bound(pieces, pieces + count + 1, at) - pieces) - 1;
      const Index* const from = out.begin(heavy.rows[i]) + (at - pieces[i]) * heavy.kPiece;
      claim(heavy.rows[i], from, std::min(from + heavy.kPiece, out.end(heavy.rows[i])));
    }
    claim.flush();
    sum.add(claim.tally());
  });
}

template <bool Smallest, class Index>
void push_claiming(State<Index>& s) {
  const Index* const queue = s.work.queue.data();
  const Csr<Index> out = s.view.out;
  const std::int64_t size = s.tail - s.head;
  const int batch = int(std::clamp<std::int64_t>(size / (s.lease.need() * 8), 16, kBatch));
  s.runs.turn(s.lease.size(), s.owned, s.head, s.tail, batch);
  HeavyRows<Index> heavy;
  Sum sum;
  s.head = s.tail;
  s.lease.run([&](int id) {
    Claimer<Smallest, Index> claim(s, id, batch);
    for (Run run; s.runs.take(id, run) && !s.signals.tick(id);)
      for (std::int64_t i = run.begin; i < run.end; ++i) {
        const Index u = queue[i];
        if (out.degree(u) <= heavy.kLong || !heavy.add(u)) claim(u, out.begin(u), out.end(u));
      }
    claim.flush();
    sum.add(claim.tally());
  });
  if (heavy.count()) claim_heavy<Smallest>(s, heavy, sum);
  s.frontier = sum.total();
  s.owned = true;
}

template <bool Smallest, class Index>
void mark_scan(State<Index>& s) {
  const Csr<Index> out = s.view.out;
  s.lease.chunks(s.words(), 64, [&](int id, std::int64_t begin, std::int64_t end) {
    if (s.signals.tick(id)) return;
    const Noter<Smallest, Index> note(s, id);
    for (std::int64_t w = begin; w < end; ++w)
      for_bits(s.front()[w], w * kWordBits, [&](std::int64_t u) { note(Index(u), out.begin(u), out.end(u)); });
  });
  sweep_all<Smallest>(s);
}

template <bool Smallest, class Index>
void mark_edges(State<Index>& s) {
  const Csr<Index> out = s.view.out;
  const Index* const rows_end = out.indptr + s.view.active + 1;
  s.lease.chunks(out.edges(), 16384, [&](int id, std::int64_t begin, std::int64_t end) {
    if (s.signals.tick(id)) return;
    const Noter<Smallest, Index> note(s, id);
    std::int64_t u = std::upper_bound(out.indptr, rows_end, Index(begin)) - out.indptr - 1;
    for (std::int64_t e = begin; e < end; ++u) {
      const std::int64_t stop = std::min<std::int64_t>(out.indptr[u + 1], end);
      if (test(s.front(), u)) note(Index(u), out.indices + e, out.indices + stop);
      e = stop;
    }
  });
  sweep_all<Smallest>(s);
}

template <bool Smallest, class Index>
void push_marking(State<Index>& s, int arm, bool alone) {
  s.apart = !alone && s.frontier.edges > kApartShare * s.view.active && s.lease.need() > 1;
  begin_marks(s);
  arm == kPushQueue  ? mark_queue<Smallest>(s, alone)
  : arm == kPushScan ? mark_scan<Smallest>(s)
                     : mark_edges<Smallest>(s);
}

template <bool Smallest, class Index>
void push_by(State<Index>& s, int arm) {
  arm == kPushQueue ? queue_frontier(s) : map_frontier(s);
  const std::int64_t edges = s.frontier.edges + s.frontier.vertices, swept = s.view.active / 4;  // vertices, in edges
  const bool awake = s.lease.asked();
  const bool alone = edges < (awake ? kAloneEdges : kWakeEdges) || s.lease.need() == 1;
  if (arm != kPushQueue || edges > s.view.active / (alone ? kSweepShareAlone : kSweepShare))
    return push_marking<Smallest>(s, arm, edges + swept < (awake ? kAloneMarks : kWakeEdges));
  begin_claims<Smallest>(s);
  alone ? push_alone<Smallest>(s) : push_claiming<Smallest>(s);
  if (Smallest) commit_claims(s);
  s.queued = true, s.mapped = false;
}

template <class Index>
void push(State<Index>& s, int arm) {
  s.listed = false;
  s.smallest && s.parents ? push_by<true>(s, arm) : push_by<false>(s, arm);
}

}  // namespace lagbfs
