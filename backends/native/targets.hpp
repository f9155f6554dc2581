// Targets: vertices that, once all of them are visited, end a search.
#pragma once

#include <vector>

#include "state.hpp"

namespace lagbfs {

// What is kept, in the view's labels, has not been visited yet or not been looked at since: only the last is looked at,
// so that a level pays for what it finds, not for all that are missing.
template <class Index>
class Awaited {
 public:
  // `targets` are the user's labels; none, and nothing is awaited. Nor is anything where one of them cannot be
  // reached any more, as no edge leads to it: the search then goes on to its end.
  template <class Offset>
  Awaited(const State<Index, Offset>& s, const std::vector<Index>& targets) : waits_(!targets.empty()) {
    for (Index t : targets) {
      if (s.reached(t)) continue;
      const Index v = s.view.to_label(t);
      waits_ &= v < s.view.active && s.view.in.degree(v) > 0;
      missing_.push_back(v);
    }
  }

  bool all_visited(const Word* visited) {
    if (!waits_) return false;
    while (!missing_.empty() && test(visited, missing_.back())) missing_.pop_back();
    return missing_.empty();
  }

 private:
  bool waits_;
  std::vector<Index> missing_;
};

}  // namespace lagbfs
