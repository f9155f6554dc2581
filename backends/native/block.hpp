// A block of a split graph: all edges into the vertices that one part owns, from sources that have labels.
//
// Own vertices are 0 … n - 1; as sources they have the labels from `offset` on. In-rows begin with the sources of
// highest degree here, in order, as a pull finds these first; the others stand by label. So a row's first entry is its
// head (graph.hpp).
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "barren.hpp"
#include "layout.hpp"
#include "order.hpp"
#include "turn.hpp"

namespace lagbfs {

// What is known of a block beside its edges. `degrees` are those of its own vertices in the whole graph; `user`, which
// may be null, names the sources, and `results` is then how many names there are.
template <class Index>
struct Owned {
  std::int64_t count, offset;
  const Index* degrees;
  const Index* user;
  std::int64_t results;
};

template <class Index, class Offset>
class Block {
 public:
  // The rows of `out`, sources, are kept by the caller, and so is what `owned` points to.
  Block(const Csr<Index, Offset>& out, const Owned<Index>& owned, int threads, bool (*ask)());

  const View<Index, Offset>& view() const { return view_; }
  std::int64_t sources() const { return view_.out.rows; }
  std::int64_t results() const { return results_; }  // length of the arrays that a search writes
  Pool<Index>& pool() const { return pool_; }
  std::size_t bytes() const {
    return in_.indptr.bytes() + in_.indices.bytes() + heads_.bytes() + short_degrees_.bytes() + barren_.bytes();
  }

 private:
  View<Index, Offset> view_;
  const std::int64_t results_;
  Built<Index, Offset> in_;
  Buffer<Index> heads_;
  Buffer<std::uint8_t> short_degrees_;
  Buffer<Word> barren_;
  mutable Pool<Index> pool_;
};

// Moves what `hubs` lists to the front of each row, in that order.
template <class Index, class Offset>
void lead_rows(Built<Index, Offset>& in, std::int64_t rows, const std::vector<Index>& hubs, std::int64_t sources,
               Lease& lease, Signals& signals) {
  const Index none = Index(hubs.size());
  Buffer<Index> ranks(sources);
  std::fill(ranks.begin(), ranks.end(), none);
  for (Index i = 0; i < none; ++i) ranks[hubs[i]] = i;
  lease.chunks(rows, kRelabelRows, [&](int id, std::int64_t begin, std::int64_t end) {
    if (signals.tick(id)) return;
    std::vector<Index> others;
    for (std::int64_t v = begin; v < end; ++v) {
      Index *const row = in.indices.data() + in.indptr[v], *const stop = in.indices.data() + in.indptr[v + 1];
      Index* first = row;
      others.clear();
      for (const Index* e = row; e != stop; ++e) ranks[*e] < none ? void(*first++ = ranks[*e]) : others.push_back(*e);
      std::sort(row, first);
      for (Index* e = row; e != first; ++e) *e = hubs[*e];
      std::copy(others.begin(), others.end(), first);
    }
  });
  signals.check();
}

template <class Index, class Offset>
Block<Index, Offset>::Block(const Csr<Index, Offset>& out, const Owned<Index>& owned, int threads, bool (*ask)())
    : results_(owned.user ? owned.results : owned.count) {
  in_ = transpose(out, owned.count, nullptr, 0, threads, ask);
  Lease lease(threads);
  Signals signals(ask);
  const Degrees degrees = degrees_of(out);
  lead_rows(in_, owned.count, highest(out, degrees), out.rows, lease, signals);
  view_.out = out, view_.in = {in_.indptr.data(), in_.indices.data(), owned.count};
  view_.n = view_.active = owned.count, view_.offset = Index(owned.offset);
  view_.degrees = owned.degrees, view_.user = owned.user;
  for (std::int64_t v = 0; v < owned.count; ++v) view_.edges += owned.degrees[v];
  heads_ = find_heads(view_, degrees.skewed() ? kHubHeads : kFirstHeads, true, lease);
  short_degrees_ = find_short_degrees(view_, lease);
  barren_ = find_barren(view_, lease);
}

}  // namespace lagbfs
