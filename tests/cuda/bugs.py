"""Bugs of the kinds that kernels have, to be seeded into their text: every one has to be caught.

    name: (text in the kernels, what it becomes, who catches it, the checks by which)

By itself the emulator catches what gives wrong results, in one of its orders, or is a fault; ASan what lies outside of
arrays, TSan what is not ordered.
"""

from __future__ import annotations

from typing import NamedTuple


class Bug(NamedTuple):
    old: str
    new: str
    sanitizer: str
    checks: str


BUGS = {
    # Barriers
    "no barrier before partial sums are read": Bug(
        "__syncthreads();\n  int64 earlier = 0;", "int64 earlier = 0;", "", "scans"
    ),
    "no barrier before partial sums are written again": Bug(
        "__syncthreads();  // before the next scan writes", "", "thread", "scans"
    ),
    "no barrier before the narrowed span is read": Bug(
        "span[warp()] = row;\n  }\n  __syncthreads();", "span[warp()] = row;\n  }", "", "searches"
    ),
    "no barrier before cached bits are read": Bug(
        "= hub_bits[threadIdx.x];\n  __syncthreads();", "= hub_bits[threadIdx.x];", "", "searches"
    ),
    "a return before a barrier": Bug(
        "const int32 count = __syncthreads_count(waits);",
        "if (!waits) return;\n  const int32 count = __syncthreads_count(waits);",
        "",
        "conversions",
    ),
    "no barrier before summed degrees are searched": Bug(
        "scan_tile(list, size, indptr, begins);\n  __syncthreads();",
        "scan_tile(list, size, indptr, begins);",
        "",
        "searches",
    ),
    "no barrier before loaded rows are searched": Bug(
        "begins[i] = begin(low + i);\n  __syncthreads();", "begins[i] = begin(low + i);", "", "searches"
    ),
    "no barrier before the place in the list is read": Bug(
        "uint64(total));\n  __syncthreads();\n  for", "uint64(total));\n  for", "", "searches"
    ),
    "no barrier before a run's counters are read": Bug(
        "__syncthreads();  // before the begins are written again, and before the counters are read",
        "",
        "thread",
        "runs",
    ),
    "no barrier between the levels of a run": Bug(
        "__syncthreads();  // before the counters are zeroed, and the parents looked at", "", "thread", "runs"
    ),
    "no barrier before waiting vertices are taken": Bug(
        "next, counters);\n  __syncthreads();\n  for (int32 i", "next, counters);\n  for (int32 i", "", "searches"
    ),
    # Warps
    "a ballot in a divergent branch": Bug(
        "append(found, v, next, counters);\n    if (found) found_edges",
        "if (edge < end) append(found, v, next, counters);\n    if (found) found_edges",
        "",
        "searches",
    ),
    "a loop that lanes leave one by one": Bug("__any_sync(FULL, edge < end)", "edge < end", "", "searches"),
    "a mask that is not full": Bug(
        "__ballot_sync(FULL, probe < high", "__ballot_sync(0xffff, probe < high", "", "searches"
    ),
    "lanes append one place too far": Bug("((1u << lane()) - 1)", "(1u << lane())", "", "searches"),
    # Memory
    "shared memory that is not initialised": Bug(
        "cached[threadIdx.x] = hub_bits[threadIdx.x];",
        "if (threadIdx.x < 1) cached[threadIdx.x + 1] = hub_bits[threadIdx.x];",
        "",
        "searches",
    ),
    "an edge too many": Bug("edge < alone && parent", "edge <= alone && parent", "address", "searches"),
    "an edge too many of the warp": Bug(
        "? in_indices[first + lane()] : 0", "| 1 ? in_indices[first + lane()] : 0", "address", "searches"
    ),
    "levels beyond the room for what they find": Bug("counters[1] <= uint64(room)", "true", "address", "runs"),
    "a list without bounds check": Bug("  if (thread() >= size) return;\n", "", "address", "conversions"),
    "parents settled without bounds check": Bug(
        "if (thread() < size) reached[list[thread()]]", "reached[list[thread()]]", "address", "searches"
    ),
    "a bitmap word too many": Bug("if (lane() == 0 && v < n) next", "if (lane() == 0) next", "address", "searches"),
    "shared memory exceeded": Bug("__shared__ int64 span[2];", "__shared__ int64 span[1];", "address", "searches"),
    # Atomics
    "a claim without compare-and-swap": Bug(
        "atomicCAS(place, UINDEX(UNREACHED), mark) == UINDEX(UNREACHED)", "(*place = mark, true)", "", "searches"
    ),
    "a claim without compare-and-swap, to TSan": Bug(
        "atomicCAS(place, UINDEX(UNREACHED), mark) == UINDEX(UNREACHED)", "(*place = mark, true)", "thread", "searches"
    ),
    "a least parent without atomic": Bug(
        "atomicMin(place, bid) == UINDEX(UNREACHED)", "(*place = bid, seen == UINDEX(UNREACHED))", "", "searches"
    ),
    "an append without atomic": Bug(
        "at = atomicAdd(&counters[0], uint64(__popc(finders)));",
        "{ at = counters[0]; counters[0] = at + __popc(finders); }",
        "thread",
        "searches",
    ),
    "a block's append without atomic": Bug(
        "base = atomicAdd(&counters[0], uint64(total));",
        "{ base = counters[0]; counters[0] = base + total; }",
        "thread",
        "searches",
    ),
    "vertices that wait, noted without atomic": Bug(
        "waiting[atomicAdd(&waiting_count, 1)] = u;", "waiting[waiting_count++] = u;", "thread", "searches"
    ),
    "edges counted without atomic": Bug(
        "atomicAdd(&counters[1], uint64(total));", "counters[1] += total;", "thread", "searches"
    ),
    "a bit set without atomic": Bug(
        "atomicOr(&bitmap[v >> 5], 1u << (v & 31));", "bitmap[v >> 5] |= 1u << (v & 31);", "thread", "conversions"
    ),
    "a sum without compare-and-swap": Bug(
        "next.word = atomicCAS(place, old.word, desired);", "next.word = old.word, *place = desired;", "", "products"
    ),
    # Logic
    "earlier tiles left out": Bug("return offsets[i] + sums[i / TILE];", "return offsets[i];", "", "searches"),
    "the row before": Bug("if (begin(middle) <= edge)", "if (begin(middle) < edge)", "", "searches"),
    "parents left provisional": Bug("&= INDEX(~PROVISIONAL)", "&= INDEX(-1)", "", "searches"),
    "the first hub instead of the least parent": Bug("&& rule != LEAST_PARENT) break", ") break", "", "searches"),
    "a mask without complement": Bug("mask[i] != bool(complement)", "mask[i]", "", "products"),
    "a minimum that stays NaN": Bug("b < a || is_nan(a) ? b : a", "b < a ? b : a", "", "products"),
    "a maximum that begins at zero": Bug("if (add == MAX && is_signed)", "if (add > PLUS)", "", "products"),
    "the warp's first probe instead of its first hit": Bug("hits ? __ffs(hits) - 1 : 0", "0", "", "searches"),
    "one lane asks the warp, not each": Bug("asking; asking &= asking - 1", "asking; asking = 0", "", "searches"),
    "vertices that wait are forgotten": Bug("i < waiting_count; ++i", "i < waiting_count - 1; ++i", "", "searches"),
    "the found are left among the unvisited": Bug("append(begin < end && !found", "append(begin < end", "", "searches"),
    "a run that leaves parents provisional": Bug("reached[next[i]] &= INDEX(~PROVISIONAL)", "(void)0", "", "runs"),
    "a level too many": Bug("done + 1 < levels &&", "done < levels &&", "", "runs"),
    "a vote of the lanes that have work": Bug(
        "if (__any_sync(FULL, found && settled(add, sum))) break;\n  }\n  fold",
        "if (at < few.end && __any_sync(FULL, found && settled(add, sum))) break;\n  }\n  fold",
        "",
        "dots",
    ),
    "a warp without an entry": Bug("if (entry >= entries) return;", "", "address", "dots"),
    "an index too many of the shorter row": Bug("if (at < few.end && advance", "if (advance", "address", "dots"),
    "a search that ends behind the longer row": Bug(
        "row.at < row.end && row.indices[row.at] == k", "row.indices[row.at] == k", "address", "dots"
    ),
    "a search that is not lower than the next": Bug("row.at = middle + 1", "row.at = middle + 2", "", "dots"),
    "rows swapped, their values not": Bug("swapped ? many.at : at, in_right", "at, in_right", "", "dots"),
    "one lane's sum for all": Bug("fold(add, 32, sum, found);", "fold(add, 1, sum, found);", "", "dots"),
    "half a warp's sum": Bug("fold(add, 32, sum, found);", "fold(add, 16, sum, found);", "", "dots"),
    "a result for every lane": Bug("  if (lane()) return;\n", "", "thread", "dots"),
    # Searches in step
    "a row that gets what another asked for": Bug("if (place == row / width) got |= more;", "got |= more;", "", "many"),
    "one row asks the warp, not each": Bug(
        "if (place == row / width) got |= more;\n    asking &= ~(((1u << width) - 1) << row);",
        "if (place == row / width) got |= more;\n    asking = 0;",
        "",
        "many",
    ),
    "a fold of half the warp": Bug(
        "for (int32 distance = 16; distance >= width", "for (int32 distance = 8; distance >= width", "", "many"
    ),
    "searches that have ended are waited for": Bug("alive[at % width] & ~seen[at]", "~seen[at]", "", "many"),
    "a level in too many planes": Bug("if (depth >> p & 1) planes[p", "if (depth >> p) planes[p", "", "many"),
    "rows added to without atomic": Bug(
        "if (news) atomicOr(&next[int64(v) * width + word], news);",
        "if (news) next[int64(v) * width + word] |= news;",
        "thread",
        "many",
    ),
    "a vertex listed for each edge": Bug(
        "append(all && !(atomicOr(&listed[v >> 5], bit) & bit)", "append(all", "address", "many"
    ),
    "vertices left listed": Bug("__stcg(&listed[v >> 5], uint32(0));", "", "", "many"),
    "a vertex listed for each word": Bug("found && thread() % width == 0", "found", "address", "many"),
    "searches counted without atomic": Bug(
        "atomicAdd(&counters[COUNTERS + search], count);", "counters[COUNTERS + search] += count;", "thread", "many"
    ),
    "a row counted twice": Bug("i < first + COUNTED && i < size", "i <= first + COUNTED && i < size", "", "many"),
    "levels of searches that there are not": Bug("word * LANES + lane < searches", "true", "address", "many"),
    "a vertex not found is nearer": Bug("same = seen[u];", "same = ~uint64(0);", "", "many"),
    "the last parent met at once": Bug(
        "atomicMin(reinterpret_cast<UINDEX*>(&parents[(__ffsll(set) - 1) * n + v]), UINDEX(u));",
        "parents[(__ffsll(set) - 1) * n + v] = u;",
        "",
        "many",
    ),
    "the deepest of other searches": Bug(
        "if (top & plane) top &= plane, depth", "if (plane) top &= plane, depth", "", "many"
    ),
    # Edges beyond 32 bits
    "a thread's number of 32 bits": Bug(
        "__device__ int64 thread() { return int64(blockIdx.x)",
        "__device__ int64 thread() { return (blockIdx.x)",
        "",
        "offsets",
    ),
    "a tile's first edge of 32 bits": Bug("constexpr int64 TILE", "constexpr int32 TILE", "", "offsets"),
    "an edge of 32 bits": Bug(
        "int64 edge = row < size ? indptr[u]", "int32 edge = row < size ? indptr[u]", "", "offsets"
    ),
    "an in-edge of 32 bits": Bug(
        "INDEX probe(int64 edge, int64 end", "INDEX probe(int32 edge, int64 end", "", "offsets"
    ),
    "an edge among a few of 32 bits": Bug(
        "const int64 edge = first + k * BLOCK", "const int32 edge = first + k * BLOCK", "", "offsets"
    ),
    "an entry of a mask of 32 bits": Bug(
        "const int64 entry = thread() / 32", "const int32 entry = thread() / 32", "", "offsets"
    ),
    "a row of 32 bits": Bug(
        "  int64 at, end;\n  __device__ int64 size", "  int32 at, end;\n  __device__ int64 size", "", "offsets"
    ),
    "a sum of degrees of 32 bits": Bug(
        "int64 degrees[PER_THREAD], sum = 0, total;", "int32 degrees[PER_THREAD]; int64 sum = 0, total;", "", "offsets"
    ),
}
