// Push: the out-edges (u, v) of the frontier; next is the list of the vertices v that are found.
//
// What is written into reached depends on the rule: the level, any parent, or the least parent. `depth` is the level
// of the vertices found. Each vertex is found once, by the thread whose atomic took it from UNREACHED.
//
// Of the ways to count the next frontier, by thread, batch, warp or block (Verstraaten et al.), its size takes the
// warp's, which also gives each vertex its place in the list, and its edges the block's.

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

// Appends the vertices of the lanes that found one, with one atomic for the warp. Reached by all lanes.
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

// By edge: a tile of the frontier's edges for each block, whatever the degrees. After scan_degrees and scan_sums.
KERNEL void push_edges(const INDEX* list, int64 size, const int64* offsets, const int64* sums, int64 edges,
                       const int64* indptr, const INDEX* indices, INDEX* reached, int32 rule, int64 depth, INDEX* next,
                       uint64* counters) {
  __shared__ int64 span[2];
  const Scanned begin{offsets, sums};
  const int64 first = blockIdx.x * TILE, last = (first + TILE < edges ? first + TILE : edges) - 1;
  narrow(begin, size, first, last, span);
  int64 found_edges = 0;
  for (int64 edge = first + threadIdx.x; edge < first + TILE; edge += BLOCK) {
    bool found = false;
    INDEX v = 0;
    if (edge <= last) {
      const int64 row = row_of(begin, edge, span[0], span[1] + 1);
      const INDEX u = list[row];
      v = indices[indptr[u] + edge - begin(row)];
      found = claim(reached, v, u, rule, depth);
    }
    append(found, v, next, counters);
    if (found) found_edges += degree(indptr, v);
  }
  count_edges(found_edges, counters);
}

// By vertex: `width` threads, a virtual warp, take the edges of one vertex; 1, 2, 4, 8, 16 or 32.
KERNEL void push_vertices(const INDEX* list, int64 size, int32 width, const int64* indptr, const INDEX* indices,
                          INDEX* reached, int32 rule, int64 depth, INDEX* next, uint64* counters) {
  const int64 row = thread() / width;
  const INDEX u = row < size ? list[row] : 0;
  int64 edge = row < size ? indptr[u] + threadIdx.x % width : 0;
  const int64 end = row < size ? indptr[u + 1] : 0;
  int64 found_edges = 0;
  for (; __any_sync(FULL, edge < end); edge += width) {
    const INDEX v = edge < end ? indices[edge] : 0;
    const bool found = edge < end && claim(reached, v, u, rule, depth);
    append(found, v, next, counters);
    if (found) found_edges += degree(indptr, v);
  }
  count_edges(found_edges, counters);
}

// Over all edges, in the order of their origins: those of one vertex look up the same bit of the frontier.
KERNEL void push_edge_list(const INDEX* origins, const INDEX* indices, int64 edges, const uint32* frontier,
                           const int64* indptr, INDEX* reached, int32 rule, int64 depth, INDEX* next,
                           uint64* counters) {
  bool found = false;
  INDEX v = 0;
  if (thread() < edges) {
    const INDEX u = origins[thread()];
    if (has_bit(frontier, u)) {
      v = indices[thread()];
      found = claim(reached, v, u, rule, depth);
    }
  }
  append(found, v, next, counters);
  count_edges(found ? degree(indptr, v) : 0, counters);
}

// Over all edges, in the order of the vertices they lead to: what is reached already is known before the frontier is
// looked at. The arrays are those of the transpose.
KERNEL void push_reversed_edge_list(const INDEX* in_origins, const INDEX* in_indices, int64 edges,
                                    const uint32* frontier, const int64* indptr, INDEX* reached, int32 rule,
                                    int64 depth, INDEX* next, uint64* counters) {
  bool found = false;
  INDEX v = 0;
  if (thread() < edges) {
    v = in_origins[thread()];
    if (UINDEX(__ldcg(&reached[v])) >= PROVISIONAL) {
      const INDEX u = in_indices[thread()];
      found = has_bit(frontier, u) && claim(reached, v, u, rule, depth);
    }
  }
  append(found, v, next, counters);
  count_edges(found ? degree(indptr, v) : 0, counters);
}
