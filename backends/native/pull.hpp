// Pull: next⟨¬visited⟩ = AT any.secondi frontier: each unvisited vertex scans its in-edges and stops
// at the first that comes from the frontier.
//
// Rows of the user's CSR are sorted, so there the first hit is also the smallest parent; a layout's
// rows are not, and a search for smallest parents does not use one.
// pull:bitmap walks the visited bitmap a word at a time; pull:list walks a list of the unvisited, kept
// compact from level to level. Both leave the next frontier in the bitmap `front`.
#pragma once

#include <algorithm>

#include "frontier.hpp"
#include "policy.hpp"

namespace lagbfs {

constexpr std::int64_t kAlonePull = 20 * LAGBFS_SMALL_LEVEL;  // with fewer unvisited edges a level is not worth a join

// The first in-neighbour of v in the frontier, or -1. The first `skip` need no look (v has as many, or none).
template <class Index>
inline Index find_parent(const Csr<Index>& in, const Word* front, std::int64_t v, int skip) {
  for (const Index *e = in.begin(v) + skip, *end = in.end(v); e < end; ++e)
    if (test(front, *e)) return *e;
  return -1;
}

// Of the vertices `todo` (bits of word w) those whose hub is in the frontier, settled: one probe each,
// without branches, and the hubs' part of `front` stays in the nearest cache.
template <class Index>
inline Word pull_hubs(const Index* hubs, const Word* front, const Settler<Index>& settle, std::int64_t w, Word todo) {
  const Index* const hub = hubs + w * kWordBits;
  Word found = 0;
  if (todo == ~Word{0})
    for (int b = 0; b < kWordBits; ++b) found |= Word(test(front, hub[b])) << b;
  else
    for_bits(todo, 0, [&](std::int64_t b) { found |= Word(test(front, hub[b])) << b; });
  for_bits(found, 0, [&](std::int64_t b) { settle(Index(w * kWordBits + b), hub[b]); });
  return found;
}

// Of the vertices `todo` those with a parent, settled. Long rows are asked for before the first is read;
// short ones are neighbours in memory, which the processor fetches by itself.
template <class Index>
inline Word pull_rows(const Csr<Index>& in, const Word* front, const Settler<Index>& settle, int skip,
                      std::int64_t w, Word todo) {
  constexpr std::int64_t kShort = 16;
  const std::int64_t base = w * kWordBits, last = base + 63 - __builtin_clzll(todo);
  if (std::int64_t(in.indptr[last + 1] - in.indptr[base]) > kShort * kWordBits)
    for_bits(todo, base, [&](std::int64_t v) { __builtin_prefetch(in.begin(v) + skip); });
  Word found = 0;
  for_bits(todo, base, [&](std::int64_t v) {
    const Index p = find_parent(in, front, v, skip);
    if (p < 0) return;
    found |= bit_of(v);
    settle(Index(v), p);
  });
  return found;
}

template <class Index>
void pull_bitmap(State<Index>& s) {
  Sum sum;
  const bool small = s.unvisited_edges() < kAlonePull;
  const std::int64_t chunk = small ? s.words() : std::clamp<std::int64_t>(s.words() / 64, 4, kScanWords);
  s.lease.chunks(s.words(), chunk, [&](int id, std::int64_t begin, std::int64_t end) {
    if (s.signals.tick(id)) return;
    const Settler<Index> settle = s.settler();
    const Csr<Index> in = s.view.in;
    const Index* const hubs = s.view.hub;
    const Word* const front = s.front();
    const int skip = s.view.hub_leads;
    Tally tally;
    for (std::int64_t w = begin; w < end; ++w) {
      const Word todo = ~s.seen()[w];
      Word found = 0;
      if (todo && hubs) found = pull_hubs(hubs, front, settle, w, todo);
      if (todo & ~found) found |= pull_rows(in, front, settle, skip, w, todo & ~found);
      s.work.next[w] = found;
      s.seen()[w] |= found;
      if (found) count(s, w, found, tally);
    }
    sum.add(tally);
  });
  s.frontier = sum.total();
  s.listed = false;
}

// The unvisited in ascending order.
template <class Index>
void list_unvisited(State<Index>& s) {
  if (s.listed) return;
  if (!s.work.list) s.work.list = Recycled<Index>(s.view.n);
  Index* at = s.work.list.data();
  for (std::int64_t w = 0; w < s.words(); ++w)
    for_bits(~s.seen()[w], w * kWordBits, [&](std::int64_t v) { *at++ = Index(v); });
  s.unlisted = at - s.work.list.data();
  s.listed = true;
}

// One run of the list: settles what it can, moves the rest to the run's beginning, returns its length.
template <class Index>
std::int64_t pull_run(State<Index>& s, Index* list, std::int64_t size, Tally& tally) {
  const Settler<Index> settle = s.settler();
  const Csr<Index> in = s.view.in;
  std::int64_t kept = 0;
  for (std::int64_t i = 0; i < size; ++i) {
    const Index v = list[i];
    if (i + 8 < size) __builtin_prefetch(in.begin(list[i + 8]));
    Index p = s.view.hub ? s.view.hub[v] : v;
    if (!test(s.front(), p)) p = find_parent(in, s.front(), v, s.view.hub_leads);
    if (p < 0) {
      list[kept++] = v;
      continue;
    }
    settle(v, p);
    insert_shared(s.work.next.data(), v);
    insert_shared(s.seen(), v);
    tally += Tally{1, s.view.out.degree(v)};
  }
  return kept;
}

template <class Index>
void pull_list(State<Index>& s) {
  constexpr std::int64_t kRuns = 128;
  list_unvisited(s);
  clear(s.work.next.data(), s.words());
  Index* const list = s.work.list.data();
  const bool small = s.unvisited_edges() < kAlonePull;
  const std::int64_t run = small ? s.unlisted + 1 : std::max<std::int64_t>(s.unlisted / kRuns + 1, 256);
  std::int64_t kept[kRuns] = {};
  Sum sum;
  s.lease.chunks(s.unlisted, run, [&](int id, std::int64_t begin, std::int64_t end) {
    if (s.signals.tick(id)) return;
    Tally tally;
    kept[begin / run] = pull_run(s, list + begin, end - begin, tally);
    sum.add(tally);
  });
  std::int64_t size = 0;
  for (std::int64_t begin = 0; begin < s.unlisted; begin += run) {
    std::copy(list + begin, list + begin + kept[begin / run], list + size);
    size += kept[begin / run];
  }
  s.unlisted = size;
  s.frontier = sum.total();
}

template <class Index>
void pull(State<Index>& s, int arm) {
  map_frontier(s);
  arm == kPullList ? pull_list(s) : pull_bitmap(s);
  std::swap(s.work.front, s.work.next);
  s.mapped = true, s.queued = s.clean = false;
}

}  // namespace lagbfs
