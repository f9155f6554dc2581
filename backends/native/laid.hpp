// A layout that lies in a file: made of what another layout consists of, and whether it is a layout of a graph at all.
#pragma once

#include <algorithm>
#include <cstdint>
#include <tuple>

#include "inspect.hpp"
#include "layout.hpp"

namespace lagbfs {

constexpr std::int64_t kLaidNumbers = 5;  // kind, depth, active, barren_count, and how many columns of heads there are

// The columns of heads that a kind of layout has.
inline int heads_of(Kind kind) { return kind == Kind::kHubs ? kHubHeads : kind == Kind::kFirst ? kFirstHeads : 0; }

// Whether the numbers are those of a layout that this graph may have.
template <class Index, class Offset>
bool numbers_fit(const std::int64_t* numbers, const View<Index, Offset>& plain) {
  const auto [kind, depth, active, barren] = std::tuple(numbers[0], numbers[1], numbers[2], numbers[3]);
  if (kind < 0 || kind > 2 || depth < 0 || barren < 0 || barren > plain.n) return false;
  return 0 <= active && active <= plain.n && (Kind(kind) != Kind::kFirst || active == plain.n);
}

template <class Index>
bool are_inverse(const Index* user, const Index* label, std::int64_t n, Lease& lease) {
  bool wrong = false;
  lease.chunks(n, kHeadVertices, [&](int, std::int64_t begin, std::int64_t end) {
    for (std::int64_t v = begin; v < end; ++v)
      if (user[v] < 0 || std::int64_t(user[v]) >= n || std::int64_t(label[user[v]]) != v) store(&wrong, true);
  });
  return !wrong;
}

// Whether rows in the layout's labels are those of the graph: the same entries, and none of the labels left out.
template <class Index, class Offset>
bool are_relabelled(const Csr<Index, Offset>& rows, const Csr<Index, Offset>& plain, const View<Index, Offset>& view,
                    const Keys& keys, Lease& lease, Signals& signals) {
  if (rows.indptr[0] != 0 || rows.edges() != plain.edges()) return false;
  const auto users = [&](std::int64_t v) { return std::int64_t(view.user[v]); };
  const auto none = [](std::int64_t) { return std::uint64_t{0}; };
  const Inspected own = inspect(rows, plain.edges(), view.active, keys, lease, signals, users, none);
  if (own.wrong != view.active) return false;
  return own.print == inspect_pattern(plain, plain.edges(), plain.rows, keys, lease, signals).print;
}

template <class T>
bool same(const Buffer<T>& made, const T* given) {
  return std::equal(made.data(), made.data() + made.size(), given);
}

// Whether a view is a layout of a graph, whose own rows can be trusted: what it says is looked at before it is used.
template <class Index, class Offset>
bool lays_out(const View<Index, Offset>& view, const View<Index, Offset>& plain, const Keys& keys, Lease& lease,
              Signals& signals) {
  if (view.user) {
    if (!are_inverse(view.user, view.label, plain.n, lease)) return false;
    if (!are_relabelled(view.out, plain.out, view, keys, lease, signals)) return false;
    if (view.in.indptr != view.out.indptr && !are_relabelled(view.in, plain.in, view, keys, lease, signals))
      return false;
  }
  View<Index, Offset> again = view;
  if (view.heads) {
    again.heads = nullptr, again.short_degrees = nullptr;
    const Buffer<Index> heads = find_heads(again, view.head_count, view.leads, lease);
    if (!same(heads, view.heads)) return false;
    if (!same(find_short_degrees(again, lease), view.short_degrees)) return false;
  }
  const Buffer<Word> barren = find_barren(again, lease);
  signals.check();
  if (again.barren_count != view.barren_count || bool(barren) != bool(view.barren)) return false;
  return !view.barren || same(barren, view.barren);
}

}  // namespace lagbfs
