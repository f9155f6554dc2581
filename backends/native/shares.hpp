// Shares of the threads that a level may be given, and what it is expected to take on each.
#pragma once

#include <algorithm>
#include <cmath>

namespace lagbfs {

enum Share : int { kOne, kHalf, kAll, kShares };

// Prices are of levels by two threads, as they were measured: a part that k threads divide among them, of which they
// make k^e times less, and what it takes to bring them together, of which some kJoin nanoseconds are half at the most.
// Pulls divide better than pushes, whose threads take each other's cache lines.
constexpr double kJoin = 28000, kPushGain = 0.45, kPullGain = 0.95;

// Which shares there are of so many threads: one of them, half from four on, all.
class Shares {
 public:
  Shares() = default;  // one thread alone
  explicit Shares(int threads) : threads_{1, threads / 2, threads} {
    for (int s = 0; s < kShares; ++s) {
      factors_[0][s] = std::pow(2.0 / std::max(threads_[s], 1), kPushGain);
      factors_[1][s] = std::pow(2.0 / std::max(threads_[s], 1), kPullGain);
    }
  }

  bool offers(int share) const { return share == kOne || threads_[kAll] >= (share == kHalf ? 4 : 2); }
  int threads(int share) const { return threads_[share]; }

  // Nanoseconds expected of a level of this price and direction.
  double price(double two, int direction, int share) const {
    const double divided = two * two / (two + kJoin), alone = divided * factors_[direction][share];
    return share == kOne ? std::max(alone, two / 2) : alone + (two - divided);
  }

 private:
  int threads_[kShares] = {1, 0, 1};
  double factors_[2][kShares] = {};
};

}  // namespace lagbfs
