// Pull: each unreached vertex v looks among its in-edges for a vertex of the frontier and stops at the first.
//
// A thread for each vertex, of all or of a list. Of all, a warp writes one word of the next frontier's bitmap, so no bit
// needs an atomic. Neighbours are ascending: the first parent found is the least. frontier and next are different arrays.

// Writes the word of the warp's vertices and counts what the block found. Reached by all threads.
__device__ void finish_pull(bool found, int64 v, int64 n, const int64* out_indptr, uint32* next, uint64* counters) {
  const uint32 word = __ballot_sync(FULL, found);
  if (lane() == 0 && v < n) next[v >> 5] = word;
  const int32 count = __syncthreads_count(found);
  if (threadIdx.x == 0 && count) atomicAdd(&counters[0], uint64(count));
  count_edges(found ? degree(out_indptr, v) : 0, counters);
}

constexpr int32 ALONE = 32;  // in-edges that a thread probes by itself

// The first vertex of the frontier among the in-edges from `edge` to `end`, UNREACHED if there is none. Each thread
// probes a few of its own; then the warp probes the others together, for one lane after another. Reached by all lanes.
__device__ INDEX probe(int64 edge, int64 end, const INDEX* in_indices, const uint32* frontier) {
  INDEX parent = UNREACHED;
  for (const int64 alone = end - edge < ALONE ? end : edge + ALONE; edge < alone && parent == UNREACHED; ++edge) {
    const INDEX u = in_indices[edge];
    if (has_bit(frontier, u)) parent = u;
  }
  for (uint32 asking = __ballot_sync(FULL, parent == UNREACHED && edge < end); asking; asking &= asking - 1) {
    const int32 asker = __ffs(asking) - 1;
    const int64 last = __shfl_sync(FULL, end, asker);
    uint32 hits = 0;
    for (int64 first = __shfl_sync(FULL, edge, asker); first < last && !hits; first += 32) {
      const INDEX u = first + lane() < last ? in_indices[first + lane()] : 0;
      hits = __ballot_sync(FULL, first + lane() < last && has_bit(frontier, u));
      const INDEX hit = __shfl_sync(FULL, u, hits ? __ffs(hits) - 1 : 0);
      if (hits && lane() == asker) parent = hit;
    }
  }
  return parent;
}

KERNEL void pull_vertices(int64 n, const int64* in_indptr, const INDEX* in_indices, const int64* out_indptr,
                          const uint32* frontier, INDEX* reached, int32 rule, int64 depth, uint32* next,
                          uint64* counters) {
  const int64 v = thread();
  const bool asks = v < n && reached[v] == UNREACHED;
  const INDEX parent = probe(asks ? in_indptr[v] : 0, asks ? in_indptr[v + 1] : 0, in_indices, frontier);
  if (parent != UNREACHED) reached[v] = rule == LEVEL ? INDEX(depth) : parent;
  finish_pull(parent != UNREACHED, v, n, out_indptr, next, counters);
}

// The unvisited as a list, for when they are few: nobody else is looked at. It may hold some that are reached by now.
KERNEL void list_unvisited(const INDEX* reached, int64 n, INDEX* list, uint64* count) {
  const int64 v = thread();
  append(v < n && reached[v] == UNREACHED, INDEX(v), list, count);
}

// next: the list of what is found; left: of what is not, and may be yet, counted by counters[3].
KERNEL void pull_unvisited(const INDEX* list, int64 size, const int64* in_indptr, const INDEX* in_indices,
                           const int64* out_indptr, const uint32* frontier, INDEX* reached, int32 rule, int64 depth,
                           INDEX* next, INDEX* left, uint64* counters) {
  const INDEX v = thread() < size ? list[thread()] : 0;
  const bool asks = thread() < size && reached[v] == UNREACHED;
  const int64 begin = asks ? in_indptr[v] : 0, end = asks ? in_indptr[v + 1] : 0;
  const INDEX parent = probe(begin, end, in_indices, frontier);
  const bool found = parent != UNREACHED;
  if (found) reached[v] = rule == LEVEL ? INDEX(depth) : parent;
  append(found, v, next, counters);
  append(begin < end && !found, v, left, counters + 3);
  count_edges(found ? degree(out_indptr, v) : 0, counters);
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
                      const int64* out_indptr, const uint32* frontier, INDEX* reached, int32 rule, int64 depth,
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
  finish_pull(parent != UNREACHED, v, n, out_indptr, next, counters);
}
