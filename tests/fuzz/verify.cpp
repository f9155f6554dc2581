// check_edges and check_list against plain loops, on claims of which most are wrong.
#include "verify.hpp"

#include "input.hpp"

template <class Index>
struct Claimed {
  std::vector<std::int32_t> levels;
  std::vector<Index> parents;
  std::int32_t limit;
};

// Levels and parents repeat after a few vertices, so that bytes are left for edges.
template <class Index>
Claimed<Index> claim_of(Input& input, std::int64_t n) {
  const std::int64_t period = 1 + input.below(16);
  Claimed<Index> c{std::vector<std::int32_t>(n), std::vector<Index>(n), std::int32_t(input.below(6))};
  if (input.flag()) c.limit = std::numeric_limits<std::int32_t>::max();
  for (std::int64_t v = 0; v < n; ++v) {
    c.levels[v] = v < period ? std::int32_t(input.below(5)) - 1 : c.levels[v - period];
    c.parents[v] = v < period ? Index(input.below(n + 1) - 1) : c.parents[v - period];
  }
  return c;
}

template <class Index, class Offset>
void check_claim(const Matrix<Index, Offset>& m, const Claimed<Index>& c, bool with_parents, int threads) {
  const std::int64_t n = std::int64_t(c.levels.size());
  std::int64_t first = std::int64_t(m.indices.size());
  std::vector<std::uint8_t> confirmed(n), stepped(n), found(n);
  for (std::int64_t u = n - 1; u >= 0; --u)
    for (std::int64_t e = m.indptr[u + 1] - 1; e >= m.indptr[u]; --e) {
      const std::int64_t v = m.indices[e], from = c.levels[u], to = c.levels[v];
      if (c.parents[v] == u) confirmed[v] = 1;
      if (from < 0 || from >= c.limit) continue;
      if (to < 0 || to > from + 1) first = e;
      if (to == from + 1) stepped[v] = 1;
    }
  const Claim<Index, Offset> claim{m.csr(), c.levels.data(), with_parents ? c.parents.data() : nullptr, c.limit,
                                   found.data()};
  CHECK(check_edges(claim, threads) == first);
  // Parents are looked at only where no edge is too long; without them all edges are, in any case.
  if (!with_parents) CHECK(found == stepped);
  else if (first == std::int64_t(m.indices.size())) CHECK(found == confirmed);
}

// Every edge of the list that is no loop must be there; the list comes from the matrix, but for what is put in.
template <class Index, class Offset>
void check_listed(Input& input, const Matrix<Index, Offset>& m, const Edges& edges, int threads) {
  const std::int64_t n = std::int64_t(m.indptr.size()) - 1, keep = 1 + input.below(4), wrong = input.below(8);
  std::vector<Index> src, dst;
  for (const auto& [u, v] : edges)
    if (std::int64_t(src.size() + u) % keep == 0 || v < u) src.push_back(Index(u)), dst.push_back(Index(v));
  for (std::int64_t k = 0; k < wrong && k < std::int64_t(src.size()); ++k)
    dst[input.below(std::int64_t(src.size()))] = Index(input.below(n));
  const std::int64_t size = std::int64_t(src.size());
  std::int64_t first = 0;
  while (first < size && (src[first] == dst[first] || m.has(src[first], dst[first]))) ++first;
  std::vector<std::uint8_t> seen(edges.size());
  CHECK(check_list(m.csr(), src.data(), dst.data(), size, seen.data(), threads) == first);
  if (first < size) return;
  Edges listed;
  for (std::int64_t k = 0; k < size; ++k)
    if (src[k] != dst[k]) listed.emplace(src[k], dst[k]), listed.emplace(dst[k], src[k]);
  std::size_t e = 0;
  for (const auto& [u, v] : edges) {
    const auto du = m.indptr[u + 1] - m.indptr[u], dv = m.indptr[v + 1] - m.indptr[v];
    const bool back = du != dv ? du > dv : u > v;
    CHECK(bool(seen[e++]) == (back || listed.count({u, v}) > 0));
  }
}

template <class Index, class Offset>
void check(Input& input) {
  const std::int64_t n = 1 + input.below(3000);
  const bool with_parents = input.flag(), lists = input.flag();
  const int threads = threads_of(input);
  const Claimed<Index> claimed = claim_of<Index>(input, n);
  Input choices = input;  // the list's wrong ends are drawn from the bytes of the graph, which they do not move
  const Edges edges = edges_of(input, n, n, lists);
  const auto m = matrix_of<Index, Offset>(edges, n, n);
  check_claim(m, claimed, with_parents, threads);
  if (lists) check_listed(choices, m, edges, threads);
}

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  Input input(data, size);
  switch (input.below(3)) {
    case 0:
      return check<std::int32_t, std::int32_t>(input), 0;
    case 1:
      return check<std::int32_t, std::int64_t>(input), 0;
    default:
      return check<std::int64_t, std::int64_t>(input), 0;
  }
}
