// PageRank, by one of two iterations that have the same limit:
//
//   power      all ranks are computed of those of the iteration before, as NetworkX does
//   in place   Gauss–Seidel: a new rank counts at once for whoever reads it next, which takes fewer iterations. By
//              several threads, who reads which first differs from run to run, and so do ranks, within the tolerance.
//              Their sum is not kept on the way: after each iteration all are multiplied by what makes as much flow in
//              as flows out, without which hubs, of which many read, would take long to come down. Where edges lead
//              both ways and convergence is slow even so (roads, webs), ranks go further than computed (successive
//              over-relaxation), by the factor that is best where as much of the error lasts as damping allows
//
// Kept is the share of each vertex, rank / out-weight; of one without out-edges, which nobody reads, the rank itself.
// All of them stand for `scale` times as much.
// In place, shares of large unweighted graphs are float32 where tol is more than a hundred times what that rounds away:
// they are read at random, which takes as long as they are wide.
#pragma once

#include <algorithm>
#include <atomic>
#include <cmath>
#include <cstdint>
#include <vector>

#include "graph.hpp"
#include "memory.hpp"
#include "recycle.hpp"
#include "signals.hpp"
#include "team.hpp"
#include "tuning_algorithms.hpp"

namespace lagbfs {

//   r'_j = damping · (Σ_i r_i w_ij / out_i  +  dangling_j · Σ r_i over those with out_i = 0) + (1 - damping) · p_j
// until Σ_j |r'_j - r_j| < tol.
template <class Index, class Offset>
struct RankProblem {
  Csr<Index, Offset> in;                                      // row j: the i of edges (i, j)
  const double* weights = nullptr;                            // of the entries of `in`; null: all 1
  const Offset* out_indptr = nullptr;                         // of the edges out of each vertex
  const double* out = nullptr;                                // sums of their weights; null: their number
  const double *personalization = nullptr, *start = nullptr;  // null: 1 / n each
  const double* dangling = nullptr;                           // null: as personalization
  double damping = 0.85, tol = 1e-6;
  std::int64_t most = 100;  // iterations
  bool in_place = false;
  bool normalised = true;  // in place: whether the ranks are to sum to 1, nothing being lost

  bool symmetric() const { return in.indptr == out_indptr && !weights; }

  // Rounding of shares moves ranks, summed up, by at most 2^-24 · damping / (1 - damping).
  bool narrow() const {
    return in_place && !weights && in.rows > kWideVertices && tol * (1 - damping) * (1 << 24) > 100 * damping;
  }
};

struct RankOutcome {
  std::int64_t iterations = 0;
  double error = 0;
};

template <class Index, class Offset, class Share>
class Ranking {
 public:
  Ranking(const RankProblem<Index, Offset>& p, double* ranks, Lease& lease, Signals& signals)
      : p_(p), n_(p.in.rows), ranks_(ranks), lease_(lease), signals_(signals), shares_(n_) {
    if (!p.in_place) next_ = Recycled<Share>(n_);
    for (std::int64_t v = 0; v < n_;) {
      Piece piece{v};
      const std::int64_t enough = cost_before(v) + kRankWork;
      while (v < n_ && cost_before(v) < enough) ++v;
      piece.end = v;
      pieces_.push_back(piece);
    }
  }

  RankOutcome run() {
    RankOutcome outcome;
    each([&](Piece& piece) { start(piece); });
    add_up();
    while (outcome.iterations < p_.most) {
      each([&](Piece& piece) { p_.weights ? iterate<true>(piece) : iterate<false>(piece); });
      if (!p_.in_place) shares_.swap(next_);
      ++outcome.iterations;
      const double before = outcome.error;
      if ((outcome.error = add_up()) < p_.tol) break;
      if (p_.in_place) relax(outcome, before);
    }
    finish();
    return outcome;
  }

 private:
  // Vertices that a thread takes at a time. Each notes what it adds, so that sums do not depend on who took it.
  struct alignas(64) Piece {
    std::int64_t begin = 0, end = 0;
    double error = 0, lost = 0, sum = 0;  // of this iteration: the change, ranks of vertices without out-edges, of all
  };

  std::int64_t cost_before(std::int64_t v) const { return std::int64_t(p_.in.indptr[v]) + kRowCost * v; }

  // Threads begin with a stretch of their own, where most of what they read was written by themselves, and help others
  // when they are done.
  template <class F>
  void each(F&& f) {
    struct alignas(64) Stretch {
      std::atomic<std::size_t> next;
      std::size_t end;
    };
    const std::size_t size = std::size_t(lease_.need());
    std::vector<Stretch> stretches(size);
    for (std::size_t i = 0; i < size; ++i)
      stretches[i].next = pieces_.size() * i / size, stretches[i].end = pieces_.size() * (i + 1) / size;
    lease_.run([&](int id) {
      for (std::size_t k = 0; k < size; ++k) {
        Stretch& stretch = stretches[(std::size_t(id) + k) % size];
        for (std::size_t at; (at = stretch.next.fetch_add(1, std::memory_order_relaxed)) < stretch.end;)
          if (!signals_.tick(id)) f(pieces_[at]);
      }
    });
    signals_.check();
  }

  double weight_out(std::int64_t v) const {
    return p_.out ? p_.out[v] : double(p_.out_indptr[v + 1] - p_.out_indptr[v]);
  }

  void start(Piece& piece) {
    const double even = 1.0 / double(n_);
    double lost = 0;
    for (std::int64_t v = piece.begin; v < piece.end; ++v) {
      const double rank = p_.start ? p_.start[v] : even, out = weight_out(v);
      shares_[v] = Share(out > 0 ? rank / out : rank);
      lost += out > 0 ? 0 : rank;
    }
    piece.lost = lost;
  }

  // The error of the last iteration; what was lost in it is kept.
  double add_up() {
    double error = 0, sum = 0;
    lost_ = 0;
    for (const Piece& piece : pieces_) error += piece.error, lost_ += piece.lost, sum += piece.sum;
    return p_.in_place && sum > 0 ? error + balance(sum) : error;
  }

  // Multiplies all ranks by the factor by which their sum then is what flows in:
  //   factor · sum = damping · factor · (sum - lost, or all of it) + 1 - damping
  // Returns by how much they change.
  double balance(double sum) {
    const double kept = sum - p_.damping * (p_.normalised ? sum : sum - lost_);
    if (!(kept > 0 && p_.damping < 1)) return 0;
    const double factor = (1 - p_.damping) / kept;
    scale_ *= factor, lost_ *= factor;
    return std::abs(factor - 1) * sum;
  }

  // From here on ranks go further than computed, if the error falls slowly; no more if that makes it rise.
  void relax(const RankOutcome& outcome, double before) {
    if (outcome.iterations < kFirstRanks || !p_.symmetric()) return;
    if (slow_ == 0 && outcome.error > kSlowRanks * before)
      relaxed_ = 2 / (1 + std::sqrt(1 - p_.damping * p_.damping)), slow_ = outcome.error;
    else if (slow_ > 0 && outcome.error > 2 * slow_) relaxed_ = 1;
  }

  // What the loop reads is held in variables of its own, not looked up for each row. Neighbours that have consecutive
  // numbers wait for each other in place: between a sum and its share there is one product and one addition,
  //   share = relaxed · (damping · Σ shares + fixed / scale) / weight  +  (1 - relaxed) · share before
  template <bool Weighted>
  void iterate(Piece& piece) {
    const bool plain = !p_.personalization && (!p_.dangling || !(lost_ > 0)) && !p_.out;
    const double fixed = plain ? fixed_part(0) : 0, factor = relaxed_ * p_.damping, scaled = relaxed_ / scale_;
    const Share rest = Share(1 - relaxed_);
    const Offset *const in = p_.in.indptr, *const out_indptr = p_.out_indptr;
    const Index* const indices = p_.in.indices;
    const double* const weights = p_.weights;
    const std::int64_t most = p_.in.edges();
    const Share* const shares = shares_.data();
    Share* const changed = p_.in_place ? shares_.data() : next_.data();
    double error = 0, lost = 0, all = 0;
    for (std::int64_t v = piece.begin; v < piece.end; ++v) {
      if (const std::int64_t ahead = std::int64_t(in[v]) + kRankAhead; ahead + 1 < most)
        __builtin_prefetch(shares + indices[ahead]), __builtin_prefetch(shares + indices[ahead + 1]);
      const double out = plain ? double(out_indptr[v + 1] - out_indptr[v]) : weight_out(v);
      const double weight = out > 0 ? out : 1, inverse = 1 / weight;
      const Share before = load_real(shares + v);
      const Share own = rest * before + Share(scaled * (plain ? fixed : fixed_part(v)) * inverse);
      const Share share =
          own + Share(factor * inverse) * gather<Weighted>(shares, indices, weights, in[v], in[v + 1], most);
      error += std::abs(double(share) - double(before)) * weight;
      lost += out > 0 ? 0 : double(share), all += double(share) * weight;
      store_real(changed + v, share);
    }
    piece.error = error * scale_, piece.lost = lost * scale_, piece.sum = all * scale_;
  }

  // The sum over some entries; `most` there are in all. A row ends in four terms of which some do not count, rather
  // than in branches that nobody foresees: what follows it is read in vain, or early. Few terms are added up as Share.
  template <bool Weighted>
  static Share gather(const Share* shares, const Index* indices, const double* weights, std::int64_t e,
                      std::int64_t stop, std::int64_t most) {
    static constexpr Share kCounts[5][4] = {{}, {1}, {1, 1}, {1, 1, 1}, {1, 1, 1, 1}};
    const auto term = [&](std::int64_t at) {
      if constexpr (Weighted) return double(load_real(shares + indices[at])) * weights[at];
      else return load_real(shares + indices[at]);
    };
    const auto four = [&](std::int64_t at) { return (term(at) + term(at + 1)) + (term(at + 2) + term(at + 3)); };
    if (stop - e <= 4 && e + 4 <= most) {
      const Share* const counts = kCounts[stop - e];
      return Share((counts[0] * term(e) + counts[1] * term(e + 1)) +
                   (counts[2] * term(e + 2) + counts[3] * term(e + 3)));
    }
    double sum = 0;
    for (; stop - e > 4; e += 4) sum += four(e);
    for (; e < stop; ++e) sum += term(e);
    return Share(sum);
  }

  // Of the rank of v, what does not come along edges.
  double fixed_part(std::int64_t v) const {
    const double even = 1.0 / double(n_);
    const double *const p = p_.personalization, *const given = p_.dangling ? p_.dangling : p;
    return (1 - p_.damping) * (p ? p[v] : even) + (lost_ > 0 ? p_.damping * lost_ * (given ? given[v] : even) : 0);
  }

  void finish() {
    each([&](Piece& piece) {
      for (std::int64_t v = piece.begin; v < piece.end; ++v) {
        const double out = weight_out(v);
        ranks_[v] = double(shares_[v]) * (out > 0 ? out : 1) * scale_;
      }
    });
    if (!p_.in_place || !p_.normalised) return;
    double sum = 0;
    for (std::int64_t v = 0; v < n_; ++v) sum += ranks_[v];
    for (std::int64_t v = 0; v < n_; ++v) ranks_[v] /= sum;
  }

  const RankProblem<Index, Offset>& p_;
  std::int64_t n_;
  double* ranks_;
  Lease& lease_;
  Signals& signals_;
  Recycled<Share> shares_, next_;  // by the power iteration, those of the next; in place there is none
  std::vector<Piece> pieces_;
  double lost_ = 0, scale_ = 1, relaxed_ = 1;
  double slow_ = 0;  // the error that was found to fall slowly
};

template <class Index, class Offset>
RankOutcome pagerank(const RankProblem<Index, Offset>& p, double* ranks, int threads, bool (*ask)() = nullptr) {
  if (p.in.rows == 0) return {};
  Lease lease(p.in.edges() + p.in.rows < kAloneRanks ? 1 : threads);
  Signals signals(ask);
  if (p.narrow()) return Ranking<Index, Offset, float>(p, ranks, lease, signals).run();
  return Ranking<Index, Offset, double>(p, ranks, lease, signals).run();
}

}  // namespace lagbfs
