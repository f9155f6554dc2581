// Pull: each unreached vertex v looks among its in-edges for a vertex of the frontier and stops at the first.
//
// A thread for each vertex; a warp writes one word of the next frontier's bitmap, so no bit needs an atomic. Neighbours
// are ascending: the first parent found is the least. frontier and next are different arrays.

// Writes the word of the warp's vertices and counts what the block found. Reached by all threads.
__device__ void finish_pull(bool found, int64 v, int64 n, const int64* indptr, uint32* next, uint64* counters) {
  const uint32 word = __ballot_sync(FULL, found);
  if (lane() == 0 && v < n) next[v >> 5] = word;
  const int32 count = __syncthreads_count(found);
  if (threadIdx.x == 0 && count) atomicAdd(&counters[0], uint64(count));
  count_edges(found ? degree(indptr, v) : 0, counters);
}

KERNEL void pull_vertices(int64 n, const int64* in_indptr, const INDEX* in_indices, const int64* indptr,
                          const uint32* frontier, INDEX* reached, int32 rule, int64 depth, uint32* next,
                          uint64* counters) {
  const int64 v = thread();
  bool found = false;
  if (v < n && reached[v] == UNREACHED) {
    const int64 end = in_indptr[v + 1];
    for (int64 edge = in_indptr[v]; edge < end && !found; ++edge) {
      const INDEX u = in_indices[edge];
      found = has_bit(frontier, u);
      if (found) reached[v] = rule == LEVEL ? INDEX(depth) : u;
    }
  }
  finish_pull(found, v, n, indptr, next, counters);
}

// The frontier's bits of the vertices that are looked up most, the hubs, are kept in shared memory.
//
// hubs    the vertex of each hub; there are at most HUBS
// coded   in_indices, each row with its hubs first, as ~(number of the hub), then the others; both ascending by vertex

constexpr int32 HUBS = 32 * BLOCK;  // one word of bits for each thread to load

// hub_of[v] = number of the hub v, -1 if it is none.
KERNEL void encode_hubs(const int64* in_indptr, const INDEX* in_indices, int64 n, const int32* hub_of, INDEX* coded) {
  if (thread() >= n) return;
  const int64 begin = in_indptr[thread()], end = in_indptr[thread() + 1];
  int64 at = begin;
  for (int64 edge = begin; edge < end; ++edge)
    if (hub_of[in_indices[edge]] >= 0) coded[at++] = ~INDEX(hub_of[in_indices[edge]]);
  for (int64 edge = begin; edge < end; ++edge)
    if (hub_of[in_indices[edge]] < 0) coded[at++] = in_indices[edge];
}

// hub_bits = the hubs of the frontier, as a bitmap of HUBS / 32 words.
KERNEL void gather_hubs(const INDEX* hubs, int64 count, const uint32* frontier, uint32* hub_bits) {
  const int64 h = thread();
  const uint32 word = __ballot_sync(FULL, h < count && has_bit(frontier, hubs[h]));
  if (lane() == 0 && h < count) hub_bits[h >> 5] = word;
}

KERNEL void pull_hubs(int64 n, const int64* in_indptr, const INDEX* coded, const INDEX* hubs, const uint32* hub_bits,
                      const int64* indptr, const uint32* frontier, INDEX* reached, int32 rule, int64 depth,
                      uint32* next, uint64* counters) {
  __shared__ uint32 cached[HUBS / 32];
  cached[threadIdx.x] = hub_bits[threadIdx.x];
  __syncthreads();
  const int64 v = thread();
  INDEX parent = UNREACHED;
  if (v < n && reached[v] == UNREACHED) {
    const int64 end = in_indptr[v + 1];
    for (int64 edge = in_indptr[v]; edge < end; ++edge) {
      const INDEX u = coded[edge];
      if (u < 0) {
        if (parent == UNREACHED && has_bit(cached, ~u)) parent = hubs[~u];
        if (parent != UNREACHED && rule != LEAST_PARENT) break;
      } else {  // after a hub that was found, only a lesser vertex counts
        if (parent != UNREACHED && parent < u) break;
        if (has_bit(frontier, u)) {
          parent = u;
          break;
        }
      }
    }
    if (parent != UNREACHED) reached[v] = rule == LEVEL ? INDEX(depth) : parent;
  }
  finish_pull(parent != UNREACHED, v, n, indptr, next, counters);
}
