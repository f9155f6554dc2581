// A CUDA grid on the CPU: each thread of a block is a fiber, which runs until it waits in a collective or ends.
//
// A block's threads take turns in one of three orders; in the random one they also give way, now and then, at atomics
// and at loads that see other threads' writes. It is stricter than a GPU: a fault is reported when
//
//   - not all threads of a warp, or of the block at a barrier, come to the same collective (by line),
//   - a thread has ended that others wait for,
//   - a warp's collective is called with another mask than the full one.
//
// Blocks run one after the other. Shared memory is poisoned before each, so what is read before it is written is
// garbage; under ASan it is surrounded by red zones instead. Under TSan blocks run on several OS threads, each with
// shared memory of its own; fibers are threads to TSan too, and only barriers, the launch and its end order them.

#include <ucontext.h>

#include <csetjmp>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <utility>

#if defined(__SANITIZE_ADDRESS__)
#include <sanitizer/common_interface_defs.h>
#endif
#if defined(__SANITIZE_THREAD__)
#include <pthread.h>
#include <sanitizer/tsan_interface.h>
#include <semaphore.h>
#define PER_BLOCK static thread_local
#define UNSEEN __attribute__((no_sanitize("thread"), noinline))
#else
#define PER_BLOCK static
#define UNSEEN __attribute__((noinline))
#define __tsan_acquire(address)
#define __tsan_release(address)
#endif

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#define __shared__ PER_BLOCK
#else
#define __shared__ static __attribute__((section("shared_memory")))
extern char __start_shared_memory[] __attribute__((weak, visibility("hidden")));
extern char __stop_shared_memory[] __attribute__((weak, visibility("hidden")));
#endif

struct Dimensions {
  unsigned x;
};
PER_BLOCK Dimensions threadIdx, blockIdx;
static Dimensions blockDim, gridDim;

namespace shim {

enum Order { kForward, kReverse, kRandom };

struct Launch {
  std::int64_t grid, first, blocks;  // the blocks first … first + blocks - 1 of the grid are run
  std::int32_t threads, order;
  std::uint64_t seed;
};

constexpr int kWarp = 32, kMostThreads = 1024;
constexpr std::size_t kStack = 256 << 10;

struct Fiber {
  ucontext_t context;
  std::jmp_buf jump;
  bool begun = false;
  char* stack = nullptr;  // null: the scheduler, on the stack of who launches
  void *tsan = nullptr, *asan = nullptr;
};

enum State { kReady, kInWarp, kInBlock, kEnded };

struct Thread {
  State state;
  int line;
  std::uint64_t given;  // what it brought to the collective it waits in
  Fiber* fiber;
  unsigned passed;  // barriers
};

static const Launch* launch;
static void (*body)();
static char message[256];  // of the first fault
// What TSan orders threads by: the block's beginning and end, and barriers, of which every other one is the same, since
// a thread may come to the next before all have left the last.
PER_BLOCK char begun, ended, barriers[2];
PER_BLOCK bool failed;
PER_BLOCK Fiber scheduler;
PER_BLOCK Fiber* pool[kMostThreads];
PER_BLOCK int idle;  // pool[0 … idle-1] have no thread
PER_BLOCK Thread threads[kMostThreads];
PER_BLOCK Thread* self;
PER_BLOCK int running;
PER_BLOCK std::uint64_t brought[kMostThreads];  // to the last complete collective
PER_BLOCK int votes;                            // how many of these are not zero, read at barriers only
PER_BLOCK std::uint64_t random_state;

UNSEEN static std::uint64_t random_number() {
  random_state ^= random_state << 13, random_state ^= random_state >> 7, random_state ^= random_state << 17;
  return random_state;
}

#if defined(__SANITIZE_ADDRESS__)
static const void* home_stack;  // the scheduler's
static std::size_t home_size;
#endif

// Sanitizers need to be told, and follow only the context functions; jumps are faster.
UNSEEN static void transfer(Fiber& from, Fiber& to) {
#if defined(__SANITIZE_THREAD__)
  __tsan_switch_to_fiber(to.tsan, __tsan_switch_to_fiber_no_sync);
  swapcontext(&from.context, &to.context);
#elif defined(__SANITIZE_ADDRESS__)
  const bool home = !to.stack;
  __sanitizer_start_switch_fiber(&from.asan, home ? home_stack : to.stack, home ? home_size : kStack);
  swapcontext(&from.context, &to.context);
  __sanitizer_finish_switch_fiber(from.asan, nullptr, nullptr);
#else
  if (_setjmp(from.jump)) return;
  if (to.begun || !to.stack) _longjmp(to.jump, 1);
  to.begun = true;
  setcontext(&to.context);
#endif
}

UNSEEN static void wait(State state, int line) {
  self->state = state, self->line = line;
  transfer(*self->fiber, scheduler);
}

UNSEEN static void fault(const char* what, int line) {
  constexpr const char* kForm = "block %u, thread %u, line %d: %s";
  if (!failed) std::snprintf(message, sizeof message, kForm, blockIdx.x, threadIdx.x, line, what);
  failed = true;
}

static void run_threads() {
#if defined(__SANITIZE_ADDRESS__)
  __sanitizer_finish_switch_fiber(nullptr, &home_stack, &home_size);
#endif
  for (;;) {
    __tsan_acquire(&begun);
    body();
    __tsan_release(&ended);
    wait(kEnded, 0);
  }
}

UNSEEN static Fiber* new_fiber() {
  Fiber* fiber = new Fiber;
  fiber->stack = static_cast<char*>(std::malloc(kStack));
  getcontext(&fiber->context);
  fiber->context.uc_stack.ss_sp = fiber->stack;
  fiber->context.uc_stack.ss_size = kStack;
  fiber->context.uc_link = nullptr;
  makecontext(&fiber->context, run_threads, 0);
#if defined(__SANITIZE_THREAD__)
  fiber->tsan = __tsan_create_fiber(0);
#endif
  return fiber;
}

UNSEEN static void free_fiber(Fiber* fiber) {
#if defined(__SANITIZE_THREAD__)
  __tsan_destroy_fiber(fiber->tsan);
#endif
  std::free(fiber->stack);
  delete fiber;
}

UNSEEN static void resume(int t) {
  self = &threads[t], running = t, threadIdx.x = t;
  if (!self->fiber) self->fiber = idle ? pool[--idle] : new_fiber();
  transfer(scheduler, *self->fiber);
  if (threads[t].state == kEnded) pool[idle++] = threads[t].fiber;
}

// Lets the threads first … last - 1 go on if all of them have come to the same collective.
UNSEEN static void release_group(int first, int last, State state) {
  for (int t = first; t < last; ++t)
    if (threads[t].state != state || threads[t].line != threads[first].line) return;
  votes = 0;
  for (int t = first; t < last; ++t) {
    brought[t] = threads[t].given, threads[t].state = kReady;
    votes += brought[t] != 0;
  }
}

UNSEEN static bool round_of_turns(const int* order) {
  bool progress = false;
  for (int i = 0; i < launch->threads && !failed; ++i)
    if (threads[order[i]].state == kReady) resume(order[i]), progress = true;
  for (int t = 0; t < launch->threads; t += kWarp)
    release_group(t, t + kWarp < launch->threads ? t + kWarp : launch->threads, kInWarp);
  release_group(0, launch->threads, kInBlock);
  return progress;
}

UNSEEN static void report_stuck() {
  int waiting = 0;
  while (threads[waiting].state == kEnded) ++waiting;
  threadIdx.x = waiting;
  fault("waits in a collective to which not all of its warp or block come", threads[waiting].line);
}

UNSEEN static void run_block(std::int64_t block) {
  blockIdx.x = unsigned(block), failed = false;
  random_state = (launch->seed * 1000003 + block + 1) * 0x9e3779b97f4a7c15u | 1;
#if !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
  std::memset(__start_shared_memory, 0xb5, __stop_shared_memory - __start_shared_memory);
#endif
  int order[kMostThreads];
  for (int t = 0; t < launch->threads; ++t) {
    threads[t] = {kReady, 0, 0, nullptr, 0};
    order[t] = launch->order == kReverse ? launch->threads - 1 - t : t;
  }
  __tsan_release(&begun);
  for (;;) {
    if (launch->order == kRandom)
      for (int t = launch->threads - 1; t > 0; --t) std::swap(order[t], order[random_number() % (t + 1)]);
    int finished = 0;
    const bool progress = round_of_turns(order);
    for (int t = 0; t < launch->threads; ++t) finished += threads[t].state == kEnded;
    if (failed || finished == launch->threads) break;
    if (!progress) report_stuck();
  }
  __tsan_acquire(&ended);
  if (failed)  // fibers in the middle of a kernel are of no further use
    for (int t = 0; t < launch->threads; ++t)
      if (threads[t].fiber && threads[t].state != kEnded) free_fiber(threads[t].fiber);
}

#if defined(__SANITIZE_THREAD__)
// Blocks of different workers are not ordered with each other.
constexpr int kWorkers = 3;
static sem_t start[kWorkers], done[kWorkers];

static void* work(void* number) {
  const std::int64_t id = reinterpret_cast<std::int64_t>(number);
  scheduler.tsan = __tsan_get_current_fiber();
  for (;;) {
    sem_wait(&start[id]);
    failed = false;
    for (std::int64_t i = id; i < launch->blocks && !failed; i += kWorkers) run_block(launch->first + i);
    sem_post(&done[id]);
  }
}

static void run_blocks() {
  static bool employed;
  for (std::int64_t id = 0; id < kWorkers && !employed; ++id) {
    sem_init(&start[id], 0, 0), sem_init(&done[id], 0, 0);
    pthread_t worker;
    pthread_create(&worker, nullptr, work, reinterpret_cast<void*>(id));
    pthread_detach(worker);
  }
  employed = true;
  for (sem_t& each : start) sem_post(&each);
  for (sem_t& each : done) sem_wait(&each);
}
#else
static void run_blocks() {
  for (std::int64_t i = 0; i < launch->blocks && !message[0]; ++i) {
    const std::int64_t shift = launch->order == kRandom ? launch->seed % launch->blocks : 0;
    const std::int64_t at = launch->order == kReverse ? launch->blocks - 1 - i : (i + shift) % launch->blocks;
    run_block(launch->first + at);
  }
}
#endif

static const char* run(void (*kernel)(), const Launch* with) {
  launch = with, body = kernel, message[0] = 0;
  blockDim.x = with->threads, gridDim.x = unsigned(with->grid);
  run_blocks();
  return message[0] ? message : nullptr;
}

// Waits for the whole warp; afterwards brought[] holds what each of its threads gave.
UNSEEN static void meet_warp(unsigned mask, std::uint64_t given, int line) {
  if (mask != 0xffffffff) fault("a collective without the full mask", line);
  self->given = given;
  wait(kInWarp, line);
}

UNSEEN static int meet_block(std::uint64_t given, int line) {
  [[maybe_unused]] char* const barrier = &barriers[self->passed++ % 2];
  self->given = given;
  __tsan_release(barrier);
  wait(kInBlock, line);
  __tsan_acquire(barrier);
  return votes;
}

// In the random order, other threads may come between any two accesses that they could see.
UNSEEN static void give_way() {
  if (launch->order == kRandom && random_number() % 4 == 0) wait(kReady, 0);
}

}  // namespace shim
