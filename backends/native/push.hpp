// Push: next⟨¬visited⟩ = frontier any.secondi A, by scanning the out-edges of the frontier.
//
// Two ways to note what they reach. Claiming (claim.hpp) appends a vertex to the queue, and its parent beside it:
// the work is proportional to the edges. Marking (mark.hpp) only notes a parent, and settles all noted
// vertices in one sequential sweep: for all levels but thin ones, as claiming touches four arrays at random.
// push:queue is claimed or marked; push:scan and push:edges, which walk other things than the queue, are marked.
#pragma once

#include "arms.hpp"
#include "claim.hpp"
#include "mark.hpp"

namespace lagbfs {

template <bool Smallest, class Index, class Offset>
void push_by(State<Index, Offset>& s, int arm) {
  const std::int64_t edges = s.frontier.edges() + s.frontier.size(), swept = s.view.active / kSweptEdges;
  const bool awake = s.lease.asked();
  const bool alone = edges < (awake ? kAloneEdges : kWakeEdges) || s.lease.need() == 1;
  if (arm != kPushQueue || edges > s.view.active / (alone ? kSweepShareAlone : kSweepShare))
    push_marking<Smallest>(s, arm, edges + swept < (awake ? kAloneMarks : kWakeEdges));
  else push_claiming<Smallest>(s, alone);
}

template <class Index, class Offset>
void push(State<Index, Offset>& s, int arm) {
  s.unvisited.forget_list();
  s.smallest&& s.parents ? push_by<true>(s, arm) : push_by<false>(s, arm);
}

}  // namespace lagbfs
