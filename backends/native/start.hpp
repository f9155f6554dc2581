// How a search begins: from its sources, or from a state that somebody else has made.
#pragma once

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <stdexcept>

#include "state.hpp"

namespace lagbfs {

// All -1.
template <class T>
void blank(Lease& lease, T* array, std::int64_t n) {
  if (!array) return;
  lease.chunks(n, std::clamp(n / kBlankParts, kBlankLeast, kBlankMost), [&](int, std::int64_t begin, std::int64_t end) {
    std::memset(array + begin, 0xff, (end - begin) * sizeof(T));
  });
}

// All unvisited but the sources, which are the user's. The results are blank.
template <class Index, class Offset>
void start_blank(State<Index, Offset>& s, const Index* sources, std::int64_t count) {
  s.unvisited.reset();
  const Settler<Index> settle = s.settler_at(0);
  for (std::int64_t i = 0; i < count; ++i) {
    const Index v = s.view.to_label(sources[i]);
    if (s.reached(s.view.to_user(v))) continue;
    insert_alone(s.unvisited.visited(), v);
    settle(v, v + s.view.offset);
    s.frontier.add(v, s.view.degree(v));
  }
  s.unvisited.count_visited(s.frontier.tally());
}

// The same; parents and levels hold nothing yet.
template <class Index, class Offset>
void start_fresh(State<Index, Offset>& s, const Index* sources, std::int64_t count) {
  s.narrow();
  blank(s.lease, s.parents, s.view.n);
  s.levels.narrow ? blank(s.lease, s.levels.narrow, s.view.n) : blank(s.lease, s.levels.wide, s.view.n);
  start_blank(s, sources, count);
}

// What parents and levels say is visited.
template <class Index, class Offset>
void read_visited(State<Index, Offset>& s) {
  const auto is_visited = [&](std::int64_t v) { return s.reached(s.view.to_user(Index(v))); };
  Word* const visited = s.unvisited.visited();
  Sum sum;
  s.unvisited.reset();
  s.lease.chunks(s.words(), kReadWords, [&](int, std::int64_t begin, std::int64_t end) {
    Tally tally;
    for (std::int64_t w = begin; w < end; ++w) {
      const std::int64_t last = std::min<std::int64_t>((w + 1) * kWordBits, s.view.active);
      for (std::int64_t v = w * kWordBits; v < last; ++v) {
        if (!is_visited(v)) continue;
        visited[w] |= bit_of(v);
        tally += Tally{1, s.view.degree(v)};
      }
    }
    sum.add(tally);
  });
  Tally tally = sum.total();
  for (std::int64_t v = s.view.active; v < s.view.n; ++v) tally.vertices += is_visited(v);
  s.unvisited.count_visited(tally);
}

template <class Index, class Offset>
void start_from(State<Index, Offset>& s, const Index* frontier, std::int64_t count, std::int32_t level) {
  read_visited(s);
  s.level = level;
  s.frontier.as_bitmap();  // an empty one, to which it is added
  for (std::int64_t i = 0; i < count; ++i) {
    const Index v = s.view.to_label(frontier[i]);
    if (!test(s.unvisited.visited(), v)) throw std::invalid_argument("a vertex of the frontier is not visited");
    s.frontier.add(v, s.view.degree(v));
  }
}

}  // namespace lagbfs
