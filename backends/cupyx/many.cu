// Many searches in step (Then et al., The More the Merrier, 2014): row v of a table has a bit for each of them, in
// `width` words of 64; search s is bit s % 64 of word s / 64. width is 1, 2, 4 or 8, so a warp holds whole rows.
//
//   seen    whether the search has found v         front  whether it did so at the level before
//   next<!seen> = front any.pair A;   seen = seen | next
//
//   alive   the searches that found something at the level before: one row
//   planes  the distances, bit by bit: plane p, p n rows further on, has the bit of (v, search) if it has 2^p. Levels
//           are written into those that their number has. None: distances are not wanted
//   counters  of the next frontier: its vertices, their out-edges; in-edges of vertices that some search still lacks, from
//           a pull; then for each search the vertices it has found. Zeroed by the host before a level
//
// A thread has one word of a row, those of the other words beside it.

constexpr int32 LANES = 64;      // searches of a word
constexpr int32 FEW_EDGES = 32;  // in-edges that the threads of a row look at by themselves
constexpr int64 COUNTED = 1024;  // rows whose bits a thread counts
constexpr int32 COUNTERS = 3;    // before those of the searches

// The or over the lanes of a warp that have the same word of a row, for all of them. Reached by all lanes.
__device__ uint64 fold_rows(uint64 bits, int32 width) {
  for (int32 distance = 16; distance >= width; distance /= 2) bits |= __shfl_xor_sync(FULL, bits, distance);
  return bits;
}

// Whether a thread of the same row says so. Reached by all lanes.
__device__ bool any_of_row(bool vote, int32 width) {
  const uint32 votes = __ballot_sync(FULL, vote), row = lane() / width * width;
  return votes >> row & ((1u << width) - 1);
}

// The searches, of those that are wanted, that have an in-neighbour in their frontier: among the in-edges from `edge` to
// `end`, of which no more are looked at than it takes. Each row looks at a few by itself; then the warp looks at the
// others together, for one row after another, several edges at a time. Reached by all lanes.
__device__ uint64 gather(int64 edge, int64 end, uint64 wanted, const INDEX* in_indices, const uint64* front,
                         int32 width) {
  const int32 word = lane() % width, place = lane() / width, places = 32 / width;
  uint64 got = 0;
  for (const int64 few = end - edge < FEW_EDGES ? end : edge + FEW_EDGES; edge < few && (wanted & ~got); ++edge)
    got |= front[int64(in_indices[edge]) * width + word];
  uint32 asking = __ballot_sync(FULL, edge < end && (wanted & ~got));
  while (asking) {
    const int32 asker = __ffs(asking) - 1, row = asker / width * width;
    const int64 last = __shfl_sync(FULL, end, asker);
    const uint64 missing = __shfl_sync(FULL, wanted & ~got, row + word);
    uint64 more = 0;
    for (int64 first = __shfl_sync(FULL, edge, asker); first < last; first += PER_THREAD * places) {
      for (int32 k = 0; k < PER_THREAD; ++k) {
        const int64 at = first + k * places + place;
        if (at < last) more |= front[int64(in_indices[at]) * width + word];
      }
      if (!__any_sync(FULL, missing & ~fold_rows(more, width))) break;
    }
    more = fold_rows(more, width);
    if (place == row / width) got |= more;
    asking &= ~(((1u << width) - 1) << row);
  }
  return got & wanted;
}

// Word `at` of the tables has news at this level. `stride`: words of a table.
__device__ void note_levels(uint64* planes, int64 stride, int64 at, uint64 news, int64 depth) {
  if (!planes) return;
  for (int32 p = 0; depth >> p; ++p)
    if (depth >> p & 1) planes[p * stride + at] |= news;
}

// Sets the bits of the sources. Both tables are zero before.
KERNEL void begin_lanes(const INDEX* sources, int64 count, int32 width, uint64* seen, uint64* front) {
  if (thread() >= count) return;
  const int64 at = int64(sources[thread()]) * width + thread() / LANES;
  const uint64 bit = uint64(1) << thread() % LANES;
  atomicOr(&seen[at], bit);
  atomicOr(&front[at], bit);
}

// Every row of next is written, whatever it was.
KERNEL void pull_lanes(int64 n, int32 width, const int64* in_indptr, const INDEX* in_indices, const int64* indptr,
                       const uint64* front, const uint64* alive, uint64* seen, uint64* next, uint64* planes,
                       int64 depth, uint64* counters) {
  const int64 at = thread(), v = at / width;
  const uint64 unseen = v < n ? alive[at % width] & ~seen[at] : 0;
  const int64 begin = unseen ? in_indptr[v] : 0, end = unseen ? in_indptr[v + 1] : 0;
  const uint64 news = gather(begin, end, unseen, in_indices, front, width);
  if (v < n) next[at] = news;
  if (news) {
    seen[at] |= news;
    note_levels(planes, n * width, at, news, depth);
  }
  const bool leads = at % width == 0, found = any_of_row(news != 0, width), open = any_of_row(news != unseen, width);
  count_edges(leads && found ? degree(indptr, v) : 0, counters);
  count_edges(leads && open ? degree(in_indptr, v) : 0, counters + 1);
  const int32 count = __syncthreads_count(leads && found);
  if (threadIdx.x == 0 && count) atomicAdd(&counters[0], uint64(count));
}

// By edge of the frontier, as push_edges: adds the rows of the frontier to those of next, which are zero before, and
// lists whose were. listed has the bits of those, and is zero before, too.
KERNEL void push_lanes(const INDEX* list, int64 size, const int64* offsets, const int64* sums, int64 edges,
                       const int64* indptr, const INDEX* indices, int32 width, const uint64* front, const uint64* seen,
                       uint64* next, uint32* listed, INDEX* found, uint64* counters) {
  __shared__ int64 span[2];
  if (!edges) return;
  const Scanned begin{offsets, sums};
  const int64 first = blockIdx.x * TILE, last = (first + TILE < edges ? first + TILE : edges) - 1;
  narrow(begin, size, first, last, span);
  for (int32 k = 0; k < PER_THREAD; ++k) {
    const int64 edge = first + k * BLOCK + threadIdx.x;
    uint64 all = 0;
    INDEX v = 0;
    if (edge <= last) {
      const int64 row = row_of(begin, edge, span[0], span[1] + 1);
      const INDEX u = list[row];
      v = indices[indptr[u] + edge - begin(row)];
      for (int32 word = 0; word < width; ++word) {
        const uint64 news = front[int64(u) * width + word] & ~seen[int64(v) * width + word];
        if (news) atomicOr(&next[int64(v) * width + word], news);
        all |= news;
      }
    }
    const uint32 bit = 1u << (v & 31);
    append(all && !(atomicOr(&listed[v >> 5], bit) & bit), v, found, counters);
  }
}

// What a push has found, so many vertices as counters[0] says, becomes seen; listed is zero again.
KERNEL void settle_lanes(const INDEX* list, int64 n, int32 width, const int64* indptr, const uint64* next, uint64* seen,
                         uint64* planes, int64 depth, uint32* listed, uint64* counters) {
  const int64 row = thread() / width, word = thread() % width;
  int64 edges = 0;
  if (row < int64(counters[0])) {
    const INDEX v = list[row];
    const int64 at = int64(v) * width + word;
    seen[at] |= next[at];
    note_levels(planes, n * width, at, next[at], depth);
    if (word == 0) {
      __stcg(&listed[v >> 5], uint32(0));
      edges = degree(indptr, v);
    }
  }
  count_edges(edges, counters);
}

// The rows of a list become zero.
KERNEL void empty_lanes(const INDEX* list, int64 size, int32 width, uint64* rows) {
  if (thread() / width < size) rows[int64(list[thread() / width]) * width + thread() % width] = 0;
}

// The rows that are not zero, as a list.
KERNEL void list_lanes(const uint64* rows, int64 n, int32 width, INDEX* list, uint64* counters) {
  const int64 v = thread() / width;
  const bool found = any_of_row(v < n && rows[thread()], width);
  append(v < n && found && thread() % width == 0, INDEX(v), list, counters);
}

// counters[COUNTERS + s] += rows that have search s: of a list, of so many as counters[0] says, or of all n. alive, zero
// before, has the searches of which there are any. A thread for each search and COUNTED rows.
KERNEL void count_lanes(const INDEX* members, int64 n, int32 width, const uint64* rows, uint64* counters,
                        uint64* alive) {
  const int64 searches = LANES * width, search = thread() % searches, first = thread() / searches * COUNTED;
  const int64 size = members ? int64(counters[0]) : n;
  uint64 count = 0;
  for (int64 i = first; i < first + COUNTED && i < size; ++i)
    count += rows[(members ? int64(members[i]) : i) * width + search / LANES] >> search % LANES & 1;
  if (!count) return;
  atomicAdd(&counters[COUNTERS + search], count);
  atomicOr(&alive[search / LANES], uint64(1) << search % LANES);
}

// The distances as numbers: row s of levels is of search s, of `searches`; -1 where it has not found the vertex. A
// thread for each word of a vertex, the words of all vertices one after another.
template <class Level>
__device__ void write_levels(const uint64* seen, const uint64* planes, int32 bits, int64 n, int32 width,
                             int64 searches, Level* levels) {
  if (thread() >= n * width) return;
  const int64 word = thread() / n, v = thread() % n, at = v * width + word;
  for (int64 lane = 0; lane < LANES && word * LANES + lane < searches; ++lane) {
    int32 level = 0;
    for (int32 p = 0; p < bits; ++p) level |= int32(planes[p * n * width + at] >> lane & 1) << p;
    levels[(word * LANES + lane) * n + v] = Level(seen[at] >> lane & 1 ? level : -1);
  }
}

KERNEL void write_levels_8(const uint64* seen, const uint64* planes, int32 bits, int64 n, int32 width, int64 searches,
                           int8* levels) {
  write_levels(seen, planes, bits, n, width, searches, levels);
}
KERNEL void write_levels_16(const uint64* seen, const uint64* planes, int32 bits, int64 n, int32 width, int64 searches,
                            int16* levels) {
  write_levels(seen, planes, bits, n, width, searches, levels);
}
KERNEL void write_levels_32(const uint64* seen, const uint64* planes, int32 bits, int64 n, int32 width, int64 searches,
                            int32* levels) {
  write_levels(seen, planes, bits, n, width, searches, levels);
}

// The searches that are at word `v` of the tables one level further than at word `u`, of those that are not at level 0
// there.
__device__ uint64 one_further(const uint64* seen, const uint64* planes, int32 bits, int64 stride, int64 u, int64 v) {
  uint64 carry = ~uint64(0), same = seen[u];
#pragma unroll 1  // unrolled, it takes more registers than there are
  for (int32 p = 0; p < bits; ++p) {
    const uint64 x = planes[p * stride + u];
    same &= ~(x ^ carry ^ planes[p * stride + v]);
    carry &= x;
  }
  return same;
}

// parents[s n + v] = u for the searches that are set, of a word.
__device__ void write_parents(uint64 set, int64 n, int64 v, INDEX u, INDEX* parents) {
#pragma unroll 1
  for (; set; set &= set - 1) parents[(__ffsll(set) - 1) * n + v] = u;
}

// The same where others may write, too: the least stays, all being less than -1 if seen as unsigned.
__device__ void lower_parents(uint64 set, int64 n, int64 v, INDEX u, INDEX* parents) {
#pragma unroll 1
  for (; set; set &= set - 1)
    atomicMin(reinterpret_cast<UINDEX*>(&parents[(__ffsll(set) - 1) * n + v]), UINDEX(u));
}

// The parents: the least in-neighbour that is one level nearer, and of a source itself. -1 before, where they stay so.
// As in `gather`, rows look at a few in-edges by themselves, then the warp together, in their order; of what it meets at
// once, the least counts. Reached by all lanes.
KERNEL void find_parents(const uint64* seen, const uint64* planes, int32 bits, int64 n, int32 width,
                         const int64* in_indptr, const INDEX* in_indices, INDEX* parents) {
  const int64 at = thread(), v = at / width, stride = n * width;
  const int32 word = lane() % width, place = lane() / width, places = 32 / width;
  INDEX* const own = parents + word * LANES * n;  // of the searches of this word
  uint64 wanted = 0;
  if (v < n)
    for (int32 p = 0; p < bits; ++p) wanted |= planes[p * stride + at];
  if (v < n) write_parents(seen[at] & ~wanted, n, v, INDEX(v), own);
  int64 edge = wanted ? in_indptr[v] : 0;
  const int64 end = wanted ? in_indptr[v + 1] : 0;
  for (const int64 few = end - edge < FEW_EDGES ? end : edge + FEW_EDGES; edge < few && wanted; ++edge) {
    const uint64 met = wanted & one_further(seen, planes, bits, stride, int64(in_indices[edge]) * width + word, at);
    write_parents(met, n, v, in_indices[edge], own);
    wanted &= ~met;
  }
  uint32 asking = __ballot_sync(FULL, edge < end && wanted);
  while (asking) {
    const int32 asker = __ffs(asking) - 1, row = asker / width * width;
    const int64 last = __shfl_sync(FULL, end, asker), child = __shfl_sync(FULL, v, asker);
    uint64 missing = __shfl_sync(FULL, wanted, row + word);
    for (int64 first = __shfl_sync(FULL, edge, asker); first < last && __any_sync(FULL, missing != 0);
         first += places) {
      uint64 met = 0;
      if (first + place < last) {
        const INDEX u = in_indices[first + place];
        met = missing & one_further(seen, planes, bits, stride, int64(u) * width + word, child * width + word);
        lower_parents(met, n, child, u, own);
      }
      missing &= ~fold_rows(met, width);
    }
    asking &= ~(((1u << width) - 1) << row);
  }
}

// For each vertex, over the searches that find it: the sum of the distances, their number, the largest.
KERNEL void sum_lanes(const uint64* seen, const uint64* planes, int32 bits, int64 n, int32 width, int64* sums,
                      int64* counts, int32* depths) {
  const int64 v = thread();
  if (v >= n) return;
  int64 sum = 0, count = 0;
  int32 deepest = 0;
  for (int32 word = 0; word < width; ++word) {
    const int64 at = v * width + word;
    uint64 top = seen[at];  // of those that have the highest bits so far
    int32 depth = 0;
    count += __popcll(top);
    for (int32 p = bits - 1; p >= 0; --p) {
      const uint64 plane = planes[p * n * width + at];
      sum += int64(__popcll(plane)) << p;
      if (top & plane) top &= plane, depth |= 1 << p;
    }
    if (depth > deepest) deepest = depth;
  }
  sums[v] = sum, counts[v] = count, depths[v] = deepest;
}
