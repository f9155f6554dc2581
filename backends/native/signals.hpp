// Stopping from outside. The caller gives a function to ask now and then, from the thread that
// began the work, whether to stop; threads look at stopped() between chunks.
#pragma once

#include <atomic>
#include <chrono>
#include <cstdint>

#include "tuning.hpp"

namespace lagbfs {

struct Interrupted {};

inline double now() {
  using namespace std::chrono;
  return duration<double>(steady_clock::now().time_since_epoch()).count();
}

class Signals {
 public:
  // `ask` returns whether to stop. It may be null.
  explicit Signals(bool (*ask)() = nullptr) : ask_(ask), last_(now()) {}

  bool stopped() const { return stopped_.load(std::memory_order_relaxed); }

  // Only thread 0 asks, at most every kAskPeriod seconds; for the others this is stopped().
  bool tick(int id, double time) {
    if (id == 0 && ask_ && time - last_ > kAskPeriod) {
      last_ = time;
      if (ask_()) stopped_.store(true, std::memory_order_relaxed);
    }
    return stopped();
  }
  bool tick(int id) { return tick(id, id == 0 && ask_ ? now() : 0); }

  void check() const {
    if (stopped()) throw Interrupted{};
  }

 private:
  bool (*ask_)();
  double last_;
  std::atomic<bool> stopped_{false};
};

}  // namespace lagbfs
