// Shortest paths over weights that are not negative, by delta-stepping (Meyer and Sanders, 2003): vertices wait in
// buckets by distance, each `width` wide; all of the nearest bucket are relaxed together, by the team. Threads have
// buckets of their own, and go on with what they have added to the current one while that is little (bucket fusion:
// Zhang et al., "Optimizing Ordered Graph Algorithms with GraphIt", CGO 2020).
//
// Distances and parents change together, so that a parent is one on a shortest path: it is set when a distance becomes
// less, and had its final distance by then; what has a parent of the same distance came after it.
//   Packed   int32 distances, in the upper half of a word above the parent: one exchange changes both. Where vertices
//            have many edges, most lead nowhere: bounds beside them, which are half as large, tell of these
//   Locked   float64 distances; one with its sign bit set is being changed, and its parent is not yet written
// Buckets are used round and round: no edge reaches further than the largest weight.
#pragma once

#include <algorithm>
#include <atomic>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <limits>
#include <type_traits>
#include <vector>

#include "graph.hpp"
#include "memory.hpp"
#include "recycle.hpp"
#include "signals.hpp"
#include "team.hpp"
#include "tuning_algorithms.hpp"

namespace lagbfs {

// int32 distances of vertices that int32 numbers.
template <bool Bounded>
class Packed {
 public:
  using Distance = std::int32_t;
  using Parent = std::int32_t;
  static constexpr Distance kFar = std::numeric_limits<Distance>::max();

  explicit Packed(std::int64_t n) : cells_(n), bounds_(Bounded ? n : 0) {}
  void blank(std::int64_t v) {
    cells_[v] = pack(kFar, -1);
    if (Bounded) bounds_[v] = kFar;
  }
  Distance distance(std::int64_t v) { return Distance(load(cells_.data() + v) >> 32); }
  Parent parent(std::int64_t v) { return Parent(std::uint32_t(cells_[v])); }

  // Tells what is no less than the distance of v: of two threads that lower it, the later may write its bound first.
  auto bounds() const {
    return [bounds = bounds_.data(), cells = cells_.data()](std::int64_t v) {
      return Bounded ? load(bounds + v) : Distance(load(cells + v) >> 32);
    };
  }

  // Whether v was further away than `distance`, which it is no more.
  bool lower(std::int64_t v, Distance distance, Parent parent) {
    std::uint64_t seen = load(cells_.data() + v);
    while (distance < Distance(seen >> 32))
      if (__atomic_compare_exchange_n(cells_.data() + v, &seen, pack(distance, parent), true, __ATOMIC_RELAXED,
                                      __ATOMIC_RELAXED)) {
        if (Bounded) store(bounds_.data() + v, distance);
        return true;
      }
    return false;
  }

 private:
  static std::uint64_t pack(Distance distance, Parent parent) {
    return std::uint64_t(std::uint32_t(distance)) << 32 | std::uint32_t(parent);
  }
  Recycled<std::uint64_t> cells_;
  Recycled<Distance> bounds_;
};

template <class Index>
class Locked {
 public:
  using Distance = double;
  using Parent = Index;
  static constexpr Distance kFar = std::numeric_limits<double>::infinity();

  explicit Locked(std::int64_t n) : cells_(n), parents_(n) {}
  void blank(std::int64_t v) { cells_[v] = bits(kFar), parents_[v] = -1; }
  Distance distance(std::int64_t v) { return value(load(cells_.data() + v) & ~kLock); }
  Parent parent(std::int64_t v) { return parents_[v]; }
  auto bounds() const {
    return [cells = cells_.data()](std::int64_t v) { return value(load(cells + v) & ~kLock); };
  }

  bool lower(std::int64_t v, Distance distance, Parent parent) {
    std::uint64_t* const cell = cells_.data() + v;
    std::uint64_t seen = load(cell);
    while (distance < value(seen & ~kLock)) {
      if (seen & kLock) {
        pause_processor(), seen = load(cell);
      } else if (__atomic_compare_exchange_n(cell, &seen, bits(distance) | kLock, true, __ATOMIC_ACQUIRE,
                                             __ATOMIC_RELAXED)) {
        store(parents_.data() + v, parent);
        __atomic_store_n(cell, bits(distance), __ATOMIC_RELEASE);
        return true;
      }
    }
    return false;
  }

 private:
  static constexpr std::uint64_t kLock = std::uint64_t{1} << 63;
  static std::uint64_t bits(double d) {
    std::uint64_t b;
    return std::memcpy(&b, &d, sizeof b), b;
  }
  static double value(std::uint64_t b) {
    double d;
    return std::memcpy(&d, &b, sizeof d), d;
  }
  Recycled<std::uint64_t> cells_;
  Recycled<Index> parents_;
};

template <class Index, class Offset, class Weight>
struct PathProblem {
  Csr<Index, Offset> out;
  const Weight* weights = nullptr;
  bool each = true;  // whether every entry has a weight; else one for all
  const Index *sources = nullptr, *targets = nullptr;
  std::int64_t source_count = 0, target_count = 0;  // no targets: all vertices
  double width = 1, largest = 0;                    // of a bucket, more than 0; weight that is finite
  double cutoff = std::numeric_limits<double>::infinity();
};

template <class Index, class Offset, class Weight, class Cells>
class Paths {
  using Distance = typename Cells::Distance;

 public:
  Paths(const PathProblem<Index, Offset, Weight>& p, Lease& lease, Signals& signals)
      : p_(p),
        cells_(p.out.rows),
        inverse_(1 / width_of(p)),
        lease_(lease),
        signals_(signals),
        count_(std::int64_t(p.largest * inverse_) + 3),
        own_(lease.wanted()) {}

  void run() {
    lease_.chunks(p_.out.rows, kUnpack, [&](int, std::int64_t begin, std::int64_t end) {
      for (std::int64_t v = begin; v < end; ++v) cells_.blank(v);
    });
    for (std::int64_t s = 0; s < p_.source_count; ++s)
      if (cells_.lower(p_.sources[s], Distance(0), typename Cells::Parent(p_.sources[s])))
        frontier_.push_back(p_.sources[s]);
    for (bucket_ = 0; !frontier_.empty() && !settled(); next()) {
      relax_all();
      signals_.check();
    }
  }

  // Distances from the nearest source, infinite where there is no path within the cutoff; parents, -1 there.
  void write(double* distances, Index* parents) {
    lease_.chunks(p_.out.rows, kUnpack, [&](int, std::int64_t begin, std::int64_t end) {
      for (std::int64_t v = begin; v < end; ++v) {
        const Distance d = cells_.distance(v);
        const bool reached = d != Cells::kFar;
        distances[v] = reached ? double(d) : std::numeric_limits<double>::infinity();
        parents[v] = reached ? Index(cells_.parent(v)) : Index(-1);
      }
    });
  }

 private:
  // A thread's vertices that wait, bucket b in list b % count_, and those it goes on with.
  struct alignas(64) Waiting {
    std::vector<std::vector<Index>> buckets;
    std::vector<Index> current;
  };

  // No narrower than that the largest weight spans kMostBuckets.
  static double width_of(const PathProblem<Index, Offset, Weight>& p) {
    return std::max(p.width, p.largest / double(kMostBuckets));
  }

  std::int64_t bucket_of(Distance d) const { return std::int64_t(double(d) * inverse_); }

  // Whether the targets have their distances: all lie before the current bucket.
  bool settled() {
    if (p_.target_count == 0) return false;
    for (std::int64_t t = 0; t < p_.target_count; ++t) {
      const Distance d = cells_.distance(p_.targets[t]);
      if (d == Cells::kFar || bucket_of(d) >= bucket_) return false;
    }
    return true;
  }

  void relax_all() {
    const std::int64_t size = std::int64_t(frontier_.size());
    if (size < kAlonePaths) {
      if (signals_.tick(0)) return;
      relax(own_[0], frontier_.data(), size);
      fuse(0);
      return;
    }
    std::atomic<std::int64_t> next{0};
    lease_.run([&](int id) {
      for (std::int64_t at; (at = next.fetch_add(kPathVertices, std::memory_order_relaxed)) < size;) {
        if (signals_.tick(id)) return;
        relax(own_[id], frontier_.data() + at, std::min(kPathVertices, size - at));
      }
      fuse(id);
    });
  }

  void fuse(int id) {
    Waiting& own = own_[id];
    if (own.buckets.empty()) return;
    std::vector<Index>& more = own.buckets[bucket_ % count_];
    while (!more.empty() && more.size() < kFused && !signals_.tick(id)) {
      own.current.swap(more), more.clear();
      relax(own, own.current.data(), std::int64_t(own.current.size()));
      own.current.clear();
    }
  }

  void relax(Waiting& own, const Index* list, std::int64_t size) {
    for (std::int64_t i = 0; i < size; ++i) {
      if (i + kAhead < size) __builtin_prefetch(p_.out.indptr + list[i + kAhead]);
      if (i + kAhead / 2 < size) {
        const std::int64_t row = p_.out.indptr[list[i + kAhead / 2]];
        __builtin_prefetch(p_.out.indices + row), __builtin_prefetch(p_.weights + (p_.each ? row : 0));
      }
      relax(own, list[i]);
    }
  }

  // One that has come into a bucket before the current has been relaxed there. What the loop reads is held in variables
  // of its own, not looked up for each edge.
  void relax(Waiting& own, Index u) {
    const Distance d = cells_.distance(u);
    if (bucket_of(d) < bucket_) return;
    const Index* const indices = p_.out.indices;
    const Weight* const weights = p_.weights;
    const auto bounds = cells_.bounds();
    const std::int64_t each = p_.each;
    for (std::int64_t e = p_.out.indptr[u], stop = p_.out.indptr[u + 1]; e < stop; ++e) {
      const Index v = indices[e];
      const Distance further = Distance(d + weights[e * each]);
      if (further < bounds(v) && double(further) <= p_.cutoff && cells_.lower(v, further, typename Cells::Parent(u)))
        add(own, v, bucket_of(further));
    }
  }

  void add(Waiting& own, Index v, std::int64_t bucket) {
    if (own.buckets.empty()) own.buckets.resize(count_);
    own.buckets[bucket % count_].push_back(v);
  }

  // The nearest bucket that is not empty becomes the frontier.
  void next() {
    frontier_.clear();
    for (std::int64_t tried = 0; tried < count_ && frontier_.empty(); ++tried) {
      if (tried) ++bucket_;
      for (Waiting& own : own_) {
        if (own.buckets.empty()) continue;
        std::vector<Index>& list = own.buckets[bucket_ % count_];
        frontier_.insert(frontier_.end(), list.begin(), list.end());
        list.clear();
      }
    }
  }

  const PathProblem<Index, Offset, Weight>& p_;
  Cells cells_;
  double inverse_;
  Lease& lease_;
  Signals& signals_;
  std::int64_t count_, bucket_ = 0;
  std::vector<Waiting> own_;
  std::vector<Index> frontier_;
};

// Distances from the nearest source, and parents. With int32 weights, no path without a circle may be as long as
// 2^31 - 1, and vertices are int32.
template <class Index, class Offset, class Weight>
void shortest_paths(const PathProblem<Index, Offset, Weight>& p, double* distances, Index* parents, int threads,
                    bool (*ask)() = nullptr) {
  Lease lease(p.out.rows + p.out.edges() < kAloneGraph ? 1 : threads);
  Signals signals(ask);
  const auto solve = [&](auto&& paths) { paths.run(), paths.write(distances, parents); };
  if constexpr (!std::is_same_v<Weight, std::int32_t>)
    solve(Paths<Index, Offset, Weight, Locked<Index>>(p, lease, signals));
  else if (p.out.edges() < kBoundedDegree * p.out.rows)
    solve(Paths<Index, Offset, Weight, Packed<false>>(p, lease, signals));
  else solve(Paths<Index, Offset, Weight, Packed<true>>(p, lease, signals));
}

}  // namespace lagbfs
