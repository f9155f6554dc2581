// A layout: the same graph arranged for many searches. Made from statistics, one of three kinds:
//
//   hubs      skewed degrees. Hubs first, by descending degree; then the others in the user's order;
//             vertices without edges last, where no search looks. Frontier probes then fall mostly on
//             the few words of the hubs, and, the others' order being the user's, results are
//             written in the user's labels nearly sequentially. Rows are sorted, and so begin with
//             the neighbours of highest degree, which the frontier holds most likely.
//   first     even degrees, small diameter. The user's labels and rows; only the heads are added.
//   locality  large diameter. Labels by patches of neighbouring vertices, so that a vertex, its neighbours
//             and their rows lie close: levels are small there, and time goes to fetching rows.
//
// hubs and first have heads: each vertex's in-neighbour of highest out-degree, and the first others of its row, in
// columns apart from the rows, so that the pull level that settles most vertices reads few dense arrays.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "barren.hpp"
#include "graph.hpp"
#include "memory.hpp"
#include "order.hpp"
#include "start.hpp"
#include "traverse.hpp"

namespace lagbfs {

enum class Kind { kHubs, kFirst, kLocality };
constexpr const char* kKinds[] = {"hubs", "first", "locality"};

// A layout would hold more bytes than there is room for.
struct NoRoom {
  std::size_t bytes;
};

template <class Index, class Offset>
struct Layout {
  // NoRoom, before anything of it is made, if it would hold more than `room` bytes.
  Layout(const View<Index, Offset>& plain, int threads, bool (*ask)(), Pool<Index>& pool, std::size_t room);

  // One whose arrays somebody else keeps.
  Layout(Kind kind, std::int64_t depth, const View<Index, Offset>& view) : kind(kind), depth(depth), view(view) {}

  std::size_t bytes() const {
    return user.bytes() + label.bytes() + heads.bytes() + out_indptr.bytes() + out_indices.bytes() + in_indptr.bytes() +
           in_indices.bytes() + short_degrees.bytes() + barren.bytes();
  }

  Kind kind = Kind::kFirst;
  double seconds = 0;
  std::int64_t depth = 0;  // levels of the search that told the diameter
  View<Index, Offset> view;
  Buffer<Index> user, label, heads, out_indices, in_indices;
  Buffer<Offset> out_indptr, in_indptr;
  Buffer<std::uint8_t> short_degrees;
  Buffer<Word> barren;
};

// Sorts a row, given that the labels from `first` on stand in order already: only hubs need sorting, and
// there are few.
template <class Index>
void sort_row(Index* begin, Index* end, Index first, std::vector<Index>& others) {
  if (first == 0) return std::sort(begin, end);
  others.clear();
  Index* hubs = begin;
  for (Index* e = begin; e != end; ++e) *e < first ? void(*hubs++ = *e) : others.push_back(*e);
  std::sort(begin, hubs);
  std::copy(others.begin(), others.end(), hubs);
}

// Rows of `csr` in the new labels; rows of labels >= active are empty and left out. Labels from `first` on
// are in the user's order (first = 0: none is).
template <class Index, class Offset>
Csr<Index, Offset> relabel_rows(const Csr<Index, Offset>& csr, const Buffer<Index>& user, const Buffer<Index>& label,
                                std::int64_t active, Index first, Lease& lease, Signals& signals,
                                Buffer<Offset>& indptr, Buffer<Index>& indices) {
  indptr = Buffer<Offset>(active + 1);
  indices = Buffer<Index>(csr.edges());
  indptr[0] = 0;
  for (std::int64_t v = 0; v < active; ++v) indptr[v + 1] = indptr[v] + Offset(csr.degree(user[v]));
  lease.chunks(active, kRelabelRows, [&](int id, std::int64_t begin, std::int64_t end) {
    if (signals.tick(id)) return;
    std::vector<Index> others;
    for (std::int64_t v = begin; v < end; ++v) {
      Index* const row = indices.data() + indptr[v];
      Index* at = row;
      for (const Index *e = csr.begin(user[v]), *stop = csr.end(user[v]); e != stop; ++e) *at++ = label[*e];
      sort_row(row, at, first, others);
    }
  });
  signals.check();
  return {indptr.data(), indices.data(), active};
}

// The view's heads, so many columns. Where labels descend by degree a row's first is its highest, elsewhere that is
// looked for.
template <class Index, class Offset>
Buffer<Index> find_heads(View<Index, Offset>& view, int count, bool leads, Lease& lease) {
  const std::int64_t stride = words_of(view.active) * kWordBits;
  Buffer<Index> heads(count * stride);
  view.heads = heads.data(), view.head_stride = stride, view.head_count = count, view.leads = leads;
  lease.chunks(view.active, kHeadVertices, [&](int, std::int64_t begin, std::int64_t end) {
    for (std::int64_t v = begin; v < end; ++v) {
      const Index *const row = view.in.begin(v), *const stop = view.in.end(v);
      const auto entry = [&](std::int64_t i) { return i < stop - row ? row[i] : Index(v + view.offset); };
      Index best = entry(0);
      if (!leads)
        for (const Index* e = row; e != stop; ++e)
          if (view.out.degree(*e) > view.out.degree(best)) best = *e;
      heads[v] = best;
      for (int k = 1; k < count; ++k) heads[k * stride + v] = entry(leads ? k : k - 1);
    }
  });
  for (int k = 0; k < count; ++k) std::fill_n(heads.begin() + k * stride + view.active, stride - view.active, Index(0));
  return heads;
}

template <class Index, class Offset>
Buffer<std::uint8_t> find_short_degrees(View<Index, Offset>& view, Lease& lease) {
  Buffer<std::uint8_t> degrees(words_of(view.active) * kWordBits);
  lease.chunks(degrees.size(), kDegreeVertices, [&](int, std::int64_t begin, std::int64_t end) {
    for (std::int64_t v = begin; v < end; ++v)
      degrees[v] = v < view.active ? std::uint8_t(std::min<std::int64_t>(view.degree(v), kLongDegree)) : 0;
  });
  view.short_degrees = degrees.data();
  return degrees;
}

// The number of levels of a search from a vertex of highest degree.
template <class Index, class Offset>
std::int64_t search_depth(const View<Index, Offset>& plain, Index source, Lease& lease, Signals& signals,
                          Pool<Index>& pool) {
  Lent<Index> work(pool, plain.n);
  Buffer<std::int32_t> levels(plain.n);
  State<Index, Offset> state(plain, *work, lease, signals, nullptr, levels.data(), false);
  const Policy policy;
  Request<Index> request;
  request.policy = &policy;
  start_fresh(state, &source, 1);
  return run_levels(state, request).level;
}

// What a layout holds at most, but for padding.
template <class Index, class Offset>
std::size_t layout_bytes(const View<Index, Offset>& plain, Kind kind, bool symmetric) {
  const std::size_t n = std::size_t(plain.n), rows = symmetric ? 1 : 2,
                    columns = kind == Kind::kHubs ? kHubHeads : kFirstHeads;
  std::size_t bytes = n / 8;
  if (kind != Kind::kFirst)
    bytes += 2 * n * sizeof(Index) + rows * (n * sizeof(Offset) + std::size_t(plain.edges) * sizeof(Index));
  if (kind != Kind::kLocality) bytes += n * (columns * sizeof(Index) + 1);
  return bytes;
}

template <class Index, class Offset>
Layout<Index, Offset>::Layout(const View<Index, Offset>& plain, int threads, bool (*ask)(), Pool<Index>& pool,
                              std::size_t room) {
  const double began = now();
  Lease lease(threads);
  Signals signals(ask);
  const bool symmetric = plain.in.indptr == plain.out.indptr;
  const Degrees degrees = degrees_of(plain.out);
  view = plain;
  if (plain.edges > 0) {
    depth = search_depth(plain, Index(degrees.largest_vertex), lease, signals, pool);
    kind = depth > kDeep ? Kind::kLocality : degrees.skewed() ? Kind::kHubs : Kind::kFirst;
  }
  const std::size_t needed = layout_bytes(plain, kind, symmetric);
  if (needed > room) throw NoRoom{needed};
  if (kind != Kind::kFirst) {
    user = Buffer<Index>(plain.n), label = Buffer<Index>(plain.n);
    std::int64_t count = 0;  // of hubs
    view.active = kind == Kind::kHubs ? hubs_first(plain, degrees, user.data(), label.data(), count)
                                      : patch_order(plain, patch_of(degrees), user.data(), label.data());
    const Index first = Index(count);
    view.out = relabel_rows(plain.out, user, label, view.active, first, lease, signals, out_indptr, out_indices);
    view.in = symmetric
                  ? view.out
                  : relabel_rows(plain.in, user, label, view.active, first, lease, signals, in_indptr, in_indices);
    view.user = user.data(), view.label = label.data();
  }
  if (kind != Kind::kLocality) {
    const bool leads = kind == Kind::kHubs;
    heads = find_heads(view, leads ? kHubHeads : kFirstHeads, leads, lease);
    short_degrees = find_short_degrees(view, lease);
  }
  barren = find_barren(view, lease);
  signals.check();
  seconds = now() - began;
}

}  // namespace lagbfs
