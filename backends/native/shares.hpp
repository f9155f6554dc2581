// Shares of the threads that a level may be given, and what it is expected to take on each.
#pragma once

#include <algorithm>
#include <cmath>

namespace lagbfs {

enum Share : int { kOne, kHalf, kAll, kShares };

// Which shares there are of so many threads: one of them, half from four on, all. Levels are priced for one thread and
// for `priced` of them: what these gain, in the logarithm, goes on with the logarithm of their number.
class Shares {
 public:
  Shares() = default;  // one thread alone
  explicit Shares(int threads, int priced = 2) : threads_{1, threads / 2, threads}, most_gained_(1.0 / priced) {
    if (priced < 2) return;
    for (int s = 0; s < kShares; ++s) exponents_[s] = std::log(std::max(threads_[s], 1)) / std::log(priced);
  }

  bool offers(int share) const { return share == kOne || threads_[kAll] >= (share == kHalf ? 4 : 2); }
  int threads(int share) const { return threads_[share]; }

  // Nanoseconds expected of a level of these prices.
  double price(double alone, double together, int share) const {
    if (share == kOne) return alone;
    if (exponents_[share] == 1) return together;
    return alone * std::pow(std::max(together / alone, most_gained_), exponents_[share]);
  }

 private:
  int threads_[kShares] = {1, 0, 1};
  double exponents_[kShares] = {}, most_gained_ = 1;
};

}  // namespace lagbfs
