// Whole algorithms on small random graphs, against plain serial code.
#pragma once

#include <cmath>
#include <limits>

#include "betweenness.hpp"
#include "common.hpp"
#include "components.hpp"
#include "cores.hpp"
#include "pagerank.hpp"
#include "sssp.hpp"
#include "triangles.hpp"

static std::int64_t some_size(Random& random) { return 1 + below(random, below(random, 3) ? 60 : 400); }

template <class Index, class Offset>
void test_components(Random& random) {
  const std::int64_t n = some_size(random);
  const bool symmetric = below(random, 2);
  const auto m = matrix_of<Index, Offset>(random_edges(random, n, symmetric), n, n);
  std::vector<Index> want(n), found(n);
  for (std::int64_t v = 0; v < n; ++v) want[v] = Index(v);
  for (bool changed = true; changed;) {
    changed = false;
    for (std::int64_t u = 0; u < n; ++u)
      for (Offset e = m.indptr[u]; e < m.indptr[u + 1]; ++e) {
        Index &a = want[u], &b = want[m.indices[e]];
        if (a != b) a = b = std::min(a, b), changed = true;
      }
  }
  Engine<Index, Offset> engine(m.csr(), m.csr());
  if (symmetric && below(random, 2)) engine.optimize(3, nullptr);
  for (int again = 0; again < 20; ++again) {  // threads seldom meet at a root
    components(m.csr(), symmetric ? &engine : nullptr, found.data(), 8);
    CHECK(found == want);
  }
}

// Every third vertex of some graphs is linked to one of few, so that degrees are skewed and vertices renamed.
template <class Index, class Offset>
void test_triangles(Random& random) {
  const std::int64_t n = some_size(random);
  Edges edges = random_edges(random, n, true);
  if (below(random, 2))
    for (std::int64_t v = 0; v < n; ++v)
      for (std::int64_t hub = 0; hub < std::min<std::int64_t>(n, 5); ++hub)
        if (hub == 0 || below(random, 3) == 0) edges.emplace(v, hub), edges.emplace(hub, v);
  const auto m = matrix_of<Index, Offset>(edges, n, n);
  std::vector<std::int64_t> want(n), found(n, -1);
  std::int64_t total = 0;
  for (const auto& [u, v] : edges)
    for (Offset e = m.indptr[v]; v < u && e < m.indptr[v + 1]; ++e) {
      const std::int64_t w = m.indices[e];
      if (w < v && m.has(u, w)) ++total, ++want[u], ++want[v], ++want[w];
    }
  CHECK(triangles(m.csr(), nullptr, 3) == total);
  CHECK(triangles(m.csr(), found.data(), 3) == total && found == want);
}

template <class Index, class Offset>
void test_cores(Random& random) {
  const std::int64_t n = some_size(random);
  const auto m = matrix_of<Index, Offset>(random_edges(random, n, true), n, n);
  std::vector<std::int32_t> want(n, 0), found(n);
  for (std::int32_t k = 1; k <= n; ++k) {
    std::vector<bool> in(n, true);
    for (bool changed = true; changed;) {
      changed = false;
      for (std::int64_t v = 0; v < n; ++v) {
        std::int32_t degree = 0;
        for (Offset e = m.indptr[v]; e < m.indptr[v + 1]; ++e) degree += m.indices[e] != v && in[m.indices[e]];
        if (in[v] && degree < k) in[v] = false, changed = true;
      }
    }
    for (std::int64_t v = 0; v < n; ++v)
      if (in[v]) want[v] = k;
    if (std::find(in.begin(), in.end(), true) == in.end()) break;
  }
  core_numbers(m.csr(), found.data());
  CHECK(found == want);
}

template <class Index, class Offset>
void test_pagerank(Random& random) {
  const std::int64_t n = some_size(random);
  const bool symmetric = below(random, 2);
  const Edges edges = random_edges(random, n, symmetric);
  const auto a = matrix_of<Index, Offset>(edges, n, n), at = matrix_of<Index, Offset>(flipped(edges), n, n);
  const bool weighted = below(random, 2), own = below(random, 2);
  std::vector<double> weights(edges.size()), out(n), given(n), start(n), ranks(n), want(n, 1.0 / double(n));
  std::size_t e = 0;
  for (const auto& [v, u] : flipped(edges))
    weights[e] = weighted ? double(below(random, 4)) : 1, out[u] += weights[e++];
  double sum = 0;
  for (std::int64_t v = 0; v < n; ++v) sum += given[v] = 1 + double(below(random, 5));
  for (std::int64_t v = 0; v < n; ++v) start[v] = given[v] /= sum;
  RankProblem<Index, Offset> p;
  p.in = at.csr(), p.out_indptr = symmetric ? at.indptr.data() : a.indptr.data(), p.most = 2000,
  p.tol = below(random, 2) ? 1e-13 : 1e-4;
  p.in_place = below(random, 2);
  if (weighted) p.weights = weights.data(), p.out = out.data();
  if (own) p.personalization = given.data(), p.start = start.data();
  if (own && below(random, 2)) p.dangling = start.data();
  const bool gone = below(random, 3) == 0;  // what is lost
  const std::vector<double> nowhere(n);
  if (gone) p.dangling = nowhere.data(), p.normalised = false;
  for (int round = 0; round < 400; ++round) {
    std::vector<double> next(n);
    double lost = 0;
    for (std::int64_t v = 0; v < n; ++v) lost += out[v] > 0 ? 0 : want[v];
    e = 0;
    for (const auto& [v, u] : flipped(edges)) next[v] += out[u] > 0 ? want[u] / out[u] * weights[e] : 0, ++e;
    for (std::int64_t v = 0; v < n; ++v) {
      const double share = own ? given[v] : 1.0 / double(n);
      next[v] = p.damping * (next[v] + (gone ? 0 : lost * share)) + (1 - p.damping) * share;
    }
    want = next;
  }
  const RankOutcome outcome = pagerank(p, ranks.data(), 3);
  CHECK(outcome.error < p.tol && outcome.iterations > 0);
  const auto off = [&](const std::vector<double>& others) {
    double sum = 0;
    for (std::int64_t v = 0; v < n; ++v) sum += std::abs(ranks[v] - others[v]);
    return sum;
  };
  CHECK(off(want) < 1e-10 + 20 * p.tol);
  std::vector<double> alone(n);
  pagerank(p, alone.data(), 1);
  CHECK(p.in_place ? off(alone) < 1e-10 + 40 * p.tol : ranks == alone);
}

// Weights of 0 included; with a cutoff, or targets whose distances alone are final.
template <class Index, class Offset, class Weight>
void test_paths(Random& random) {
  const std::int64_t n = some_size(random), most = 1 + below(random, 40);
  const auto m = matrix_of<Index, Offset>(random_edges(random, n, below(random, 2)), n, n);
  std::vector<Weight> weights(m.indices.size() + 1);
  for (Weight& w : weights) w = Weight(below(random, most));
  const std::vector<Index> sources{Index(below(random, n)), Index(below(random, n))}, targets{Index(below(random, n))};
  PathProblem<Index, Offset, Weight> p;
  p.out = m.csr(), p.weights = weights.data(), p.each = below(random, 4);
  p.sources = sources.data(), p.source_count = 1 + below(random, 2);
  p.width = std::pow(4.0, double(below(random, 5)) - 1), p.largest = double(most - 1);
  if (below(random, 3) == 0) p.cutoff = double(below(random, 3 * most));
  if (below(random, 3) == 0) p.targets = targets.data(), p.target_count = 1;
  constexpr double kInfinite = std::numeric_limits<double>::infinity();
  std::vector<double> want(n, kInfinite), found(n);
  std::vector<Index> parents(n);
  for (std::int64_t s = 0; s < p.source_count; ++s) want[sources[s]] = 0;
  const auto weight = [&](Offset e) { return double(weights[p.each ? e : 0]); };
  for (bool changed = true; changed;) {
    changed = false;
    for (std::int64_t u = 0; u < n; ++u)
      for (Offset e = m.indptr[u]; e < m.indptr[u + 1]; ++e) {
        const double d = want[u] + weight(e);
        if (d < want[m.indices[e]] && d <= p.cutoff) want[m.indices[e]] = d, changed = true;
      }
  }
  shortest_paths(p, found.data(), parents.data(), 3);
  const double final = p.target_count ? want[targets[0]] : kInfinite;
  for (std::int64_t v = 0; v < n; ++v) {
    CHECK(found[v] == want[v] || (want[v] > final && found[v] > want[v]));
    CHECK((parents[v] < 0) == std::isinf(found[v]));
    std::int64_t u = v, steps = 0;
    while (parents[v] >= 0 && parents[u] != u && steps <= n) u = parents[u], ++steps;
    CHECK(steps <= n && (parents[v] < 0 || want[u] == 0));
    if (parents[v] < 0 || parents[v] == v || found[v] != want[v]) continue;
    bool tight = false;
    const Index parent = parents[v];
    for (Offset e = m.indptr[parent]; e < m.indptr[parent + 1]; ++e)
      tight |= m.indices[e] == v && found[parent] + weight(e) == found[v];
    CHECK(tight);
  }
}

template <class Index, class Offset>
void test_betweenness(Random& random) {
  const std::int64_t n = 1 + below(random, 60);
  const Edges edges = random_edges(random, n, below(random, 2));
  const auto a = matrix_of<Index, Offset>(edges, n, n), at = matrix_of<Index, Offset>(flipped(edges), n, n);
  std::vector<Index> sources;
  for (std::int64_t k = below(random, 9); k > 0; --k) sources.push_back(Index(below(random, n)));
  std::vector<double> vertices(n), entries(edges.size()), by_vertex(n), by_entry(edges.size());
  for (const Index s : sources) {
    std::vector<std::int64_t> level(n, n + 1);
    std::vector<double> sigma(n), delta(n);
    level[s] = 0, sigma[s] = 1;
    for (std::int64_t d = 0; d < n; ++d)
      for (const auto& [u, v] : edges) {
        if (level[u] != d) continue;
        level[v] = std::min(level[v], d + 1);
        if (level[v] == d + 1) sigma[v] += sigma[u];
      }
    for (std::int64_t d = n; d >= 0; --d) {
      std::size_t e = 0;
      for (const auto& [u, v] : edges) {
        if (level[u] == d && level[v] == d + 1) {
          const double part = sigma[u] / sigma[v] * (1 + delta[v]);
          delta[u] += part, entries[e] += part;
        }
        ++e;
      }
    }
    for (std::int64_t v = 0; v < n; ++v) vertices[v] += v == s ? 0 : delta[v];
  }
  const std::int64_t count = std::int64_t(sources.size());
  betweenness(a.csr(), at.csr(), sources.data(), count, false, by_vertex.data(), 3);
  betweenness(a.csr(), at.csr(), sources.data(), count, true, by_entry.data(), 3);
  const auto close = [](double x, double y) { return std::abs(x - y) <= 1e-9 * (1 + std::abs(y)); };
  for (std::int64_t v = 0; v < n; ++v) CHECK(close(by_vertex[v], vertices[v]));
  for (std::size_t e = 0; e < edges.size(); ++e) CHECK(close(by_entry[e], entries[e]));
}
