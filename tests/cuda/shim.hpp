// CUDA's names on the CPU, as far as the kernels of backends/cupyx use them: collectives and atomics.

#define __global__
#define __device__
#define __launch_bounds__(threads, blocks)

namespace shim {

UNSEEN static unsigned ballot(unsigned mask, bool vote, int line) {
  meet_warp(mask, vote, line);
  unsigned lanes = 0;
  for (int i = 0; i < kWarp; ++i) lanes |= unsigned(brought[running / kWarp * kWarp + i]) << i;
  return lanes;
}

template <class T>
UNSEEN T shuffle(unsigned mask, T value, int from, int line) {
  static_assert(sizeof(T) == 4 || sizeof(T) == 8, "CUDA shuffles words of 4 or 8 bytes");
  union {
    std::uint64_t word;
    T value;
  } bits{0};
  bits.value = value;
  meet_warp(mask, bits.word, line);
  bits.word = brought[running / kWarp * kWarp + from];
  return bits.value;
}

// The lane that `distance` before or after this one is, itself where that is outside of its group of `width`.
UNSEEN static int neighbour(int distance, int width) {
  const int lane = running % kWarp, group = lane / width * width, from = lane + distance;
  return from >= group && from < group + width ? from : lane;
}

}  // namespace shim

#define __syncthreads() (void)shim::meet_block(0, __LINE__)
#define __syncthreads_count(vote) shim::meet_block((vote) ? 1 : 0, __LINE__)
#define __ballot_sync(mask, vote) shim::ballot(mask, vote, __LINE__)
#define __any_sync(mask, vote) (shim::ballot(mask, vote, __LINE__) != 0)
#define __shfl_sync(mask, value, from) shim::shuffle(mask, value, from, __LINE__)
#define __shfl_up_sync(mask, value, distance) shim::shuffle(mask, value, shim::neighbour(-(distance), 32), __LINE__)
#define __shfl_xor_sync(mask, value, lanes, ...) \
  shim::shuffle(mask, value, (shim::running % 32) ^ (lanes), __LINE__)
#define __shfl_down_sync(mask, value, distance, width) \
  shim::shuffle(mask, value, shim::neighbour(distance, width), __LINE__)

#include <cmath>
inline int __popc(unsigned word) { return __builtin_popcount(word); }
inline int __popcll(unsigned long long word) { return __builtin_popcountll(word); }
inline int __ffs(unsigned word) { return __builtin_ffs(int(word)); }
inline int __ffsll(unsigned long long word) { return __builtin_ffsll(static_cast<long long>(word)); }

template <class T>
T __ldcg(const T* place) {
  shim::give_way();
  const T value = __atomic_load_n(place, __ATOMIC_RELAXED);
  shim::give_way();
  return value;
}
template <class T>
void __stcg(T* place, T value) {
  __atomic_store_n(place, value, __ATOMIC_RELAXED);
}

// Read, modify and write as one, for any type; returns what was there.
template <class T, class F>
T atomic_update(T* place, F&& modify) {
  shim::give_way();
  T old, next;
  __atomic_load(place, &old, __ATOMIC_RELAXED);
  do next = modify(old);
  while (!__atomic_compare_exchange(place, &old, &next, false, __ATOMIC_RELAXED, __ATOMIC_RELAXED));
  return old;
}
template <class T>
T atomicAdd(T* place, T value) { return atomic_update(place, [&](T old) { return T(old + value); }); }
template <class T>
T atomicMin(T* place, T value) { return atomic_update(place, [&](T old) { return value < old ? value : old; }); }
template <class T>
T atomicOr(T* place, T value) { return atomic_update(place, [&](T old) { return T(old | value); }); }
template <class T>
T atomicExch(T* place, T value) { return atomic_update(place, [&](T) { return value; }); }
template <class T>
T atomicCAS(T* place, T expected, T value) {
  return atomic_update(place, [&](T old) { return old == expected ? value : old; });
}
