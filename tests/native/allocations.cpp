// To be preloaded (LD_PRELOAD) into a process whose allocations are to fail: the k-th from now on of at least so many
// bytes, whoever asks for it. Counts the bytes that are allocated. For glibc, whose own functions have a second name.
#include <errno.h>
#include <malloc.h>

#include <atomic>
#include <cstddef>

extern "C" {
void* __libc_malloc(std::size_t);
void* __libc_calloc(std::size_t, std::size_t);
void* __libc_realloc(void*, std::size_t);
void* __libc_memalign(std::size_t, std::size_t);
void __libc_free(void*);
}

static std::atomic<long> left{0}, live{0};  // left: allocations until one fails; 0 or less: none does
static std::atomic<std::size_t> least{0};

static bool refused(std::size_t size) {
  const bool yes = size >= least.load() && left.load() > 0 && left.fetch_sub(1) == 1;
  if (yes) errno = ENOMEM;
  return yes;
}

static void* counted(void* p) {
  live.fetch_add(long(malloc_usable_size(p)));
  return p;
}

extern "C" {
void fail_allocation(long k, std::size_t size) { least.store(size), left.store(k); }
long allocations_left() { return left.exchange(0); }
long live_bytes() { return live.load(); }

void* malloc(std::size_t size) { return refused(size) ? nullptr : counted(__libc_malloc(size)); }

void* calloc(std::size_t count, std::size_t size) {
  return refused(count * size) ? nullptr : counted(__libc_calloc(count, size));
}

void* realloc(void* p, std::size_t size) {
  if (refused(size)) return nullptr;
  const long before = long(malloc_usable_size(p));
  void* const moved = __libc_realloc(p, size);
  if (moved || !size) live.fetch_sub(before), counted(moved);
  return moved;
}

void* memalign(std::size_t align, std::size_t size) {
  return refused(size) ? nullptr : counted(__libc_memalign(align, size));
}

void* aligned_alloc(std::size_t align, std::size_t size) { return memalign(align, size); }

int posix_memalign(void** p, std::size_t align, std::size_t size) {
  void* const made = memalign(align, size);
  if (made) *p = made;
  return made ? 0 : ENOMEM;
}

void free(void* p) {
  live.fetch_sub(long(malloc_usable_size(p)));
  __libc_free(p);
}
}
