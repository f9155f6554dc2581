// The frontier's queue cut into runs, each owned by the thread that found its vertices.
//
// On graphs of large diameter a thread's part of the frontier is a region whose rows, bits and results are in
// that thread's cache: it keeps what it found, and takes another's runs only once its own are done.
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

namespace lagbfs {

struct Run {
  std::int64_t begin, end;  // positions in the queue
};

class Runs {
 public:
  // Runs noted for the next level become the current ones; without any, [head, tail) is cut anew,
  // each thread owning a connected part.
  void turn(int threads, bool noted, std::int64_t head, std::int64_t tail, std::int64_t longest) {
    if (threads > size_) {
      current_.reset(new Own[threads]), next_.reset(new Own[threads]);
      size_ = threads, noted = false;
    }
    std::swap(current_, next_);
    if (!noted) cut(threads, head, tail, longest);
    for (int t = 0; t < size_; ++t) next_[t].runs.clear(), current_[t].taken.store(0, std::memory_order_relaxed);
  }

  // Thread id's next run: its own first.
  bool take(int id, Run& run) {
    for (int i = 0; i < size_; ++i) {
      Own& own = current_[(id + i) % size_];
      if (own.taken.load(std::memory_order_relaxed) >= own.runs.size()) continue;
      const std::size_t at = own.taken.fetch_add(1, std::memory_order_relaxed);
      if (at < own.runs.size()) return run = own.runs[at], true;
    }
    return false;
  }

  void note(int id, const Run& run) { next_[id].runs.push_back(run); }

 private:
  struct alignas(64) Own {
    std::vector<Run> runs;
    std::atomic<std::size_t> taken{0};
  };

  void cut(int threads, std::int64_t head, std::int64_t tail, std::int64_t longest) {
    for (int t = 0; t < size_; ++t) current_[t].runs.clear();
    for (int t = 0; t < threads; ++t) {
      const std::int64_t end = head + (tail - head) * (t + 1) / threads;
      for (std::int64_t at = head + (tail - head) * t / threads; at < end; at += longest)
        current_[t].runs.push_back({at, at + longest < end ? at + longest : end});
    }
  }

  int size_ = 0;
  std::unique_ptr<Own[]> current_, next_;
};

}  // namespace lagbfs
