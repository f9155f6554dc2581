// PageRank, by one of two iterations that have the same limit:
//
//   power      all ranks are computed of those of the iteration before, as NetworkX does
//   in place   Gauss–Seidel: a new rank counts at once for the vertices after it, which takes fewer iterations on
//   graphs
//              whose neighbours have numbers that are close. Vertices are cut into pieces, which lanes, one for each
//              thread, take in turn: ranks of a lane's own vertices count at once, those of the others as soon as their
//              piece is done. So the result does not depend on who computes what when. The sum of the ranks is not kept
//              on the way; it is made 1 at the end, where the formula has it so
//   shares     rank / out-weight of each vertex; of one without out-edges, which nobody reads, the rank itself. In
//   place,
//              every lane has its own: of its own vertices the newest, of others those of their last piece
// In place, shares are float32 where tol is more than a hundred times what that rounds away, and sums always float64:
// shares are read at random, which takes as long as they are wide.
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
  bool normalised = true;  // in place: whether the ranks are to sum to 1

  // Rounding of shares moves ranks, summed up, by at most 2^-24 · damping / (1 - damping).
  bool narrow() const { return in_place && in.rows > kWideVertices && tol * (1 - damping) * (1 << 24) > 100 * damping; }
};

struct RankOutcome {
  std::int64_t iterations = 0;
  double error = 0;
};

template <class Index, class Offset, class Share>
class Ranking {
 public:
  Ranking(const RankProblem<Index, Offset>& p, double* ranks, Lease& lease, Signals& signals)
      : p_(p), n_(p.in.rows), ranks_(ranks), lease_(lease), signals_(signals), lanes_(lease.need()) {
    const std::int64_t pieces = kRankPieces * std::int64_t(lanes_.size());
    const std::int64_t cost = p.in.edges() + kRowCost * n_;
    for (std::int64_t k = 0, v = 0; k <= pieces; ++k) {
      while (v < n_ && std::int64_t(p.in.indptr[v]) + kRowCost * v < cost / pieces * k) ++v;
      bounds_.push_back(k == pieces ? n_ : v);
    }
    for (Lane& lane : lanes_)
      if (p.in_place || &lane == &lanes_[0]) lane.shares = Recycled<Share>(n_);
    if (!p.in_place) next_ = Recycled<Share>(n_);
  }

  RankOutcome run() {
    RankOutcome outcome;
    start();
    while (outcome.iterations < p_.most) {
      for (Lane& lane : lanes_) lane.error = lane.lost = 0;
      for (std::int64_t k = 0; k < kRankPieces; ++k)
        each([&](std::int64_t lane) {
          if (p_.in_place) catch_up(lane, (k + kRankPieces - 1) % kRankPieces);
          p_.weights ? iterate<true>(lane, k) : iterate<false>(lane, k);
        });
      if (!p_.in_place) lanes_[0].shares.swap(next_);
      ++outcome.iterations;
      if ((outcome.error = add_up()) < p_.tol) break;
    }
    finish();
    return outcome;
  }

 private:
  struct alignas(64) Lane {
    Recycled<Share> shares;
    double error = 0, lost = 0;  // of this iteration: the change, and the ranks of vertices without out-edges
  };

  // Lanes take pieces in turn, so that vertices are computed nearly in order.
  const std::int64_t* bounds(std::int64_t lane, std::int64_t piece) const {
    return bounds_.data() + piece * std::int64_t(lanes_.size()) + lane;
  }

  // f(lane) for each, by whoever comes.
  template <class F>
  void each(F&& f) {
    lease_.chunks(std::int64_t(lanes_.size()), 1, [&](int, std::int64_t lane, std::int64_t) { f(lane); });
    signals_.tick(0);
    signals_.check();
  }

  double weight_out(std::int64_t v) const {
    return p_.out ? p_.out[v] : double(p_.out_indptr[v + 1] - p_.out_indptr[v]);
  }

  void start() {
    const double even = 1.0 / double(n_);
    each([&](std::int64_t lane) {
      if (!lanes_[lane].shares) return;
      for (std::int64_t v = 0; v < n_; ++v) {
        const double rank = p_.start ? p_.start[v] : even, out = weight_out(v);
        lanes_[lane].shares[v] = Share(out > 0 ? rank / out : rank);
        if (lane == 0 && !(out > 0)) lanes_[lane].lost += rank;
      }
    });
    add_up();
  }

  // The error of the last iteration; what was lost in it is kept.
  double add_up() {
    double error = 0;
    lost_ = 0;
    for (const Lane& lane : lanes_) error += lane.error, lost_ += lane.lost;
    return error;
  }

  // The shares of the others' pieces become those that they have computed; they are at work on others meanwhile.
  void catch_up(std::int64_t lane, std::int64_t piece) {
    for (std::int64_t other = 0; other < std::int64_t(lanes_.size()); ++other) {
      const Share* const from = lanes_[other].shares.data();
      const std::int64_t* const ends = bounds(other, piece);
      if (other != lane) std::copy(from + ends[0], from + ends[1], lanes_[lane].shares.data() + ends[0]);
    }
  }

  // What the loop reads is held in variables of its own, not looked up for each row.
  template <bool Weighted>
  void iterate(std::int64_t lane, std::int64_t piece) {
    const bool plain = !p_.personalization && (!p_.dangling || !(lost_ > 0)) && !p_.out;
    const double fixed = plain ? fixed_part(0) : 0, damping = p_.damping;
    const Offset *const in = p_.in.indptr, *const out_indptr = p_.out_indptr;
    const Index* const indices = p_.in.indices;
    const double* const weights = p_.weights;
    const Share* const shares = lanes_[p_.in_place ? lane : 0].shares.data();
    Share* const changed = p_.in_place ? lanes_[lane].shares.data() : next_.data();
    double error = 0, lost = 0;
    for (std::int64_t v = bounds(lane, piece)[0], end = bounds(lane, piece)[1]; v < end; ++v) {
      const double sum = gather<Weighted>(shares, indices, weights, in[v], in[v + 1]);
      const double out = plain ? double(out_indptr[v + 1] - out_indptr[v]) : weight_out(v);
      const double rank = damping * sum + (plain ? fixed : fixed_part(v)), weight = out > 0 ? out : 1;
      const Share share = Share(rank * (1 / weight));
      error += std::abs(double(share) - double(shares[v])) * weight;
      lost += out > 0 ? 0 : rank;
      changed[v] = share;
    }
    lanes_[lane].error += error, lanes_[lane].lost += lost;
  }

  // The sum over some entries. Of a long row four at once, each of which waits for its own terms alone.
  template <bool Weighted>
  static double gather(const Share* shares, const Index* indices, const double* weights, std::int64_t e,
                       std::int64_t stop) {
    const auto term = [&](std::int64_t at) { return double(shares[indices[at]]) * (Weighted ? weights[at] : 1.0); };
    double a = 0;
    if (stop - e >= kLongRow) {
      double b = 0, c = 0, d = 0;
      for (; stop - e >= 4; e += 4) a += term(e), b += term(e + 1), c += term(e + 2), d += term(e + 3);
      a = (a + b) + (c + d);
    }
    for (; e < stop; ++e) a += term(e);
    return a;
  }

  // Of the rank of v, what does not come along edges.
  double fixed_part(std::int64_t v) const {
    const double even = 1.0 / double(n_);
    const double *const p = p_.personalization, *const given = p_.dangling ? p_.dangling : p;
    return (1 - p_.damping) * (p ? p[v] : even) + (lost_ > 0 ? p_.damping * lost_ * (given ? given[v] : even) : 0);
  }

  void finish() {
    each([&](std::int64_t lane) {
      for (std::int64_t k = 0; k < kRankPieces; ++k)
        for (std::int64_t v = bounds(lane, k)[0]; v < bounds(lane, k)[1]; ++v) {
          const double out = weight_out(v);
          ranks_[v] = double(lanes_[p_.in_place ? lane : 0].shares[v]) * (out > 0 ? out : 1);
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
  std::vector<Lane> lanes_;
  Recycled<Share> next_;              // by the power iteration, shares of the next
  std::vector<std::int64_t> bounds_;  // of the pieces
  double lost_ = 0;
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
