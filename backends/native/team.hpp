// The team: threads that wait, spinning, for the next parallel section.
//
// One team serves the process. A Lease holds it for the length of a search; whoever finds it taken
// works alone, so that concurrent searches never run more threads than processors. Sections are
// opened by one store and closed by another: a level of a few microseconds can afford one.
//
// A section must not count on any member but the caller: work is handed out in pieces to whoever comes.
// Its end waits for those who came, not for those still asleep or without a processor, so that on a busy
// machine a search is never slower than its caller alone.
//
// Threads are std::thread, not OpenMP's: waiting is under our control, two OpenMP runtimes in a
// process cannot fight over it, and ThreadSanitizer understands it.
//
// Waiting: under a lease a member spins, then yields the processor between looks, then sleeps; between
// leases it spins briefly and sleeps. After a fork the child, which has no members, begins anew.
#pragma once

#include <unistd.h>

#include <atomic>
#include <condition_variable>
#include <cstdint>
#include <exception>
#include <mutex>
#include <thread>
#include <utility>

#ifdef _OPENMP
#include <omp.h>
#endif
#if defined(__x86_64__) || defined(__i386__)
#include <immintrin.h>
#endif

#include "tuning.hpp"

namespace lagbfs {

constexpr int kMaxThreads = 256;

inline void pause_processor() {
#if defined(__x86_64__) || defined(__i386__)
  _mm_pause();
#elif defined(__aarch64__)
  asm volatile("yield");
#endif
}

// threads <= 0 asks for the default, which OMP_NUM_THREADS and threadpoolctl set.
inline int team_size(int threads) {
  if (threads <= 0) {
#ifdef _OPENMP
    threads = omp_get_max_threads();
#else
    threads = int(std::thread::hardware_concurrency());
#endif
  }
  return threads < 1 ? 1 : threads > kMaxThreads ? kMaxThreads : threads;
}

class Team {
 public:
  // The team if nobody has it, else null. It has at least one member.
  static Team* acquire(int size) {
    Team* team = instance();
    if (!team->busy_.try_lock()) return nullptr;
    team->grow(size);
    team->leased_.store(true, std::memory_order_relaxed);
    return team;
  }

  void release() {
    leased_.store(false, std::memory_order_relaxed);
    busy_.unlock();
  }

  int size() const { return members_ + 1; }

  // Wakes sleeping members before there is work for them.
  void wake() {
    if (sleepers_.load() == 0) return;
    std::lock_guard<std::mutex> lock(mutex_);
    ++calls_;
    bell_.notify_all();
  }

  // f(0) here, and f(id) for those of 1 … size - 1 who come before it is done. The first exception is
  // thrown again at the end.
  template <class F>
  void run(int size, F& f) {
    call_ = [](void* arg, int id) { (*static_cast<F*>(arg))(id); };
    arg_ = &f;
    const std::uint64_t epoch = (epoch_.load(std::memory_order_relaxed) / kSpan + 1) * kSpan;
    epoch_.store(epoch + unsigned(size));
    wake();
    guarded(0);
    epoch_.store(epoch);
    for (int spins = 0; inside_.load() != 0; ++spins) relax(spins);
    if (failure_) std::rethrow_exception(std::exchange(failure_, nullptr));
  }

 private:
  static constexpr std::uint64_t kSpan = 1024;  // an epoch: sequence number × kSpan + size, 0 if closed

  static Team* instance() {
    static std::mutex guard;
    static Team* team = nullptr;
    static pid_t owner = 0;
    std::lock_guard<std::mutex> lock(guard);
    if (!team || owner != getpid()) team = new Team, owner = getpid();
    return team;
  }

  // Fewer members than asked for is not an error: sections are run by as many as there are.
  void grow(int size) {
    while (members_ < size - 1) {
      try {
        std::thread(&Team::serve, this, members_ + 1, epoch_.load()).detach();
      } catch (const std::exception&) {
        return;
      }
      ++members_;
    }
  }

  static void relax(int spins) {
    if (spins < kSpins) pause_processor();
    else std::this_thread::yield();
  }

  void guarded(int id) {
    try {
      call_(arg_, id);
    } catch (...) {
      std::lock_guard<std::mutex> lock(mutex_);
      if (!failure_) failure_ = std::current_exception();
    }
  }

  // A member counts itself in, then looks whether the section is still open; the caller closes it, then
  // looks who is in. All of it sequentially consistent, so that one of them sees the other.
  void serve(int id, std::uint64_t seen) {
    for (;;) {
      seen = next_epoch(seen);
      if (unsigned(id) >= seen % kSpan) continue;
      inside_.fetch_add(1);
      if (epoch_.load() == seen) guarded(id);
      inside_.fetch_sub(1);
    }
  }

  std::uint64_t next_epoch(std::uint64_t seen) {
    for (int spins = 0;; ++spins) {
      const std::uint64_t epoch = epoch_.load(std::memory_order_acquire);
      if (epoch != seen) return epoch;
      const bool leased = leased_.load(std::memory_order_relaxed);
      if (spins > (leased ? kSpins + kYields : kIdle)) sleep(seen), spins = 0;
      relax(leased ? spins : 0);
    }
  }

  // Whoever stores an epoch looks at sleepers_ afterwards; a sleeper looks at epoch_ after
  // counting itself: both sequentially consistent, so one of them sees the other.
  void sleep(std::uint64_t seen) {
    std::unique_lock<std::mutex> lock(mutex_);
    sleepers_.fetch_add(1);
    const std::uint64_t calls = calls_;
    bell_.wait(lock, [&] { return epoch_.load() != seen || calls_ != calls; });
    sleepers_.fetch_sub(1);
  }

  std::mutex busy_, mutex_;
  std::condition_variable bell_;
  int members_ = 0;
  std::uint64_t calls_ = 0;
  std::exception_ptr failure_;
  void (*call_)(void*, int) = nullptr;
  void* arg_ = nullptr;
  alignas(64) std::atomic<std::uint64_t> epoch_{0};
  std::atomic<int> sleepers_{0};
  std::atomic<bool> leased_{false};
  alignas(64) std::atomic<int> inside_{0};
};

// Threads for one computation: none but the caller's until need() asks for them.
class Lease {
 public:
  explicit Lease(int threads) : wanted_(team_size(threads)), most_(wanted_) {}
  ~Lease() {
    if (team_) team_->release();
  }
  Lease(const Lease&) = delete;
  Lease& operator=(const Lease&) = delete;

  // The number of threads that sections run on, once the team is asked for.
  int need() {
    if (!asked_ && most_ > 1) {
      asked_ = true;
      if ((team_ = Team::acquire(wanted_))) {
        have_ = team_->size() < wanted_ ? team_->size() : wanted_;
        team_->wake();
      }
    }
    return size();
  }
  int size() const { return have_ < most_ ? have_ : most_; }
  int wanted() const { return wanted_; }
  bool asked() const { return asked_ || most_ == 1; }
  bool has_team() const { return have_ > 1; }
  bool refused() const { return asked_ && have_ == 1; }  // somebody else has the team, or there is none

  // Sections from here on run on at most so many threads, 0 for as many as are wanted.
  void use(int most) { most_ = most > 0 && most < wanted_ ? most : wanted_; }

  template <class F>
  void run(F&& f) {
    if (need() == 1) f(0);
    else team_->run(size(), f);
  }

  // f(id, begin, end) over [0, total) in chunks, handed out as threads become free.
  template <class F>
  void chunks(std::int64_t total, std::int64_t chunk, F&& f) {
    if (total <= chunk) {
      if (total > 0) f(0, std::int64_t{0}, total);
      return;
    }
    std::atomic<std::int64_t> next{0};
    run([&](int id) {
      for (;;) {
        const std::int64_t begin = next.fetch_add(chunk, std::memory_order_relaxed);
        if (begin >= total) return;
        f(id, begin, begin + chunk < total ? begin + chunk : total);
      }
    });
  }

 private:
  int wanted_, most_, have_ = 1;
  bool asked_ = false;
  Team* team_ = nullptr;
};

}  // namespace lagbfs
