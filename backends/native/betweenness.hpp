// Betweenness by Brandes ("A faster algorithm for betweenness centrality", 2001): from each source a search that counts
// shortest paths, then dependencies level by level on the way back. Threads take sources, not levels: nothing is
// shared.
//
//   sigma    number of shortest paths from the source, of vertices that are reached
//   level    that of each vertex, -1 if it is not reached
//   queue    the vertices that are reached, level after level; starts[d]: where level d begins
//   spread   0 but for the vertices of one level: their sigma on the way out, (1 + delta) / sigma on the way back. So
//            that a pull adds up its whole row without looking at levels
//   delta    dependencies: what of the paths from the source goes on through a vertex
// Either way a level is pushed or pulled, whichever looks at fewer edges, a push counting double.
#pragma once

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <memory>
#include <vector>

#include "graph.hpp"
#include "memory.hpp"
#include "recycle.hpp"
#include "signals.hpp"
#include "team.hpp"
#include "tuning_algorithms.hpp"

namespace lagbfs {

template <class Index, class Offset>
class Dependencies {
 public:
  // scores: by entry of `out` if `edges`, else by vertex.
  Dependencies(const Csr<Index, Offset>& out, const Csr<Index, Offset>& in, bool edges, Signals& signals)
      : out_(out),
        in_(in),
        edges_(edges),
        n_(out.rows),
        signals_(signals),
        scores_(edges ? out.edges() : n_),
        sigma_(n_),
        spread_(n_),
        delta_(n_),
        level_(n_),
        queue_(n_) {
    std::fill_n(scores_.data(), scores_.size(), 0.0);
    std::fill_n(spread_.data(), n_, 0.0);
  }

  const double* scores() { return scores_.data(); }

  void add(Index source, int id) {
    search(source, id);
    for (std::int64_t d = depth() - 2; d >= (edges_ ? 0 : 1); --d) {
      if (signals_.tick(id)) return;
      fold(std::int32_t(d));
    }
  }

 private:
  struct Level {
    std::int64_t begin, out, in;  // where it begins in the queue; edges out of it, and into it
  };
  std::int64_t depth() const { return std::int64_t(levels_.size()) - 1; }
  const Index* begin(std::int64_t d) { return queue_.data() + levels_[d].begin; }
  const Index* end(std::int64_t d) { return queue_.data() + levels_[d + 1].begin; }

  void search(Index source, int id) {
    std::fill_n(level_.data(), n_, -1);
    levels_.assign(1, Level{0, 0, 0});
    size_ = 0;
    std::int64_t left = in_.edges();
    enter(source, 0, 1);
    for (std::int32_t d = 0; size_ > levels_[d].begin; ++d) {
      if (signals_.tick(id)) return;
      left -= levels_[d].in;
      levels_.push_back({size_, 0, 0});
      if (left < kPushedEdge * levels_[d].out) pull(d);
      else push(d);
    }
  }

  // Into the last level. Its number is `level`.
  void enter(Index v, std::int32_t level, double sigma) {
    level_[v] = level, sigma_[v] = sigma, delta_[v] = 0;
    queue_[size_++] = v;
    levels_.back().out += out_.degree(v), levels_.back().in += in_.degree(v);
  }

  void push(std::int32_t d) {
    for (const Index *u = begin(d), *stop = end(d); u != stop; ++u) {
      const double paths = sigma_[*u];
      for (const Index *e = out_.begin(*u), *last = out_.end(*u); e != last; ++e) {
        if (level_[*e] < 0) enter(*e, d + 1, paths);
        else if (level_[*e] == d + 1) sigma_[*e] += paths;
      }
    }
  }

  void pull(std::int32_t d) {
    for (const Index *u = begin(d), *stop = end(d); u != stop; ++u) spread_[*u] = sigma_[*u];
    for (std::int64_t v = 0; v < n_; ++v) {
      if (level_[v] >= 0) continue;
      const double paths = gather(in_, v);
      if (paths > 0) enter(Index(v), d + 1, paths);
    }
    blank(d);
  }

  void blank(std::int64_t d) {
    for (const Index *u = begin(d), *stop = end(d); u != stop; ++u) spread_[*u] = 0;
  }

  // Four sums at once: each waits for its own terms alone.
  double gather(const Csr<Index, Offset>& csr, std::int64_t v) {
    const double* const spread = spread_.data();
    double a = 0, b = 0, c = 0, d = 0;
    const Index *e = csr.begin(v), *const stop = csr.end(v);
    for (; stop - e >= 4; e += 4) a += spread[e[0]], b += spread[e[1]], c += spread[e[2]], d += spread[e[3]];
    for (; e != stop; ++e) a += spread[*e];
    return (a + b) + (c + d);
  }

  // The dependencies of level d, of those of the next.
  void fold(std::int32_t d) {
    for (const Index *v = begin(d + 1), *stop = end(d + 1); v != stop; ++v) spread_[*v] = (1 + delta_[*v]) / sigma_[*v];
    if (edges_) {
      fold_edges(d);
    } else if (levels_[d].out <= kPushedEdge * levels_[d + 1].in) {
      for (const Index *u = begin(d), *stop = end(d); u != stop; ++u) delta_[*u] = gather(out_, *u);
    } else {
      for (const Index *v = begin(d + 1), *stop = end(d + 1); v != stop; ++v)
        for (const Index *e = in_.begin(*v), *last = in_.end(*v); e != last; ++e)
          if (level_[*e] == d) delta_[*e] += spread_[*v];
    }
    for (const Index *u = begin(d), *stop = end(d); u != stop; ++u) {
      delta_[*u] *= sigma_[*u];
      if (!edges_) scores_[*u] += delta_[*u];
    }
    blank(d + 1);
  }

  void fold_edges(std::int32_t d) {
    for (const Index *u = begin(d), *stop = end(d); u != stop; ++u)
      for (std::int64_t e = out_.indptr[*u]; e < std::int64_t(out_.indptr[*u + 1]); ++e) {
        const double part = spread_[out_.indices[e]];
        delta_[*u] += part, scores_[e] += part * sigma_[*u];
      }
  }

  const Csr<Index, Offset>&out_, &in_;
  bool edges_;
  std::int64_t n_, size_ = 0;
  Signals& signals_;
  Recycled<double> scores_, sigma_, spread_, delta_;
  Recycled<std::int32_t> level_;
  Recycled<Index> queue_;
  std::vector<Level> levels_;
};

// Sums of the dependencies on each source, by vertex, or by entry of `out` if `edges`. Sources are dealt out in rounds,
// a run of them to each lane, so that sums do not depend on who computes which, and signals are looked at in between.
template <class Index, class Offset>
void betweenness(const Csr<Index, Offset>& out, const Csr<Index, Offset>& in, const Index* sources, std::int64_t count,
                 bool edges, double* scores, int threads, bool (*ask)() = nullptr) {
  const std::int64_t run = std::max<std::int64_t>(1, kSourceWork / (out.rows + out.edges() + 1));
  Lease lease(count <= run ? 1 : threads);
  Signals signals(ask);
  const std::int64_t most = (count + run - 1) / run, lanes = std::min<std::int64_t>(lease.need(), most);
  std::vector<std::unique_ptr<Dependencies<Index, Offset>>> sums;
  for (std::int64_t lane = 0; lane < lanes; ++lane)
    sums.push_back(std::make_unique<Dependencies<Index, Offset>>(out, in, edges, signals));
  for (std::int64_t first = 0; first < count; first += lanes * run) {
    lease.chunks(lanes, 1, [&](int id, std::int64_t lane, std::int64_t) {
      const std::int64_t begin = first + lane * run, end = std::min(begin + run, count);
      for (std::int64_t s = begin; s < end && !signals.tick(id); ++s) sums[lane]->add(sources[s], id);
    });
    signals.check();
  }
  const std::int64_t size = edges ? out.edges() : out.rows;
  for (std::int64_t i = 0; i < size; ++i) {
    scores[i] = 0;
    for (const auto& lane : sums) scores[i] += lane->scores()[i];
  }
}

}  // namespace lagbfs
