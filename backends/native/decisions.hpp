// The decisions of one search, and what is learnt from how long the levels take.
#pragma once

#include "policy.hpp"

namespace lagbfs {

// On graphs of large diameter level after level is alike: what was decided for one holds for those after it in the same
// cell, for kAlike levels at most, and of these every kAlike'th is learnt from.
class Decisions {
 public:
  Decisions(const Policy& policy, int threads)
      : policy_(policy), shares_(policy.learning.experience ? Shares(threads) : Shares()) {}

  Choice next(const Features& f) {
    if (is_alike(f)) return ++alike_, last_;
    alike_ = 0, form_ = f.form;
    return last_ = policy_.decide(f, shares_);
  }

  // The level decided on last took so long, on so many threads.
  void took(double seconds, int threads) {
    if (!policy_.learning.experience || last_.row < 0) return;
    spent_ += seconds * 1e9, team_ = team_ || threads > 1;
    if (alike_ == 0 && (last_.threads <= 1 || threads > 1)) policy_.learning.learn(last_, seconds * 1e9);
  }

  // The search has come to its end.
  void end() {
    if (!policy_.learning.experience) return;
    policy_.learning.experience->spend(spent_);
    policy_.learning.experience->end_search(team_);
  }

 private:
  enum : int { kAlike = 8 };

  bool is_alike(const Features& f) const {
    return last_.row >= 0 && !last_.tried && alike_ + 1 < kAlike && f.arm == last_.arm && f.form == form_ &&
           policy_.learning.experience->place(f.frontier_edges, f.unvisited_edges) == last_.at;
  }

  const Policy& policy_;
  const Shares shares_;
  Choice last_;
  double form_ = 0, spent_ = 0;
  int alike_ = 0;
  bool team_ = false;  // whether a level was given several threads
};

}  // namespace lagbfs
