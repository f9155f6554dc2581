// Push: the out-edges (u, v) of the frontier; next is the list of the vertices v that are found.
//
// What is written into reached depends on the rule: the level, any parent, or the least parent. `depth` is the level
// of the vertices found. Each vertex is found once, by the thread whose atomic took it from UNREACHED.
//
// Of the ways to count the next frontier, by thread, batch, warp or block (Verstraaten et al.), its edges take the
// block's, and so does its size, which gives each vertex its place in the list, where all threads of a block go on in
// step; else the warp's.

enum Rule { LEVEL, ANY_PARENT, LEAST_PARENT };

// Whether this thread is the one that finds v. The plain look before the atomic spares most of the atomics.
__device__ bool claim(INDEX* reached, INDEX v, INDEX u, int32 rule, int64 depth) {
  const UINDEX seen = UINDEX(__ldcg(&reached[v]));
  UINDEX* const place = reinterpret_cast<UINDEX*>(&reached[v]);
  if (rule == LEAST_PARENT) {
    const UINDEX bid = PROVISIONAL | UINDEX(u);
    return bid < seen && atomicMin(place, bid) == UINDEX(UNREACHED);
  }
  const UINDEX mark = rule == LEVEL ? UINDEX(depth) : UINDEX(u);
  return seen == UINDEX(UNREACHED) && atomicCAS(place, UINDEX(UNREACHED), mark) == UINDEX(UNREACHED);
}

// Appends what the block's threads found, up to `most` vertices each and UNREACHED for none, and adds up its edges: with
// two atomics for the block. Reached by all threads.
template <int32 most>
__device__ void append_by_block(const INDEX (&found)[most], const int64* indptr, INDEX* next, uint64* counters) {
  __shared__ uint64 base;
  int64 count = 0, edges = 0, total;
  for (int32 k = 0; k < most; ++k) {
    count += found[k] != UNREACHED;
    if (found[k] != UNREACHED) edges += degree(indptr, found[k]);
  }
  if (!__syncthreads_count(count > 0)) return;
  int64 at = block_scan(count, total);
  if (threadIdx.x == 0) base = atomicAdd(&counters[0], uint64(total));
  __syncthreads();
  for (int32 k = 0; k < most; ++k)
    if (found[k] != UNREACHED) next[base + at++] = found[k];
  count_edges(edges, counters);  // which ends behind a barrier: the base may be written again
}

// Pushes the edges first to last, no more than a tile, of vertices that lie in [low, high) of the list. The degrees of what
// is found are told by out_indptr: the matrix's own, but where that is a block of a graph and these are in the whole.
template <class Begin>
__device__ void push_tile(Begin begin, int64 low, int64 high, int64 first, int64 last, const INDEX* list,
                          const int64* indptr, const INDEX* indices, const int64* out_indptr, INDEX* reached,
                          int32 rule, int64 depth, INDEX* next, uint64* counters) {
  INDEX found[PER_THREAD];
  for (int32 k = 0; k < PER_THREAD; ++k) {
    const int64 edge = first + k * BLOCK + threadIdx.x;
    found[k] = UNREACHED;
    if (edge <= last) {
      const int64 row = row_of(begin, edge, low, high);
      const INDEX u = list[row], v = indices[indptr[u] + edge - begin(row)];
      if (claim(reached, v, u, rule, depth)) found[k] = v;
    }
  }
  append_by_block(found, out_indptr, next, counters);
}

// By edge: a tile of the frontier's edges for each block, whatever the degrees. After scan_degrees and scan_sums. The
// rows are looked up in shared memory, if it holds those of the tile: rows without edges may be too many.
KERNEL void push_edges(const INDEX* list, int64 size, const int64* offsets, const int64* sums, int64 edges,
                       const int64* indptr, const INDEX* indices, const int64* out_indptr, INDEX* reached, int32 rule,
                       int64 depth, INDEX* next, uint64* counters) {
  __shared__ int64 span[2], begins[TILE];
  if (!edges) return;
  const Scanned begin{offsets, sums};
  const int64 first = blockIdx.x * TILE, last = (first + TILE < edges ? first + TILE : edges) - 1;
  narrow(begin, size, first, last, span);
  const int64 low = span[0], count = span[1] + 1 - low;
  if (count > TILE) {
    push_tile(begin, low, low + count, first, last, list, indptr, indices, out_indptr, reached, rule, depth, next,
              counters);
    return;
  }
  for (int64 i = threadIdx.x; i < count; i += BLOCK) begins[i] = begin(low + i);
  __syncthreads();
  push_tile(Indptr{begins}, 0, count, first, last, list + low, indptr, indices, out_indptr, reached, rule, depth, next,
            counters);
}

// By edge, of a frontier of at most TILE vertices: every block scans all degrees for itself, so one launch is enough.
KERNEL void push_few(const INDEX* list, int64 size, int64 edges, const int64* indptr, const INDEX* indices,
                     const int64* out_indptr, INDEX* reached, int32 rule, int64 depth, INDEX* next, uint64* counters) {
  __shared__ int64 begins[TILE];
  scan_tile(list, size, indptr, begins);
  __syncthreads();
  const int64 first = blockIdx.x * TILE, last = (first + TILE < edges ? first + TILE : edges) - 1;
  push_tile(Indptr{begins}, 0, size, first, last, list, indptr, indices, out_indptr, reached, rule, depth, next,
            counters);
}

// Levels in a row by one block, the first of them `depth`: until there have been so many, nothing is found, or what is
// found has more edges than there is room for what those may find. The frontiers take turns in two lists of `room`, which
// 32 bits can count; the first is another one, of no more vertices and edges.
//
// counts   how many levels there were; then for each the size and the edges of the frontier it found
KERNEL void push_levels(const INDEX* list, int64 size, INDEX* lists, int64 room, int32 levels, const int64* indptr,
                        const INDEX* indices, INDEX* reached, int32 rule, int64 depth, uint64* counts) {
  __shared__ int64 begins[TILE];
  __shared__ uint64 counters[2];
  int32 done = 0;
  for (bool goes_on = true; goes_on; ++done) {
    INDEX* const next = lists + done % 2 * room;
    if (threadIdx.x < 2) counters[threadIdx.x] = 0;
    __syncthreads();
    for (int32 at = 0; at < size; at += TILE) {
      const int32 count = size - at < TILE ? size - at : TILE;
      const int32 edges = scan_tile(list + at, count, indptr, begins);
      __syncthreads();
      for (int32 first = 0; first < edges; first += TILE) {
        const int32 last = (first + TILE < edges ? first + TILE : edges) - 1;
        push_tile(Indptr{begins}, 0, count, first, last, list + at, indptr, indices, indptr, reached, rule, depth + done,
                  next, counters);
      }
      __syncthreads();  // before the begins are written again, and before the counters are read
    }
    size = int64(counters[0]), list = next;
    if (threadIdx.x < 2) counts[1 + 2 * done + threadIdx.x] = counters[threadIdx.x];
    if (rule == LEAST_PARENT)
      for (int64 i = threadIdx.x; i < size; i += BLOCK) reached[next[i]] &= INDEX(~PROVISIONAL);
    goes_on = done + 1 < levels && size > 0 && counters[1] <= uint64(room);
    __syncthreads();  // before the counters are zeroed, and the parents looked at
  }
  if (threadIdx.x == 0) counts[0] = uint64(done);
}

// Pushes every `step`th edge of u from `edge` on, up to `end`; returns the edges of what was found. Reached by all lanes.
__device__ int64 push_row(int64 edge, int64 end, int32 step, INDEX u, const INDEX* indices, const int64* out_indptr,
                          INDEX* reached, int32 rule, int64 depth, INDEX* next, uint64* counters) {
  int64 found_edges = 0;
  for (; __any_sync(FULL, edge < end); edge += step) {
    const INDEX v = edge < end ? indices[edge] : 0;
    const bool found = edge < end && claim(reached, v, u, rule, depth);
    append(found, v, next, counters);
    if (found) found_edges += degree(out_indptr, v);
  }
  return found_edges;
}

// By vertex: `width` threads, a virtual warp, take the edges of one vertex; 1, 2, 4, 8, 16 or 32. Vertices of more edges
// than the block has threads wait until the whole block takes them, one by one.
KERNEL void push_vertices(const INDEX* list, int64 size, int32 width, const int64* indptr, const INDEX* indices,
                          const int64* out_indptr, INDEX* reached, int32 rule, int64 depth, INDEX* next,
                          uint64* counters) {
  __shared__ INDEX waiting[BLOCK];
  __shared__ int32 waiting_count;
  if (threadIdx.x == 0) waiting_count = 0;
  __syncthreads();
  const int64 row = thread() / width;
  const int32 member = threadIdx.x % width;
  const INDEX u = row < size ? list[row] : 0;
  int64 edge = row < size ? indptr[u] + member : 0;
  int64 end = row < size ? indptr[u + 1] : 0;
  if (row < size && degree(indptr, u) > BLOCK) {
    if (member == 0) waiting[atomicAdd(&waiting_count, 1)] = u;
    end = edge;
  }
  int64 found_edges = push_row(edge, end, width, u, indices, out_indptr, reached, rule, depth, next, counters);
  __syncthreads();
  for (int32 i = 0; i < waiting_count; ++i) {
    const INDEX w = waiting[i];
    found_edges += push_row(indptr[w] + threadIdx.x, indptr[w + 1], BLOCK, w, indices, out_indptr, reached, rule, depth,
                            next, counters);
  }
  count_edges(found_edges, counters);
}

// Over all edges, in the order of their origins: those of one vertex look up the same bit of the frontier.
KERNEL void push_edge_list(const INDEX* origins, const INDEX* indices, int64 edges, const uint32* frontier,
                           const int64* out_indptr, INDEX* reached, int32 rule, int64 depth, INDEX* next,
                           uint64* counters) {
  INDEX found[1] = {UNREACHED};
  if (thread() < edges) {
    const INDEX u = origins[thread()];
    if (has_bit(frontier, u)) {
      const INDEX v = indices[thread()];
      if (claim(reached, v, u, rule, depth)) found[0] = v;
    }
  }
  append_by_block(found, out_indptr, next, counters);
}

// Over all edges, in the order of the vertices they lead to: what is reached already is known before the frontier is
// looked at. The arrays are those of the transpose.
KERNEL void push_reversed_edge_list(const INDEX* in_origins, const INDEX* in_indices, int64 edges,
                                    const uint32* frontier, const int64* out_indptr, INDEX* reached, int32 rule,
                                    int64 depth, INDEX* next, uint64* counters) {
  INDEX found[1] = {UNREACHED};
  if (thread() < edges) {
    const INDEX v = in_origins[thread()];
    if (UINDEX(__ldcg(&reached[v])) >= PROVISIONAL) {
      const INDEX u = in_indices[thread()];
      if (has_bit(frontier, u) && claim(reached, v, u, rule, depth)) found[0] = v;
    }
  }
  append_by_block(found, out_indptr, next, counters);
}
