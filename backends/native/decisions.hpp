// The decisions of one search, and what is learnt from how long the levels take.
#pragma once

#include "policy.hpp"

namespace lagbfs {

// On graphs of large diameter level after level is alike: what was decided for one holds for those after it in the same
// cell, for kAlike levels at most, and of these every kAlike'th is learnt from. Where levels take microseconds, in
// cells that have seen enough, it holds for as many whichever search they are of: it is kept with the experience.
class Decisions {
 public:
  Decisions(const Policy& policy, int threads)
      : policy_(policy), shares_(policy.learning.experience ? Shares(threads, policy.costs.threads) : Shares()) {}

  Choice next(const Features& f) {
    if (is_alike(f)) return ++alike_, fresh_ = false, last_;
    form_ = f.form;
    const bool keeps = policy_.learning.experience && policy_.costs.engine_count == 1;
    fresh_ = !(keeps && recall(f));
    if (fresh_) last_ = policy_.decide(f, shares_);
    alike_ = !fresh_ || (keeps && keep(f)) ? kAlike : 0;  // what is kept is counted there
    return last_;
  }

  // The level decided on last took so long, on so many threads. `refused`: it asked for others, and they were not to be
  // had. A level that asked for none, having little to do, tells what it takes where it may have them.
  void took(double seconds, int threads, bool refused) {
    if (!policy_.learning.experience || last_.row < 0) return;
    spent_ += seconds * 1e9, team_ = team_ || threads > 1;
    if (fresh_ && (last_.threads <= 1 || !refused)) policy_.learning.learn(last_, seconds * 1e9);
  }

  // The search has come to its end.
  void end() {
    if (!policy_.learning.experience) return;
    policy_.learning.experience->spend(spent_);
    policy_.learning.experience->end_search(team_);
  }

 private:
  enum : int { kAlike = 8 };
  static constexpr double kSoon = 20000;  // nanoseconds: a level that is expected to take no longer is over soon

  bool is_alike(const Features& f) const {
    return last_.row >= 0 && !last_.tried && alike_ + 1 < kAlike && f.arm == last_.arm && f.form == form_ &&
           policy_.learning.experience->place(f.frontier_edges, f.unvisited_edges) == last_.at;
  }

  // Whether what was decided for the last level like this one holds; of one engine, any arm may have come before.
  bool recall(const Features& f) {
    if (policy_.costs.is_trivial(f)) return false;
    Experience& experience = *policy_.learning.experience;
    const int at = experience.place(f.frontier_edges, f.unvisited_edges);
    Kept kept = experience.kept(at);
    if (kept.times == 0 || kept.form != int(f.form) || !is_ours(kept)) return false;
    const Choice choice = policy_.learning.choice(policy_.costs, shares_, kept.row, at);
    if (choice.arm == kNotMine) return false;
    --kept.times, experience.keep(at, kept);
    return last_ = choice, true;
  }

  // Whether what was decided holds for levels like it.
  bool keep(const Features& f) {
    if (last_.row < 0 || last_.tried) return false;
    Experience& experience = *policy_.learning.experience;
    if (experience.seen(last_.row, last_.at) < kCellMost) return false;
    if (last_.expected * std::exp(experience.correction(last_.row, last_.at)) > kSoon) return false;
    Kept kept;
    kept.row = std::int16_t(last_.row), kept.form = std::int8_t(f.form);
    kept.times = kAlike - 1, kept.arms = arms(), kept.threads = threads();
    return experience.keep(last_.at, kept), true;
  }

  // Searches by other arms or on other numbers of threads share the experience, but not what is decided.
  std::int16_t arms() const { return std::int16_t(policy_.costs.arms.size()); }
  std::int16_t threads() const { return std::int16_t(std::min(shares_.threads(kAll), 1 << 14)); }
  bool is_ours(const Kept& kept) const { return kept.arms == arms() && kept.threads == threads(); }

  const Policy& policy_;
  const Shares shares_;
  Choice last_;
  double form_ = 0, spent_ = 0;
  int alike_ = 0;
  bool fresh_ = false;  // whether it was decided for the level itself
  bool team_ = false;   // whether a level was given several threads
};

}  // namespace lagbfs
