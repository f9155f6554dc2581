// The state of a search between two levels: what a kernel is given, and changes.
//
// Everything is in the view's labels but parents and levels, which are the user's arrays in the user's
// labels (either may be null): Settler translates on the way, so that there is no way back to do.
// `smallest` (min_secondi) asks for each vertex's smallest parent.
#pragma once

#include <cstdint>

#include "frontier.hpp"
#include "graph.hpp"
#include "settle.hpp"
#include "signals.hpp"
#include "team.hpp"
#include "unvisited.hpp"
#include "workspace.hpp"

namespace lagbfs {

template <class Index, class Offset>
struct State {
  State(const View<Index, Offset>& view, Workspace<Index>& work, Lease& lease, Signals& signals, Index* parents,
        std::int32_t* levels, bool smallest)
      : view(view),
        work(work),
        lease(lease),
        signals(signals),
        parents(parents),
        levels(levels),
        smallest(smallest),
        frontier(work, words_of(view.active), lease),
        claims(work, lease, view.user, parents, levels),
        unvisited(view, work, lease, claims) {}

  const View<Index, Offset>& view;
  Workspace<Index>& work;
  Lease& lease;
  Signals& signals;
  Index* const parents;
  std::int32_t* const levels;
  const bool smallest;
  std::int32_t level = 0;  // of the frontier
  Frontier<Index> frontier;
  Claims<Index> claims;
  Unvisited<Index, Offset> unvisited;

  std::int64_t words() const { return words_of(view.active); }

  // Of the user's label v: whether the results have it. Claims that wait are not among them.
  bool reached(Index v) const { return (parents ? std::int64_t(parents[v]) : levels[v]) >= 0; }

  // For vertices of the level to come.
  Settler<Index> settler() const { return settler_at(level + 1); }
  Settler<Index> settler_at(std::int32_t at) const { return {view.user, parents, levels, at}; }
};

}  // namespace lagbfs
