// Pull: next⟨¬visited⟩ = AT any.secondi frontier: each unvisited vertex scans its in-edges and stops
// at the first that comes from the frontier.
//
// Rows of the user's CSR are sorted, so there the first hit is also the smallest parent; a layout's
// rows are not, and a search for smallest parents does not use one.
// pull:bitmap walks the visited bitmap a word at a time; pull:list walks a list of the unvisited, kept
// compact from level to level. Both leave the next frontier in the bitmap `front`.
#pragma once

#include <algorithm>

#if defined(__AVX2__)
#include <immintrin.h>
#endif

#include "frontier.hpp"
#include "policy.hpp"

namespace lagbfs {

// The first in-neighbour of v in the frontier, or -1. The first `skip` need no look (v has as many, or none).
template <class Index>
inline Index find_parent(const Csr<Index>& in, const Word* front, std::int64_t v, int skip) {
  for (const Index *e = in.begin(v) + skip, *end = in.end(v); e < end; ++e)
    if (test(front, *e)) return *e;
  return -1;
}

// Which of 64 vertices are in the frontier.
template <class Index>
inline Word test_all(const Word* front, const Index* vertices) {
  Word found = 0;
#if defined(__AVX2__)
  if constexpr (sizeof(Index) == 4) {  // eight at a time, each bit brought to its lane's sign
    const __m256i low = _mm256_set1_epi32(31);
    for (int b = 0; b < kWordBits; b += 8) {
      const __m256i v = _mm256_loadu_si256(reinterpret_cast<const __m256i*>(vertices + b));
      const __m256i halves = _mm256_i32gather_epi32(reinterpret_cast<const int*>(front), _mm256_srli_epi32(v, 5), 4);
      const __m256i signs = _mm256_sllv_epi32(halves, _mm256_andnot_si256(v, low));
      found |= Word(unsigned(_mm256_movemask_ps(_mm256_castsi256_ps(signs)))) << b;
    }
    return found;
  }
#endif
  for (int b = 0; b < kWordBits; ++b) found |= Word(test(front, vertices[b])) << b;
  return found;
}

// Of the vertices `todo` (bits of word w) those whose head is in the frontier, settled: one probe each,
// without branches, and the hubs' part of `front` stays in the nearest cache.
template <class Index>
inline Word pull_column(const Index* heads, const Word* front, const Settler<Index>& settle, std::int64_t w,
                        Word todo) {
  Word found = 0;
  if (__builtin_popcountll(todo) >= kMany)
    found = test_all(front, heads) & todo;
  else
    for_bits(todo, 0, [&](std::int64_t b) { found |= Word(test(front, heads[b])) << b; });
  for_bits(found, 0, [&](std::int64_t b) { settle(Index(w * kWordBits + b), heads[b]); });
  return found;
}

// The same over the columns, until few are left. `skip` becomes the number of their rows' entries that were probed.
template <class Index>
inline Word pull_heads(const View<Index>& view, const Word* front, const Settler<Index>& settle, std::int64_t w,
                       Word todo, int& skip) {
  const Index* column = view.heads + w * kWordBits;
  Word found = 0;
  int k = 0;
  do {
    found |= pull_column(column, front, settle, w, todo & ~found);
    column += view.head_stride;
  } while (++k < view.head_count && __builtin_popcountll(todo & ~found) >= kSome);
  skip = k - !view.leads;
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
    const View<Index> view = s.view;
    const Word* const front = s.front();
    Tally tally;
    for (std::int64_t w = begin; w < end; ++w) {
      const Word todo = ~s.seen()[w];
      Word found = 0;
      int skip = 0;
      if (todo && view.heads) found = pull_heads(view, front, settle, w, todo, skip);
      if (todo & ~found) found |= pull_rows(view.in, front, settle, skip, w, todo & ~found);
      s.work.next[w] = found;
      s.seen()[w] |= found;
      if (found) tally += count(view, w, found);
    }
    sum.add(tally);
  });
  s.frontier = sum.total();
  s.listed = false;
}

// The unvisited, those of one word of the bitmap side by side.
template <class Index>
void list_unvisited(State<Index>& s) {
  if (s.listed) return;
  settle_claims(s);
  s.reserve_scratch();
  s.unlisted = 0;
  append_bits(s, 1 << 12, s.list(), s.unlisted, [seen = s.seen()](std::int64_t w) { return ~seen[w]; });
  s.listed = true;
}

// One run of the list, which shares no word with another: settles what it can, moves the rest to the run's beginning,
// returns its length.
template <class Index>
std::int64_t pull_run(State<Index>& s, Index* list, std::int64_t size, Tally& tally) {
  const Settler<Index> settle = s.settler();
  const Csr<Index> in = s.view.in;
  const Word* const front = s.front();
  std::int64_t kept = 0;
  for (std::int64_t i = 0; i < size; ++i) {
    const Index v = list[i];
    if (i + 8 < size) __builtin_prefetch(in.begin(list[i + 8]));
    Index p = s.view.heads ? s.view.heads[v] : v;
    if (!test(front, p)) p = find_parent(in, front, v, s.view.leads);
    if (p < 0) {
      list[kept++] = v;
      continue;
    }
    settle(v, p);
    s.work.next[v >> 6] |= bit_of(v);
    s.seen()[v >> 6] |= bit_of(v);
    tally += Tally{1, s.view.degree(v)};
  }
  return kept;
}

// From `at` on, where the list comes to another word.
template <class Index>
std::int64_t next_word(const Index* list, std::int64_t size, std::int64_t at) {
  while (at > 0 && at < size && list[at] >> 6 == list[at - 1] >> 6) ++at;
  return at;
}

template <class Index>
void pull_list(State<Index>& s) {
  constexpr std::int64_t kRuns = 128;
  list_unvisited(s);
  clear(s.work.next.data(), s.words());
  Index* const list = s.list();
  const std::int64_t listed = s.unlisted;
  const bool small = s.unvisited_edges() < kAlonePull;
  const std::int64_t run = small ? listed + 1 : std::max<std::int64_t>(listed / kRuns + 1, 256);
  struct Cut { std::int64_t begin, kept; } cuts[kRuns] = {};
  Sum sum;
  for (std::int64_t i = 0; i * run < listed; ++i) cuts[i].begin = next_word(list, listed, i * run);
  s.lease.chunks(listed, run, [&](int id, std::int64_t at, std::int64_t end) {
    if (s.signals.tick(id)) return;
    Tally tally;
    Cut& cut = cuts[at / run];
    const std::int64_t stop = end < listed ? cuts[end / run].begin : listed;
    cut.kept = pull_run(s, list + cut.begin, stop - cut.begin, tally);
    sum.add(tally);
  });
  s.unlisted = 0;
  for (std::int64_t i = 0; i * run < listed; ++i) {
    std::copy(list + cuts[i].begin, list + cuts[i].begin + cuts[i].kept, list + s.unlisted);
    s.unlisted += cuts[i].kept;
  }
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
