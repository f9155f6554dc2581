// Pull: next⟨¬visited⟩ = AT any.secondi frontier: each unvisited vertex scans its in-edges and stops
// at the first that comes from the frontier.
//
// Rows of the user's CSR are sorted, so there the first hit is also the smallest parent; a layout's
// rows are not, and a search for smallest parents does not use one.
// pull:bitmap walks the visited bitmap a word at a time; pull:list walks a list of the unvisited, kept
// compact from level to level. Both need the frontier as a bitmap, and make the next one as such.
#pragma once

#include <algorithm>
#include <cstdint>
#include <type_traits>

#if defined(__AVX2__)
#include <immintrin.h>
#endif

#include "arms.hpp"
#include "state.hpp"

namespace lagbfs {

// The first in-neighbour of v in the frontier, or -1. The first `skip` need no look (v has as many, or none).
// Entries are taken as unsigned numbers: signed ones cost a copy each, for the case that it is returned.
template <class Index, class Offset>
inline Index find_parent(const Csr<Index, Offset>& in, const Word* front, std::int64_t v, int skip) {
  for (const Index *e = in.begin(v) + skip, *end = in.end(v); e < end; ++e) {
    const std::make_unsigned_t<Index> u = *e;
    if (test(front, u)) return Index(u);
  }
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
  if (__builtin_popcountll(todo) >= kMany) found = test_all(front, heads) & todo;
  else for_bits(todo, 0, [&](std::int64_t b) { found |= Word(test(front, heads[b])) << b; });
  for_bits(found, 0, [&](std::int64_t b) { settle(Index(w * kWordBits + b), heads[b]); });
  return found;
}

// The same over the columns, until few are left. `skip` becomes the number of their rows' entries that were probed.
template <class Index, class Offset>
inline Word pull_heads(const View<Index, Offset>& view, const Word* front, const Settler<Index>& settle, std::int64_t w,
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
template <class Index, class Offset>
inline Word pull_rows(const Csr<Index, Offset>& in, const Word* front, const Settler<Index>& settle, int skip,
                      std::int64_t w, Word todo) {
  const std::int64_t base = w * kWordBits, last = base + 63 - __builtin_clzll(todo);
  if (std::int64_t(in.indptr[last + 1] - in.indptr[base]) > kShortRows * kWordBits)
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

// The unvisited of words [begin, end) that have a parent, settled; they make those words of the next bitmap.
template <class Index, class Offset>
Tally pull_words(State<Index, Offset>& s, const Word* front, std::int64_t begin, std::int64_t end) {
  const Settler<Index> settle = s.settler();
  const View<Index, Offset> view = s.view;
  Word *const next = s.frontier.next_bitmap(), *const visited = s.unvisited.visited();
  Tally tally;
  for (std::int64_t w = begin; w < end; ++w) {
    const Word todo = ~visited[w];
    Word found = 0;
    int skip = 0;
    if (todo && view.heads) found = pull_heads(view, front, settle, w, todo, skip);
    if (todo & ~found) found |= pull_rows(view.in, front, settle, skip, w, todo & ~found);
    next[w] = found;
    visited[w] |= found;
    if (found) tally += count(view, w, found);
  }
  return tally;
}

template <class Index, class Offset>
void pull_bitmap(State<Index, Offset>& s) {
  const Word* const front = s.frontier.as_bitmap();
  const bool small = s.unvisited.edges() < kAlonePull;
  const std::int64_t words = s.words();
  const std::int64_t most = std::clamp<std::int64_t>(words / kPullChunks, kLineWords, kScanWords);
  const std::int64_t chunk = small ? words : most / kLineWords * kLineWords;
  Sum sum;
  s.lease.chunks(words, chunk, [&](int id, std::int64_t begin, std::int64_t end) {
    if (!s.signals.tick(id)) sum.add(pull_words(s, front, begin, end));
  });
  s.unvisited.forget_list();
  s.frontier.became_bitmap(sum.total());
}

// One run of the list, which shares no cache line of the bitmaps with another: settles what it can, moves the rest to
// the run's beginning, returns its length.
template <class Index, class Offset>
std::int64_t pull_run(State<Index, Offset>& s, const Word* front, Span<Index> list, Tally& tally) {
  const Settler<Index> settle = s.settler();
  const Csr<Index, Offset> in = s.view.in;
  Word *const next = s.frontier.next_bitmap(), *const visited = s.unvisited.visited();
  std::int64_t kept = 0;
  for (std::int64_t i = 0; i < list.size(); ++i) {
    const Index v = list[i];
    if (i + kAhead < list.size()) __builtin_prefetch(in.begin(list[i + kAhead]));
    Index p = s.view.heads ? s.view.heads[v] : Index(v + s.view.offset);
    if (!test(front, p)) p = find_parent(in, front, v, s.view.leads);
    if (p < 0) {
      list[kept++] = v;
      continue;
    }
    settle(v, p);
    next[v >> 6] |= bit_of(v);
    visited[v >> 6] |= bit_of(v);
    tally += Tally{1, s.view.degree(v)};
  }
  return kept;
}

// From `at` on, where the list comes to another cache line of the bitmaps.
template <class Index>
std::int64_t next_line(Span<Index> list, std::int64_t at) {
  constexpr std::int64_t kLine = kWordBits * kLineWords;
  if (at == 0 || at >= list.size()) return at;
  const Index* const from = list.begin() + at;
  const Index* const last = from + std::min(kLine, list.size() - at);
  return std::partition_point(from, last, [line = from[-1] / kLine](Index v) { return v / kLine == line; }) -
         list.begin();
}

template <class Index, class Offset>
void pull_list(State<Index, Offset>& s) {
  const Word* const front = s.frontier.as_bitmap();
  const Span<Index> list = s.unvisited.as_list();
  const std::int64_t size = list.size();
  const bool small = s.unvisited.edges() < kAlonePull;
  const std::int64_t run = small ? size + 1 : std::max<std::int64_t>(size / kListRuns + 1, kLeastRun);
  struct Cut {
    std::int64_t begin, kept;
  } cuts[kListRuns] = {};
  Sum sum;
  s.frontier.empty_next_bitmap();
  for (std::int64_t i = 0; i * run < size; ++i) cuts[i].begin = next_line(list, i * run);
  s.lease.chunks(size, run, [&](int id, std::int64_t at, std::int64_t end) {
    if (s.signals.tick(id)) return;
    Tally tally;
    Cut& cut = cuts[at / run];
    const std::int64_t stop = end < size ? cuts[end / run].begin : size;
    cut.kept = pull_run(s, front, {list.begin() + cut.begin, list.begin() + stop}, tally);
    sum.add(tally);
  });
  Index* left = list.begin();
  for (std::int64_t i = 0; i * run < size; ++i) left = std::copy_n(list.begin() + cuts[i].begin, cuts[i].kept, left);
  s.unvisited.became_list(left - list.begin());
  s.frontier.became_bitmap(sum.total());
}

template <class Index, class Offset>
void pull(State<Index, Offset>& s, int arm) {
  arm == kPullList ? pull_list(s) : pull_bitmap(s);
}

}  // namespace lagbfs
