// Experience: how far what was expected of levels of one graph was off, learnt from every level that runs.
//
// A way is an arm on a share of the threads; each has a row of cells, by what errors follow most: the edges of the
// frontier and those of the unvisited, both in octaves. A cell holds the mean of log(seconds / expected) of levels in
// it and beside it, and how much it has seen, up to a bound, so that new levels always count. What a cell has not seen
// it takes from its row, the row from its prior, what is known from elsewhere, and from how far its arm was off on any
// share, the arm from how far its group was, the rows of the same direction and share, and the group from how far all
// rows were. Levels of other sizes and ways say little: who is told of them believes them slowly, the less the sooner
// they were over.
//
// Any number of threads look and learn at once: the numbers are atomic each, and of two updates at the same instant one
// may be lost. lagbfs/host/experience.py computes the same, to the last bit.
#pragma once

#include <algorithm>
#include <atomic>
#include <cmath>
#include <cstdint>
#include <memory>
#include <stdexcept>
#include <vector>

namespace lagbfs {

constexpr double kDoubt = 0.3;                   // weight of what a cell that has seen little is drawn to,
constexpr double kDoubtFar = 2;                  // a row or a group,
constexpr double kDoubtAll = 1;                  // an arm or all rows
constexpr double kCellMost = 6;                  // what a cell has seen at most: a new level counts for a sixth
constexpr double kRowMost = 10;                  // and a row, an arm, a group or all
constexpr double kBeside = 0.3;                  // weight of a level in the cells beside its own
constexpr double kTelling = 20000;               // nanoseconds: a level that took so long counts for half in its row
constexpr double kMostApart = 0.7;               // a level counts as no further off than that from what was seen: a
                                                 // factor of two, whatever has disturbed it
constexpr double kUnseen = 1.5;                  // weight of a cell that has seen but one level of its own, or none,
constexpr double kUnknown = 3;                   // and of a row that has seen few
constexpr double kBudget = 0.01;                 // share of the time that may be lost to trying ways
constexpr double kNear = 1.5, kNearUnknown = 8;  // how many times the least a way may be expected to take to be tried:
                                                 // one of a row that has seen levels, one of a row that has seen few
constexpr double kMuchFaster = 0.98;             // more threads have to be expected to be so much faster
constexpr int kFewSearches = 3;                  // of a graph, before anything is tried

// What was decided, among so many arms and on so many threads, for a level with the frontier in this form: a row, for
// so many levels more.
struct Kept {
  std::int16_t row, threads, arms;
  std::int8_t form, times;
};
static_assert(sizeof(Kept) == 8, "processors store eight bytes at once");

class Experience {
 public:
  // arms[row] and groups[row] are the row's arm and group. Levels have at most `edges` edges.
  Experience(std::vector<int> arms, std::vector<int> groups, std::vector<double> priors, double edges)
      : arms_(std::move(arms)), groups_(std::move(groups)), priors_(std::move(priors)) {
    if (groups_.empty() || groups_.size() > kMostRows) throw std::invalid_argument("experience: 1 to 4096 rows");
    if (arms_.size() != groups_.size()) throw std::invalid_argument("experience: an arm for each row");
    if (priors_.size() != groups_.size()) throw std::invalid_argument("experience: a prior for each row");
    for (const auto* of : {&arms_, &groups_})
      for (int i : *of)
        if (i < 0 || i >= kMostRows) throw std::invalid_argument("experience: no such arm or group");
    for (double prior : priors_)
      if (!(std::fabs(prior) < kMostPrior)) throw std::invalid_argument("experience: a prior out of range");
    if (!(edges >= 0 && edges < kMostEdges)) throw std::invalid_argument("experience: edges out of range");
    wide_ = octave(edges) + 1, deep_ = octave(edges) + 1;
    const std::size_t rows = groups_.size();
    cells_.reset(new Mean[rows * wide_ * deep_]);
    kept_.reset(new std::atomic<Kept>[std::size_t(wide_) * deep_]());
    rows_.reset(new Mean[rows]), counts_.reset(new std::atomic<std::int64_t>[rows]());
    of_arm_.reset(new Mean[std::size_t(*std::max_element(arms_.begin(), arms_.end())) + 1]);
    of_group_.reset(new Mean[std::size_t(*std::max_element(groups_.begin(), groups_.end())) + 1]);
  }

  int rows() const { return int(groups_.size()); }
  int places() const { return wide_ * deep_; }

  // The cell, in every row, of a level of so many edges of the frontier and of the unvisited.
  int place(double frontier_edges, double unvisited_edges) const {
    return std::min(octave(frontier_edges), wide_ - 1) * deep_ + std::min(octave(unvisited_edges), deep_ - 1);
  }

  // One for each cell, of any row.
  Kept kept(int at) const { return kept_[at].load(kAny); }
  void keep(int at, Kept kept) { kept_[at].store(kept, kAny); }

  // The logarithm of what an expectation is to be multiplied by.
  double correction(int row, int at) const { return cell(row, at).drawn_to(mean(row), kDoubt); }

  double seen(int row, int at) const { return cell(row, at).weight.load(kAny); }
  double seen(int row) const { return rows_[row].weight.load(kAny); }
  double mean(int row) const {
    const double group = of_group_[groups_[row]].drawn_to(all_.drawn_to(0, kDoubtAll), kDoubtFar);
    const double arm = of_arm_[arms_[row]].drawn_to(group, kDoubtAll);
    return rows_[row].drawn_to(priors_[row] + arm, kDoubtFar);
  }
  std::int64_t levels(int row) const { return counts_[row].load(kAny); }

  // A level in cell `at`, by the way of `row`, took so long, exp(off) times what was expected.
  void learn(int row, int at, double off, double nanoseconds) {
    cell(row, at).add(off, 1, kCellMost);
    const int u = at / deep_, v = at % deep_;
    if (u > 0) cell(row, at - deep_).add(off, kBeside, kCellMost);
    if (u + 1 < wide_) cell(row, at + deep_).add(off, kBeside, kCellMost);
    if (v > 0) cell(row, at - 1).add(off, kBeside, kCellMost);
    if (v + 1 < deep_) cell(row, at + 1).add(off, kBeside, kCellMost);
    const double told = nanoseconds / (nanoseconds + kTelling), beyond = off - priors_[row];
    rows_[row].add(off, told, kRowMost), of_arm_[arms_[row]].add(beyond, told, kRowMost);
    of_group_[groups_[row]].add(beyond, told, kRowMost), all_.add(beyond, told, kRowMost);
    counts_[row].fetch_add(1, kAny);
  }

  // Nanoseconds that trying another way may lose now.
  double budget() const {
    return searches_.load(kAny) < kFewSearches ? 0 : kBudget * spent_.load(kAny) - lost_.load(kAny);
  }
  void spend(double nanoseconds) { spent_.store(spent_.load(kAny) + nanoseconds, kAny); }
  void lose(double nanoseconds) { lost_.store(lost_.load(kAny) + nanoseconds, kAny); }
  void end_search(bool team) { searches_.fetch_add(1, kAny), team_.store(team, kAny); }
  bool expects_team() const { return team_.load(kAny); }  // whether the last search had work for one
  std::int64_t searches() const { return searches_.load(kAny); }

 private:
  enum : int { kMostRows = 4096 };
  static constexpr double kMostEdges = 1ll << 60, kMostPrior = 100;
  static constexpr std::memory_order kAny = std::memory_order_relaxed;

  struct Mean {
    std::atomic<double> value{0}, weight{0};

    double drawn_to(double other, double doubt) const {
      const double w = weight.load(kAny);
      return (w * value.load(kAny) + doubt * other) / (w + doubt);
    }

    void add(double x, double share, double most) {
      const double before = weight.load(kAny), was = value.load(kAny), w = std::min(before + share, most);
      value.store(was + share / w * std::clamp(x - was, -kMostApart, kMostApart), kAny), weight.store(w, kAny);
    }
  };

  // The whole part of log2(edges + 1).
  static int octave(double edges) { return 63 - __builtin_clzll(std::uint64_t(edges) + 1); }

  Mean& cell(int row, int at) const { return cells_[std::size_t(row) * wide_ * deep_ + at]; }

  std::vector<int> arms_, groups_;
  std::vector<double> priors_;
  int wide_, deep_;
  std::unique_ptr<Mean[]> cells_, rows_, of_arm_, of_group_;
  Mean all_;
  std::unique_ptr<std::atomic<Kept>[]> kept_;
  std::unique_ptr<std::atomic<std::int64_t>[]> counts_;
  std::atomic<double> spent_{0}, lost_{0};  // nanoseconds
  std::atomic<std::int64_t> searches_{0};
  std::atomic<bool> team_{true};
};

}  // namespace lagbfs
