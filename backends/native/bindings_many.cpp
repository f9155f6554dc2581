// search_together, search_apart, find_parents: see many.hpp. class Lanes, what searches in step have found.
#include <limits>
#include <memory>
#include <variant>

#include "apart.hpp"
#include "bindings_graph.hpp"
#include "distances.hpp"
#include "together.hpp"

namespace lagbfs {
namespace {

using Table = nb::ndarray<nb::ndim<2>, nb::c_contig, nb::device::cpu>;

std::int32_t depth_of(std::int64_t max_depth) {
  constexpr std::int32_t most = std::numeric_limits<std::int32_t>::max();
  return max_depth < 0 || max_depth > most ? most : std::int32_t(max_depth);
}

// Three arrays to add to, or None.
PerVertex per_vertex(nb::handle given, std::int64_t n) {
  if (given.is_none()) return {};
  const auto arrays = nb::cast<nb::tuple>(given);
  if (arrays.size() != 3) throw std::invalid_argument("vertices: expected three arrays");
  return {data_of<std::int64_t>(nb::cast<Array>(arrays[0]), "sums", n),
          data_of<std::int64_t>(nb::cast<Array>(arrays[1]), "counts", n),
          data_of<std::int32_t>(nb::cast<Array>(arrays[2]), "depths", n)};
}

// The counts by level of each source in a row, zeros behind them; None if they were not asked for.
nb::object by_level(const PerSource& found) {
  if (found.by_level.empty()) return nb::none();
  const std::size_t rows = found.by_level.size(), columns = std::size_t(found.depth()) + 1;
  Buffer<std::int64_t> counts(rows * columns);
  for (std::size_t s = 0; s < rows; ++s) {
    const auto& own = found.by_level[s];
    std::fill(std::copy(own.begin(), own.end(), counts.begin() + s * columns), counts.begin() + (s + 1) * columns, 0);
  }
  std::int64_t* const data = counts.data();
  nb::capsule owner(data, [](void* p) noexcept { std::free(p); });
  counts.release().release();
  return nb::cast(nb::ndarray<nb::numpy, std::int64_t, nb::ndim<2>>(data, {rows, columns}, owner));
}

nb::tuple to_python(PerSource found) {
  const std::size_t k = found.sums.size();
  nb::object counts = by_level(found);
  nb::object sums = to_numpy(std::move(found.sums), k), reached = to_numpy(std::move(found.reached), k);
  return nb::make_tuple(sums, reached, to_numpy(std::move(found.depths), k), counts);
}

template <class T>
T* table_of(nb::handle given, std::int64_t rows, std::int64_t columns, const char* name) {
  if (given.is_none()) return nullptr;
  const auto table = nb::cast<Table>(given);
  if (table.dtype() != nb::dtype<T>()) throw std::invalid_argument(std::string(name) + ": unexpected dtype");
  if (std::int64_t(table.shape(0)) != rows || std::int64_t(table.shape(1)) != columns)
    throw std::invalid_argument(std::string(name) + ": unexpected shape");
  return static_cast<T*>(table.data());
}

// f(zero of the type) of a table of levels; int32 if there is none.
template <class F>
auto with_level(nb::handle levels, F&& f) {
  const auto dtype = levels.is_none() ? nb::dtype<std::int32_t>() : nb::cast<Table>(levels).dtype();
  if (dtype == nb::dtype<std::int8_t>()) return f(std::int8_t{});
  return dtype == nb::dtype<std::int16_t>() ? f(std::int16_t{}) : f(std::int32_t{});
}

// The planes with what they are over: the view is a layout's, which is kept, or the graph's.
template <class Index, class Offset>
struct Kept {
  std::shared_ptr<const Layout<Index, Offset>> layout;
  const Engine<Index, Offset>* engine;
  std::vector<Index> sources;
  LanePlanes planes;
  const View<Index, Offset>& view() const { return layout ? layout->view : engine->plain(); }
};

struct LanesFound {
  nb::object graph, found;
  std::int32_t depth;
  std::variant<Kept<std::int32_t, std::int32_t>, Kept<std::int32_t, std::int64_t>, Kept<std::int64_t, std::int64_t>>
      kept;
};

// f(width as a constant).
template <class F>
auto with_width(int width, F&& f) {
  switch (width) {
    case 1:
      return f(std::integral_constant<int, 1>{});
    case 2:
      return f(std::integral_constant<int, 2>{});
    case 4:
      return f(std::integral_constant<int, 4>{});
    case 8:
      return f(std::integral_constant<int, 8>{});
    default:
      throw std::invalid_argument("width: expected 1, 2, 4 or 8");
  }
}

template <class Index, class Offset>
LanesFound together_in(Engine<Index, Offset>& engine, nb::object graph, nb::handle sources, int width, bool levels,
                       const ManyWanted& wanted, nb::handle vertices, int threads) {
  Kept<Index, Offset> kept{engine.layout(), &engine, vertices_of<Index>(sources, engine.n(), "sources"), {}};
  const std::int64_t k = std::int64_t(kept.sources.size());
  if (k > std::int64_t{width} * kWordBits) throw std::invalid_argument("sources: more than the width has room for");
  const PerVertex sums = per_vertex(vertices, engine.n());
  PerSource found(k, wanted.by_level);
  without_gil([&] {
    with_width(width, [&](auto w) {
      Lease lease(engine.edges() < kAloneGraph ? 1 : threads);
      Signals signals(ask_python);
      Together<decltype(w)::value, Index, Offset> searches(kept.view(), lease, signals, levels, bool(sums));
      searches.run(kept.sources.data(), k, wanted, found);
      if (sums) searches.add_to(sums);
      if (levels) kept.planes = searches.planes();
    });
    if (sums)
      for (const Index s : kept.sources)
        if (kept.view().to_label(s) >= kept.view().active) sums.add(s, 0, 1, 0);  // those without edges
    return 0;
  });
  const std::int32_t depth = found.depth();
  return {graph, to_python(std::move(found)), depth, std::move(kept)};
}

void write_levels(LanesFound& t, nb::object levels, int threads) {
  std::visit(
      [&](auto& kept) {
        if (!kept.planes.seen) throw std::invalid_argument("levels were not asked for");
        with_level(levels, [&](auto zero) {
          using T = decltype(zero);
          if (t.depth > std::numeric_limits<T>::max()) throw std::invalid_argument("levels: too narrow");
          const std::int64_t k = std::int64_t(kept.sources.size());
          T* const out = table_of<T>(levels, k, kept.engine->n(), "levels");
          without_gil([&] {
            Lease lease(threads);
            Signals signals(ask_python);
            Numbers numbers(kept.view(), kept.planes, k, out);
            numbers.write(kept.sources.data(), lease, signals);
            return 0;
          });
        });
      },
      t.kept);
}

struct Apart {
  nb::handle sources, levels, parents, vertices;
  ManyWanted wanted;
  int threads;
};

template <class Level, class Index, class Offset>
nb::object apart_in(Engine<Index, Offset>& engine, const Apart& a) {
  const auto sources = vertices_of<Index>(a.sources, engine.n(), "sources");
  const std::int64_t k = std::int64_t(sources.size());
  Fresh done(k, dtype_of<bool>());
  const ApartOut<Level, Index> out{table_of<Level>(a.levels, k, engine.n(), "levels"),
                                   table_of<Index>(a.parents, k, engine.n(), "parents"),
                                   per_vertex(a.vertices, engine.n()), done.as<bool>()};
  PerSource found(k, a.wanted.by_level);
  without_gil([&] {
    const auto layout = engine.layout();
    Lease lease(a.threads);
    Signals signals(ask_python);
    search_apart(layout ? layout->view : engine.plain(), sources.data(), k, a.wanted, found, out, lease, signals);
    return 0;
  });
  return nb::make_tuple(to_python(std::move(found)), done.array);
}

void parents_any(Graph& graph, nb::object levels, nb::object parents, int threads) {
  graph.visit([&](auto& engine) {
    with_level(levels, [&](auto zero) {
      using Level = decltype(zero);
      using Index = std::remove_const_t<std::remove_pointer_t<decltype(engine.plain().in.indices)>>;
      const auto k = std::int64_t(nb::cast<Table>(levels).shape(0));
      const Level* const from = table_of<Level>(levels, k, engine.n(), "levels");
      Index* const to = table_of<Index>(parents, k, engine.n(), "parents");
      if (!to) throw std::invalid_argument("parents: expected an array");
      without_gil([&] {
        Lease lease(threads);
        Signals signals(ask_python);
        find_parents(engine.plain().in, from, k, to, lease, signals);
        return 0;
      });
    });
  });
}

}  // namespace

void bind_many(nb::module_& m) {
  using namespace nb::literals;
  nb::class_<LanesFound>(m, "Lanes")
      .def_ro("found", &LanesFound::found)
      .def_ro("depth", &LanesFound::depth)
      .def("write", &write_levels, "levels"_a, "threads"_a = 0);
  m.def(
      "search_together",
      [](nb::object graph, nb::object sources, int width, bool levels, std::int64_t max_depth, bool by_level,
         nb::object vertices, int threads) {
        const ManyWanted wanted{depth_of(max_depth), by_level};
        return nb::cast<Graph&>(graph).visit([&](auto& engine) {
          return together_in(engine, graph, sources, width, levels, wanted, vertices, threads);
        });
      },
      "graph"_a, "sources"_a, "width"_a, "levels"_a = true, "max_depth"_a = -1, "by_level"_a = false,
      "vertices"_a = nb::none(), "threads"_a = 0);
  m.def(
      "search_apart",
      [](Graph& graph, nb::object sources, nb::object levels, nb::object parents, std::int64_t max_depth, bool by_level,
         nb::object vertices, int threads) {
        const Apart a{sources, levels, parents, vertices, {depth_of(max_depth), by_level}, threads};
        return graph.visit([&](auto& engine) {
          return with_level(levels, [&](auto zero) { return apart_in<decltype(zero)>(engine, a); });
        });
      },
      "graph"_a, "sources"_a, "levels"_a = nb::none(), "parents"_a = nb::none(), "max_depth"_a = -1,
      "by_level"_a = false, "vertices"_a = nb::none(), "threads"_a = 0);
  m.def("find_parents", &parents_any, "graph"_a, "levels"_a, "parents"_a, "threads"_a = 0);
}

}  // namespace lagbfs
