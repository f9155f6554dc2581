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
        levels{nullptr, levels},
        smallest(smallest),
        frontier(work, words(), lease),
        claims(work, lease, own(), view.user, parents, this->levels),
        unvisited(view, work, lease, claims) {}

  const View<Index, Offset>& view;
  Workspace<Index>& work;
  Lease& lease;
  Signals& signals;
  Index* const parents;
  Levels levels;
  const bool smallest;
  std::int32_t level = 0;  // of the frontier
  Frontier<Index> frontier;
  Claims<Index> claims;
  Unvisited<Index, Offset> unvisited;

  std::int64_t words() const { return words_of(view.active); }

  // Of the user's label v: whether the results have it. Claims that wait are not among them.
  bool reached(Index v) const { return parents ? parents[v] >= 0 : levels.has(v); }

  // From here on levels are bytes, of large graphs that are not expected to be deep: those with heads.
  void narrow() {
    if (levels.wide && view.heads && view.n >= kNarrowVertices) levels.narrow = work.reserve_depths();
  }

  // From here on levels are where the result is.
  void widen() {
    const std::uint8_t* const narrow = levels.narrow;
    if (!narrow) return;
    lease.chunks(view.n, kWidenedVertices, [&](int, std::int64_t begin, std::int64_t end) {
      for (std::int64_t v = begin; v < end; ++v) levels.wide[v] = std::int32_t(std::uint8_t(narrow[v] + 1)) - 1;
    });
    levels.narrow = nullptr;
  }

  // For vertices of the level to come.
  Settler<Index> settler() const { return settler_at(level + 1); }
  Settler<Index> settler_at(std::int32_t at) const { return {own(), view.user, parents, levels, at}; }

  // Where the results have vertices.
  const Index* own() const { return view.user ? view.user + view.offset : nullptr; }
};

}  // namespace lagbfs
