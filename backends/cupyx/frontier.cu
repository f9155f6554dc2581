// Frontiers: their degrees summed up, lists and bitmaps into each other; what a search keeps for each vertex.
//
// reached   -1 (UNREACHED), then a parent or a level. ELSEWHERE: reached through another engine, which knows by whom.
// counters  of the next frontier: its size, its edges; targets not reached yet; unvisited that are left in their list.
//           Zeroed by the host before a level.

// Seen as unsigned, parents lie below PROVISIONAL, UNREACHED above all others. A parent with the bit PROVISIONAL set
// was found in this very level and may still be lowered.
constexpr UINDEX PROVISIONAL = UINDEX(1) << (8 * sizeof(INDEX) - 1);
constexpr INDEX UNREACHED = -1;
constexpr INDEX ELSEWHERE = INDEX(PROVISIONAL - 1);

// begins[i] = sum of the degrees of the vertices before i, of `count` vertices of a list, at most TILE. Returns that of
// all. Reached by all.
__device__ int64 scan_tile(const INDEX* list, int64 count, const int64* indptr, int64* begins) {
  const int64 first = int64(threadIdx.x) * PER_THREAD;
  int64 degrees[PER_THREAD], sum = 0, total;
  for (int32 k = 0; k < PER_THREAD; ++k) {
    degrees[k] = first + k < count ? degree(indptr, list[first + k]) : 0;
    sum += degrees[k];
  }
  int64 begin = block_scan(sum, total);
  for (int32 k = 0; k < PER_THREAD; ++k) {
    if (first + k < count) begins[first + k] = begin;
    begin += degrees[k];
  }
  return total;
}

// offsets[i] = sum of the degrees of the list's vertices before i in its tile; sums[t] = that of the whole tile t.
KERNEL void scan_degrees(const INDEX* list, int64 size, const int64* indptr, int64* offsets, int64* sums) {
  const int64 first = blockIdx.x * TILE, count = size - first < TILE ? size - first : TILE;
  const int64 total = scan_tile(list + first, count, indptr, offsets + first);
  if (threadIdx.x == 0) sums[blockIdx.x] = total;
}

// sums[t] = sum of those before t, for t = 0 to tiles: the last is the total. One block.
KERNEL void scan_sums(int64* sums, int64 tiles) {
  int64 before = 0;
  for (int64 first = 0; first < tiles; first += BLOCK) {
    const int64 t = first + threadIdx.x;
    int64 total;
    const int64 offset = block_scan(t < tiles ? sums[t] : 0, total);
    if (t < tiles) sums[t] = before + offset;
    before += total;
  }
  if (threadIdx.x == 0) sums[tiles] = before;
}

// sums[t] = number of vertices in the BLOCK words of tile t; scan_sums comes next, then bitmap_to_list.
KERNEL void count_bits(const uint32* bitmap, int64 words, int64* sums) {
  int64 total;
  block_scan(thread() < words ? __popc(bitmap[thread()]) : 0, total);
  if (threadIdx.x == 0) sums[blockIdx.x] = total;
}

// The list is ascending.
KERNEL void bitmap_to_list(const uint32* bitmap, int64 words, const int64* sums, INDEX* list) {
  const uint32 word = thread() < words ? bitmap[thread()] : 0;
  int64 total;
  int64 at = sums[blockIdx.x] + block_scan(__popc(word), total);
  for (uint32 rest = word; rest; rest &= rest - 1) list[at++] = INDEX(thread() * 32 + __ffs(rest) - 1);
}

// The bitmap is zero before.
KERNEL void list_to_bitmap(const INDEX* list, int64 size, uint32* bitmap) {
  if (thread() >= size) return;
  const INDEX v = list[thread()];
  atomicOr(&bitmap[v >> 5], 1u << (v & 31));
}

KERNEL void visited_to_bitmap(const INDEX* reached, int64 n, uint32* bitmap) {
  const int64 v = thread();
  const uint32 word = __ballot_sync(FULL, v < n && reached[v] != UNREACHED);
  if (lane() == 0 && v < n) bitmap[v >> 5] = word;
}

// What another engine has visited is no longer unreached here.
KERNEL void mark_visited(const uint32* bitmap, int64 n, INDEX* reached) {
  const int64 v = thread();
  if (v < n && has_bit(bitmap, v) && reached[v] == UNREACHED) reached[v] = ELSEWHERE;
}

// After a push that wants the least parents: nothing can lower those of the new frontier any more.
KERNEL void settle_parents(const INDEX* list, int64 size, INDEX* reached) {
  if (thread() < size) reached[list[thread()]] &= INDEX(~PROVISIONAL);
}

// counters[2] += targets that are still unreached.
KERNEL void count_targets(const INDEX* targets, int64 size, const INDEX* reached, uint64* counters) {
  const bool waits = thread() < size && reached[targets[thread()]] == UNREACHED;
  const int32 count = __syncthreads_count(waits);
  if (threadIdx.x == 0 && count) atomicAdd(&counters[2], uint64(count));
}

// The row of each entry: with the entries' columns, the list of edges.
KERNEL void edge_origins(const int64* indptr, int64 rows, int64 edges, INDEX* origins) {
  __shared__ int64 span[2];
  const int64 first = blockIdx.x * TILE, last = (first + TILE < edges ? first + TILE : edges) - 1;
  narrow(Indptr{indptr}, rows, first, last, span);
  for (int64 edge = first + threadIdx.x; edge <= last; edge += BLOCK)
    origins[edge] = INDEX(row_of(Indptr{indptr}, edge, span[0], span[1] + 1));
}
