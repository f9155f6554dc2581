// Weakly connected components: a search where one finds most of the graph in few levels, and for all else union-find
// by Rem's algorithm with splicing (Patwary, Blair, Manne: "Experiments on Union-Find Algorithms for the Disjoint-Set
// Data Structure", SEA 2010) on a sample of the edges, as in Afforest (Sutton, Ben-Nun, Barak: "Optimizing Parallel
// Graph Connectivity Computation via Subgraph Sampling", IPDPS 2018).
//
// labels[v] is the parent of v in a forest whose parents are never larger than their children: a root is the smallest
// vertex of its tree. A few edges of each vertex join most of the graph; what remains are the edges of vertices outside
// the largest tree. That leaves out edges into the largest tree alone, so a graph that is not symmetric is looked at as
// a whole. Threads join what lies within a range of vertices each, and only then what lies across.
//
// Concurrent joins: whatever is hung elsewhere is so by compare and exchange, so that parents only become smaller.
// Whoever moves a vertex goes on to join what it hung from before with what it hangs from now: nothing comes apart.
#pragma once

#include <algorithm>
#include <array>
#include <atomic>
#include <cstdint>
#include <utility>
#include <vector>

#include "bitmap.hpp"
#include "engine.hpp"
#include "graph.hpp"
#include "recycle.hpp"
#include "signals.hpp"
#include "team.hpp"
#include "tuning_algorithms.hpp"

namespace lagbfs {

// Hangs v, which hung from `before` (a root from itself), below a smaller vertex; false if it hangs elsewhere by now.
template <bool Alone, class Index>
bool hang(Index* labels, Index v, Index before, Index below) {
  if constexpr (Alone) return labels[v] = below, true;
  return __atomic_compare_exchange_n(labels + v, &before, below, false, __ATOMIC_RELAXED, __ATOMIC_RELAXED);
}

// Joins the trees of u and v, climbing whichever has the larger parent, and moving what it leaves below the other's.
template <bool Alone, class Index>
void link(Index* labels, Index u, Index v) {
  Index above_u = load(labels + u), above_v = load(labels + v);
  while (above_u != above_v) {
    if (above_u < above_v) std::swap(u, v), std::swap(above_u, above_v);
    if (hang<Alone>(labels, u, above_u, above_v)) {
      if (above_u == u) return;
      u = above_u;
    }
    above_u = load(labels + u), above_v = load(labels + v);
  }
}

// Hangs v below its root.
template <class Index>
void compress(Index* labels, std::int64_t v) {
  const Index up = load(labels + v);
  Index root = up;
  for (Index above = load(labels + root); above != root; above = load(labels + root)) root = above;
  if (root != up) store(labels + v, root);
}

// The i-th of evenly spaced ones of n, which stand for all.
inline std::int64_t sampled(std::int64_t i, std::int64_t n) { return std::int64_t(double(i) / kSampled * double(n)); }

// The most frequent of their labels.
template <class Index>
Index frequent_label(const Index* labels, std::int64_t n) {
  std::array<Index, kSampled> sample;
  for (std::int64_t i = 0; i < kSampled; ++i) sample[i] = labels[sampled(i, n)];
  std::sort(sample.begin(), sample.end());
  Index best = sample[0];
  for (std::int64_t i = 0, most = 0, run = 0; i < kSampled; ++i) {
    run = i && sample[i] == sample[i - 1] ? run + 1 : 1;
    if (run > most) most = run, best = sample[i];
  }
  return best;
}

// The one of highest degree, which so lies in a large component most likely.
template <class Index, class Offset>
Index sampled_hub(const Csr<Index, Offset>& csr) {
  std::int64_t hub = 0;
  for (std::int64_t i = 0; i < kSampled; ++i) {
    const std::int64_t v = sampled(i, csr.rows);
    if (csr.degree(v) > csr.degree(hub)) hub = v;
  }
  return Index(hub);
}

// Whether a search finds most vertices in a few large levels: within a few levels its frontier has a good share of the
// edges, and of these most lead to vertices not found before. On roads there is no such frontier, and in webs, where
// neighbours have the same neighbours, it finds little.
template <class Index, class Offset>
bool expands(const Csr<Index, Offset>& csr, Index hub) {
  std::vector<Word> known(words_of(csr.rows));
  std::vector<Index> queue{hub};
  insert_alone(known.data(), hub);
  std::size_t begin = 0;
  for (int level = 0;; ++level) {
    const std::size_t end = queue.size();
    if (level == kFirstLevels || begin == end) return false;
    std::int64_t edges = 0;
    for (std::size_t i = begin; i < end; ++i) edges += csr.degree(queue[i]);
    if (edges * kFirstShare > csr.edges()) break;
    for (; begin < end; ++begin)
      for (const Index *e = csr.begin(queue[begin]), *stop = csr.end(queue[begin]); e != stop; ++e)
        if (insert_alone(known.data(), *e)) queue.push_back(*e);
  }
  std::int64_t fresh = 0;
  for (std::int64_t i = 0; i < kSampled; ++i) {
    const Index v = queue[begin + std::size_t(sampled(i, std::int64_t(queue.size() - begin)))];
    fresh += csr.degree(v) > 0 && !test(known.data(), csr.begin(v)[i % csr.degree(v)]);
  }
  return 3 * fresh > 2 * kSampled;
}

template <class Index, class Offset>
class Joining {
 public:
  Joining(const Csr<Index, Offset>& csr, Engine<Index, Offset>* engine, Index* labels, int threads, bool (*ask)())
      : csr_(csr), labels_(labels), symmetric_(engine != nullptr), signals_(ask), lease_(is_small() ? 1 : threads) {
    if (const Index hub = sampled_hub(csr); engine && expands(csr, hub)) reach(*engine, hub, threads, ask);
    else each_of_all([&](std::int64_t v) { labels_[v] = Index(v); });
  }

  void run() {
    if (!searched_ && sample()) return;
    const Index largest = searched_ ? labels_[root_] : frequent_label(labels_, csr_.rows);
    each([&](std::int64_t v) {
      if (symmetric_ && load(labels_ + v) == largest) return;
      for (const Index *e = csr_.begin(v), *stop = csr_.end(v); e != stop; ++e) link<false>(labels_, Index(v), *e);
    });
    if (searched_ && labels_[root_] == root_) each([&](std::int64_t v) { compress(labels_, v); });
    else each_of_all([&](std::int64_t v) { compress(labels_, v); });
  }

 private:
  bool is_small() const { return csr_.rows + csr_.edges() < kAloneComponents; }

  template <class F>
  void chunks(std::int64_t total, F&& f) {
    lease_.chunks(total, kComponentVertices, [&](int id, std::int64_t begin, std::int64_t end) {
      if (!signals_.tick(id)) f(begin, end);
    });
    signals_.check();
  }

  template <class F>
  void each_of_all(F&& f) {
    chunks(csr_.rows, [&](std::int64_t begin, std::int64_t end) {
      for (std::int64_t v = begin; v < end; ++v) f(v);
    });
  }

  // Of those not reached, if there was a search.
  template <class F>
  void each(F&& f) {
    if (!searched_) return each_of_all(f);
    chunks(left_, [&](std::int64_t begin, std::int64_t end) {
      for (std::int64_t i = begin; i < end; ++i) f(std::int64_t(rest_[i]));
    });
  }

  // Searches some levels. What is reached hangs below the smallest of it; of all else, those with edges are the rest.
  void reach(Engine<Index, Offset>& engine, Index hub, int threads, bool (*ask)()) {
    const Policy policy;
    Request<Index> request;
    request.policy = &policy, request.max_levels = kComponentLevels;
    engine.search(&hub, 1, {labels_, nullptr, false, threads, ask}, request);
    while (labels_[root_] < 0) ++root_;
    rest_ = Recycled<Index>(csr_.rows), searched_ = true;
    std::atomic<std::int64_t> left{0};
    chunks(csr_.rows, [&](std::int64_t begin, std::int64_t end) {
      std::array<Index, kComponentVertices> found;
      std::int64_t count = 0;
      for (std::int64_t v = begin; v < end; ++v) {
        const bool reached = labels_[v] >= 0;
        labels_[v] = reached ? root_ : Index(v);
        found[count] = Index(v);
        count += !reached & (csr_.degree(v) > 0);
      }
      std::copy_n(found.begin(), count, rest_.data() + left.fetch_add(count));
    });
    left_ = left;
  }

  // Joins along the first edges of each vertex that lead to smaller ones; all of these where there are few. Whether
  // that was all there is to do.
  bool sample() {
    const bool all = csr_.edges() < kFewEdges * csr_.rows;
    const std::vector<std::int64_t> ranges = ranges_of(lease_.need(), all);
    const std::int64_t count = std::int64_t(ranges.size()) - 1;
    lease_.chunks(count, 1, [&](int id, std::int64_t range, std::int64_t) {
      for (std::int64_t v = ranges[range]; v < ranges[range + 1] && !signals_.tick(id); v += kComponentVertices)
        sample_range<true>(v, std::min(v + kComponentVertices, ranges[range + 1]), ranges[range], all);
    });
    signals_.check();
    for (std::int64_t range = 1; range < count; ++range) {
      const std::int64_t first = ranges[range];
      chunks(ranges[range + 1] - first, [&](std::int64_t begin, std::int64_t end) {
        sample_range<false>(first + begin, first + end, first, all);
      });
    }
    each([&](std::int64_t v) { compress(labels_, v); });
    return all && symmetric_;
  }

  // Of some vertices of a range that begins at `first`: along edges that stay within it, or else that leave it.
  template <bool Within>
  void sample_range(std::int64_t begin, std::int64_t end, std::int64_t first, bool all) {
    const Csr<Index, Offset> csr = csr_;
    Index* const labels = labels_;
    for (std::int64_t v = begin; v < end; ++v) {
      const Index *e = csr.begin(v), *const stop = all ? csr.end(v) : e + std::min(csr.degree(v), kFirstEdges);
      for (; e != stop && *e < (Within ? v : first); ++e)
        if (!Within || *e >= first) link<Within>(labels, Index(v), *e);
    }
  }

  // Where ranges begin that have as much to do each, as many edges if all are joined, and where the last one ends.
  std::vector<std::int64_t> ranges_of(int count, bool all) const {
    std::vector<std::int64_t> ranges{0};
    const Offset* const indptr = csr_.indptr;
    for (int i = 1; i < count; ++i)
      ranges.push_back(all ? std::lower_bound(indptr, indptr + csr_.rows, Offset(csr_.edges() / count * i)) - indptr
                           : csr_.rows / count * i);
    ranges.push_back(csr_.rows);
    return ranges;
  }

  const Csr<Index, Offset>& csr_;
  Index* const labels_;
  const bool symmetric_;
  Signals signals_;
  Lease lease_;
  bool searched_ = false;
  Index root_ = 0;        // of what was reached
  Recycled<Index> rest_;  // those that were not, without those that have no edges
  std::int64_t left_ = 0;
};

// labels[v]: the smallest vertex of the component of v, edges counting both ways. `engine`, of the same graph, if its
// edges lead both ways, else null.
template <class Index, class Offset>
void components(const Csr<Index, Offset>& csr, Engine<Index, Offset>* engine, Index* labels, int threads,
                bool (*ask)() = nullptr) {
  if (csr.rows > 0) Joining<Index, Offset>(csr, engine, labels, threads, ask).run();
}

}  // namespace lagbfs
