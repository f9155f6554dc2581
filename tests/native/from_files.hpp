// What files hold: rows looked at before they are trusted, and layouts that another engine takes.
#pragma once

#include <memory>

#include "common.hpp"
#include "search.hpp"

template <class Index, class Offset>
void test_inspect(Random& random) {
  const std::int64_t rows = 1 + below(random, 40), cols = 1 + below(random, 40);
  Edges edges;
  for (std::int64_t k = below(random, 200); k > 0; --k) edges.emplace(below(random, rows), below(random, cols));
  auto a = matrix_of<Index, Offset>(edges, rows, cols);
  const auto t = matrix_of<Index, Offset>(flipped(edges), cols, rows);
  const Keys keys{random() | 1u, random() | 1u, random() | 1u};
  const auto look = [&](const auto& m) {
    Lease lease(3);
    Signals signals;
    return inspect_pattern(m.csr(), std::int64_t(m.indices.size()), m.cols, keys, lease, signals);
  };
  const Inspected own = look(a), other = look(t);
  CHECK(own.wrong == rows && other.wrong == cols);
  CHECK(own.print == other.turned && own.turned == other.print);
  for (int k = 0; k < 2; ++k) {
    if (!a.indices.empty() && below(random, 2))
      a.indices[below(random, a.indices.size())] = Index(below(random, 50) - 2);
    else a.indptr[below(random, rows + 1)] = Offset(below(random, 300) - 9);
  }
  std::int64_t want = rows;
  for (std::int64_t u = rows - 1; u >= 0; --u) {
    const std::int64_t begin = a.indptr[u], end = a.indptr[u + 1];
    bool right = 0 <= begin && begin <= end && end <= std::int64_t(a.indices.size());
    for (std::int64_t e = begin; right && e < end; ++e)
      right = a.indices[e] >= 0 && a.indices[e] < cols && (e == begin || a.indices[e - 1] < a.indices[e]);
    if (!right) want = u;
  }
  CHECK(look(a).wrong == want);
}

// A layout as it lies in a file: arrays of exactly the lengths that there are.
template <class Index, class Offset>
struct LaidCopy {
  explicit LaidCopy(const View<Index, Offset>& v) : view(v) {
    const auto take = [](auto& held, auto*& data, std::int64_t size) {
      if (data) held.assign(data, data + size), data = held.data();
    };
    const bool symmetric = v.in.indptr == v.out.indptr;
    if (v.user) {
      take(user, view.user, v.n), take(label, view.label, v.n);
      take(indptr, view.out.indptr, v.active + 1), take(indices, view.out.indices, v.edges);
      if (symmetric) view.in = view.out;
      else take(t_indptr, view.in.indptr, v.active + 1), take(t_indices, view.in.indices, v.edges);
    }
    take(heads, view.heads, v.head_count * v.head_stride), take(degrees, view.short_degrees, v.head_stride);
    take(barren, view.barren, words_of(v.active));
  }
  LaidCopy(const LaidCopy&) = delete;

  // Puts another number somewhere; whether there was a place for it.
  bool damage(Random& random) {
    const auto put = [&](auto& held) {
      if (held.empty()) return false;
      auto& element = held[below(random, held.size())];
      const auto before = element;
      element = std::decay_t<decltype(element)>(below(random, view.n + 4) - 2);
      return element != before;
    };
    switch (below(random, 9)) {
      case 0:
        return put(user);
      case 1:
        return put(label);
      case 2:
        return put(indptr);
      case 3:
        return put(indices);
      case 4:
        return put(t_indptr);
      case 5:
        return put(t_indices);
      case 6:
        return put(heads);
      case 7:
        return put(degrees);
      default:
        return put(barren);
    }
  }

  View<Index, Offset> view;
  std::vector<Index> user, label, indices, t_indices, heads;
  std::vector<Offset> indptr, t_indptr;
  std::vector<std::uint8_t> degrees;
  std::vector<Word> barren;
};

template <class Index, class Offset>
void test_laid(Random& random) {
  const std::int64_t n = 1 + below(random, 300);
  const bool symmetric = below(random, 2);
  const Edges edges = random_edges(random, n, symmetric);
  const auto a = matrix_of<Index, Offset>(edges, n, n), t = matrix_of<Index, Offset>(flipped(edges), n, n);
  using Graph = Engine<Index, Offset>;
  const auto made = [&] { return std::make_unique<Graph>(a.csr(), symmetric ? a.csr() : t.csr()); };
  const auto engine = made();
  engine->optimize(2, nullptr);
  const auto layout = engine->layout();
  const Keys keys{random() | 1u, random() | 1u, 0};
  const auto takes = [&](const LaidCopy<Index, Offset>& copy, const auto& by) {
    const Layout<Index, Offset> given(layout->kind, layout->depth, copy.view);
    return by->adopt(given, &keys, 2, nullptr);
  };
  LaidCopy<Index, Offset> copy(layout->view);
  const auto another = made();
  CHECK(takes(copy, another) && another->layout()->view.out.indices == copy.view.out.indices);
  for (int i = 0; i < 2; ++i) search_whole(random, *another, a);
  for (int i = 0; i < 10; ++i) {
    LaidCopy<Index, Offset> damaged(layout->view);
    if (damaged.damage(random)) CHECK(!takes(damaged, made()));
  }
}
