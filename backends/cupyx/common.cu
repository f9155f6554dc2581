// What all kernels share: types, scans, the search for an edge's row.
//
// The files of this folder are joined into the source of a module, this one first: NVRTC finds no headers. They are
// ASCII, whatever the locale in which somebody stores them. INDEX is int32 or int64, the type of vertices; TYPE, in
// products, the dtype computed in. Positions of edges have 64 bits.
//
// A block has BLOCK threads, full warps. Collectives take the full mask, so every thread of a warp reaches them:
// loops around them go on until no lane has work. Loads through __ldcg see what other threads write meanwhile.

typedef signed char int8;
typedef short int16;
typedef int int32;
typedef long long int64;
typedef unsigned char uint8;
typedef unsigned short uint16;
typedef unsigned int uint32;
typedef unsigned long long uint64;
typedef float float32;
typedef double float64;

template <class T>
struct Unsigned;
template <>
struct Unsigned<int32> {
  typedef uint32 type;
};
template <>
struct Unsigned<int64> {
  typedef uint64 type;
};
typedef Unsigned<INDEX>::type UINDEX;

#ifndef BLOCK
#define BLOCK 256
#endif
static_assert(BLOCK % 32 == 0 && BLOCK >= 64, "full warps, of which `narrow` takes two");
// Four blocks on a multiprocessor are enough: told so, the compiler spares no registers at the price of spills.
#define KERNEL extern "C" __global__ __launch_bounds__(BLOCK, 4)

constexpr uint32 FULL = 0xffffffff;  // the mask of a whole warp
constexpr int32 PER_THREAD = 4;      // frontier vertices or edges that a thread of a tile takes
constexpr int64 TILE = BLOCK * PER_THREAD;

__device__ int32 lane() { return threadIdx.x % 32; }
__device__ int32 warp() { return threadIdx.x / 32; }
__device__ int64 thread() { return int64(blockIdx.x) * BLOCK + threadIdx.x; }

// A set of vertices: bit v % 32 of word v / 32, and 0 beyond the last vertex.
__device__ bool has_bit(const uint32* bitmap, INDEX v) { return bitmap[v >> 5] >> (v & 31) & 1; }

__device__ int64 degree(const int64* indptr, INDEX v) { return indptr[v + 1] - indptr[v]; }

// The sum of x over the threads of the block before this one, and over all of them. Reached by all.
__device__ int64 block_scan(int64 x, int64& total) {
  __shared__ int64 sums[BLOCK / 32];
  int64 inclusive = x;
  for (int32 distance = 1; distance < 32; distance *= 2) {
    const int64 before = __shfl_up_sync(FULL, inclusive, distance);
    if (lane() >= distance) inclusive += before;
  }
  if (lane() == 31) sums[warp()] = inclusive;
  __syncthreads();
  int64 earlier = 0;
  total = 0;
  for (int32 w = 0; w < BLOCK / 32; ++w) {
    if (w < warp()) earlier += sums[w];
    total += sums[w];
  }
  __syncthreads();  // before the next scan writes
  return earlier + inclusive - x;
}

// Where the edges of row i begin among all edges: in a matrix, and in a frontier after scan_degrees and scan_sums.
struct Indptr {
  const int64* indptr;
  __device__ int64 operator()(int64 i) const { return indptr[i]; }
};
struct Scanned {
  const int64 *offsets, *sums;
  __device__ int64 operator()(int64 i) const { return offsets[i] + sums[i / TILE]; }
};

// The last row in [low, high) that begins at `edge` or before, as row `low` does. Rows without edges begin where the
// next one does, so the last is the one that holds the edge.
template <class Begin>
__device__ int64 row_of(Begin begin, int64 edge, int64 low, int64 high) {
  while (high - low > 1) {
    const int64 middle = low + (high - low) / 2;
    if (begin(middle) <= edge)
      low = middle;
    else
      high = middle;
  }
  return low;
}

// The same by a warp together, 32 probes at a time.
template <class Begin>
__device__ int64 row_by_warp(Begin begin, int64 edge, int64 low, int64 high) {
  while (high - low > 1) {
    const int64 step = (high - low + 31) / 32, probe = low + lane() * step;
    const uint32 before = __ballot_sync(FULL, probe < high && begin(probe) <= edge);
    low += (__popc(before) - 1) * step;
    high = high < low + step ? high : low + step;
  }
  return low;
}

// Narrows the search for the rows of the edges first to last, once for the block: they lie in span[0] to span[1].
template <class Begin>
__device__ void narrow(Begin begin, int64 rows, int64 first, int64 last, int64* span) {
  if (warp() < 2) {
    const int64 row = row_by_warp(begin, warp() ? last : first, 0, rows);
    if (lane() == 0) span[warp()] = row;
  }
  __syncthreads();
}

// counters  of what is found: its size, its edges. What else a kernel counts comes after them.

// Appends the vertices of the lanes that found one, with one atomic for the warp. Reached by all its lanes.
__device__ void append(bool found, INDEX v, INDEX* next, uint64* counters) {
  const uint32 finders = __ballot_sync(FULL, found);
  if (!finders) return;
  const int32 leader = __ffs(finders) - 1;
  uint64 at = 0;
  if (lane() == leader) at = atomicAdd(&counters[0], uint64(__popc(finders)));
  at = __shfl_sync(FULL, at, leader);
  if (found) next[at + __popc(finders & ((1u << lane()) - 1))] = v;
}

// Adds up the edges of what the block's threads found, with one atomic for the block. Reached by all threads.
__device__ void count_edges(int64 edges, uint64* counters) {
  if (!__syncthreads_count(edges > 0)) return;
  int64 total;
  block_scan(edges, total);
  if (threadIdx.x == 0) atomicAdd(&counters[1], uint64(total));
}
