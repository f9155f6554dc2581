// The graph as the kernels see it.
//
// Csr<Index, Offset>: row u is indices[indptr[u] … indptr[u + 1]). Borrowed: whoever made it keeps the arrays.
// Index holds vertices, Offset numbers of entries: both are 32 bits wide, or 32 and 64, or both 64.
// View<Index, Offset>: what a search runs over. Its labels are the user's, or a layout's (layout.hpp): then
// user[v] is the user's label of v, label[] the inverse, and labels >= active have no edges at all.
// Without a layout user and label are null and active = n.
//   out  rows scanned by push: out-neighbours
//   in   rows scanned by pull: in-neighbours; the same arrays for a symmetric graph
//   heads  null, or head_count columns, head_stride apart, of one in-neighbour for each vertex: first one of high
//          out-degree, then its in-row's entries in turn, from the second on if the first `leads` the row. A vertex
//          stands for itself where it has no more. Columns are padded, by zeros, to whole words of a bitmap
//   short_degrees  null, or the out-degrees as bytes, kLongDegree standing for all from there on; padded likewise
//   degrees  null, or the out-degrees where `out` does not tell them
//   barren  null, or the set of vertices that no edge leads to, as a bitmap (bitmap.hpp): no search looks for them
// A block (block.hpp) is rectangular: vertices are those that a part owns, 0 … n - 1, which edges lead to from sources,
// the rows of `out`. In-rows and heads hold sources, and so do the names in user[]; v as a source is v + offset.
#pragma once

#include <cstdint>

namespace lagbfs {

template <class Index, class Offset = Index>
struct Csr {
  const Offset* indptr = nullptr;
  const Index* indices = nullptr;
  std::int64_t rows = 0;

  std::int64_t edges() const { return std::int64_t(indptr[rows]); }
  std::int64_t degree(std::int64_t u) const { return std::int64_t(indptr[u + 1] - indptr[u]); }
  const Index* begin(std::int64_t u) const { return indices + indptr[u]; }
  const Index* end(std::int64_t u) const { return indices + indptr[u + 1]; }
};

constexpr int kLongDegree = 255;

template <class Index, class Offset>
struct View {
  Csr<Index, Offset> out, in;
  const Index* heads = nullptr;
  std::int64_t head_stride = 0;
  int head_count = 0;
  bool leads = false;
  const std::uint8_t* short_degrees = nullptr;
  const Index* degrees = nullptr;
  const std::uint64_t* barren = nullptr;
  std::int64_t barren_count = 0;  // with those of the labels >= active
  const Index* user = nullptr;
  const Index* label = nullptr;
  std::int64_t n = 0, active = 0, edges = 0;
  Index offset = 0;

  std::int64_t long_degree(std::int64_t v) const { return degrees ? std::int64_t(degrees[v]) : out.degree(v); }
  std::int64_t degree(std::int64_t v) const {
    return short_degrees && short_degrees[v] < kLongDegree ? short_degrees[v] : long_degree(v);
  }
  Index to_user(Index v) const { return user ? user[v + offset] : v; }
  Index to_label(Index v) const { return label ? label[v] : v; }
};

template <class Index, class Offset>
View<Index, Offset> plain_view(const Csr<Index, Offset>& out, const Csr<Index, Offset>& in) {
  View<Index, Offset> view;
  view.out = out, view.in = in;
  view.n = view.active = out.rows;
  view.edges = out.edges();
  return view;
}

}  // namespace lagbfs
