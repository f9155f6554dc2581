// class Graph (engine.hpp) and class Search, the outcome of one.
#include "bindings_graph.hpp"

#include <nanobind/stl/optional.h>
#include <nanobind/stl/vector.h>

#include <algorithm>
#include <optional>
#include <variant>

#include "recycle.hpp"

namespace lagbfs {
namespace {

// Arrays made here are in `made_*`; arrays of the caller, continued, in `given_*`.
template <class Index>
struct Result {
  Outcome<Index> outcome;
  Recycled<Index> made_parents, made_order;
  Recycled<std::int32_t> made_levels;
  nb::object given_parents, given_levels;
};

struct Search {
  std::variant<Result<std::int32_t>, Result<std::int64_t>> result;
  template <class F>
  auto visit(F&& f) {
    return std::visit(f, result);
  }
};

struct Options {
  const Policy& policy;
  nb::handle targets;
  std::int64_t max_depth, max_levels;
  bool deterministic;
  int threads;
};

template <class Index>
Request<Index> request_of(const Options& o, std::int64_t n) {
  Request<Index> request;
  request.policy = &o.policy;
  request.targets = vertices_of<Index>(o.targets, n, "targets");
  if (o.max_depth >= 0 && o.max_depth < request.max_depth) request.max_depth = std::int32_t(o.max_depth);
  if (o.max_levels >= 0) request.max_levels = o.max_levels;
  return request;
}

template <class Index, class Offset>
Search search_in(Engine<Index, Offset>& engine, nb::handle sources, bool parents, bool levels, bool order,
                 const Options& o) {
  if (!parents && !levels) throw std::invalid_argument("neither parents nor levels are wanted");
  if (!parents && order) throw std::invalid_argument("an order is of parents, too");
  const std::vector<Index> from = vertices_of<Index>(sources, engine.n(), "sources");
  Request<Index> request = request_of<Index>(o, engine.n());
  request.in_order = order;
  Result<Index> result;
  without_gil([&] {
    if (parents) result.made_parents = Recycled<Index>(engine.n());
    if (levels) result.made_levels = Recycled<std::int32_t>(engine.n());
    if (order) result.made_order = Recycled<Index>(engine.n() + 1);
    const Target<Index> to{
        result.made_parents.data(),          result.made_levels.data(), o.deterministic, o.threads, ask_python,
        order ? &result.made_order : nullptr};
    result.outcome = engine.search(from.data(), std::int64_t(from.size()), to, request);
  });
  return Search{std::move(result)};
}

struct Given {
  nb::object frontier, parents, levels;
  const Features& features;
};

template <class Index, class Offset>
Search advance_in(Engine<Index, Offset>& engine, const Given& given, const Options& o) {
  const std::vector<Index> from = vertices_of<Index>(given.frontier, engine.n(), "frontier");
  Request<Index> request = request_of<Index>(o, engine.n());
  request.features = checked(given.features);
  if (given.features.level > request.max_depth) throw std::invalid_argument("level: out of range");
  Target<Index> to{nullptr, nullptr, o.deterministic, o.threads, ask_python};
  if (!given.parents.is_none()) to.parents = data_of<Index>(nb::cast<Array>(given.parents), "parents", engine.n());
  if (!given.levels.is_none()) to.levels = data_of<std::int32_t>(nb::cast<Array>(given.levels), "levels", engine.n());
  if (!to.parents && !to.levels) throw std::invalid_argument("neither parents nor levels are given");
  Result<Index> result;
  result.given_parents = given.parents, result.given_levels = given.levels;
  without_gil([&] { result.outcome = engine.advance(from.data(), std::int64_t(from.size()), to, request); });
  return Search{std::move(result)};
}

template <class T>
nb::object array_or_none(Recycled<T>& made, const nb::object& given, nb::handle owner) {
  if (made.data()) return to_numpy(made.data(), made.size(), owner);
  return given.is_valid() ? given : nb::none();
}

nb::object trace_of(nb::handle self, Search& search) {
  return search.visit([&](auto& r) {
    return nb::cast(nb::ndarray<nb::numpy, double, nb::ndim<2>>(
        r.outcome.trace.data(), {r.outcome.trace.size(), std::size_t(kTraceColumns)}, self));
  });
}

nb::object layout_of(Graph& graph) {
  return graph.visit([](auto& engine) -> nb::object {
    const auto layout = engine.layout();
    if (!layout) return nb::none();
    nb::dict d;
    d["kind"] = kKinds[int(layout->kind)];
    d["seconds"] = layout->seconds;
    d["bytes"] = layout->bytes();
    d["depth"] = layout->depth;
    return d;
  });
}

// What the layout consists of, by name, as arrays that belong to the graph; None if there is none.
nb::object laid_of(nb::handle self) {
  return nb::cast<Graph&>(self).visit([&](auto& engine) -> nb::object {
    const auto layout = engine.layout();
    if (!layout) return nb::none();
    const auto& view = layout->view;
    nb::dict d;
    const auto put = [&](const char* name, auto* data, std::int64_t size) {
      d[name] = to_numpy(data, std::size_t(size), self);
    };
    Buffer<std::int64_t> numbers(kLaidNumbers);
    const std::int64_t said[] = {int(layout->kind), layout->depth, view.active, view.barren_count, view.head_count};
    std::copy(said, said + kLaidNumbers, numbers.begin());
    d["numbers"] = to_numpy(std::move(numbers), kLaidNumbers);
    if (view.user) {
      put("user", view.user, view.n), put("label", view.label, view.n);
      put("indptr", view.out.indptr, view.active + 1), put("indices", view.out.indices, view.edges);
      if (view.in.indptr != view.out.indptr)
        put("t_indptr", view.in.indptr, view.active + 1), put("t_indices", view.in.indices, view.edges);
    }
    if (view.heads) {
      put("heads", view.heads, view.head_count * view.head_stride);
      put("short_degrees", view.short_degrees, view.head_stride);
    }
    if (view.barren) put("barren", view.barren, words_of(view.active));
    return d;
  });
}

template <class Index, class Offset>
bool adopt_in(Graph& graph, Engine<Index, Offset>& engine, const nb::dict& laid, const Keys* keys, int threads) {
  const auto has = [&](const char* name) { return laid.contains(name); };
  const auto take = [&](auto* type, const char* name, std::int64_t size) {
    using T = const std::remove_pointer_t<decltype(type)>;
    return data_of<T>(graph.keep(nb::cast<ConstArray>(laid[name])), name, size);
  };
  const View<Index, Offset>& plain = engine.plain();
  const std::int64_t* const numbers = take((std::int64_t*)nullptr, "numbers", kLaidNumbers);
  if (!numbers_fit(numbers, plain)) return false;
  const Kind kind = Kind(numbers[0]);
  if (numbers[4] != heads_of(kind)) return true;  // made by a version that had others: passed over
  View<Index, Offset> view = plain;
  view.active = numbers[2], view.barren_count = numbers[3];
  if (kind != Kind::kFirst) {
    const auto rows = [&](const char* indptr, const char* indices) {
      const Offset* const starts = take((Offset*)nullptr, indptr, view.active + 1);
      const Index* const ends = take((Index*)nullptr, indices, view.edges);
      return Csr<Index, Offset>{starts, ends, view.active};
    };
    view.user = take((Index*)nullptr, "user", view.n), view.label = take((Index*)nullptr, "label", view.n);
    view.out = rows("indptr", "indices");
    if (has("t_indptr") == engine.symmetric()) return false;
    view.in = engine.symmetric() ? view.out : rows("t_indptr", "t_indices");
  }
  if (kind != Kind::kLocality) {
    view.leads = kind == Kind::kHubs, view.head_count = heads_of(kind);
    view.head_stride = words_of(view.active) * kWordBits;
    view.heads = take((Index*)nullptr, "heads", view.head_count * view.head_stride);
    view.short_degrees = take((std::uint8_t*)nullptr, "short_degrees", view.head_stride);
  }
  if (has("barren")) view.barren = take((Word*)nullptr, "barren", words_of(view.active));
  const Layout<Index, Offset> given(kind, numbers[1], view);
  return without_gil([&] { return engine.adopt(given, keys, threads, ask_python); });
}

void bind_search_class(nb::module_& m) {
  const auto get = [](auto member) {
    return [member](Search& s) { return s.visit([&](auto& r) { return member(r.outcome); }); };
  };
  nb::class_<Search>(m, "Search")
      .def_prop_ro("parents",
                   [](nb::handle self) {
                     return nb::cast<Search&>(self).visit(
                         [&](auto& r) { return array_or_none(r.made_parents, r.given_parents, self); });
                   })
      .def_prop_ro("levels",
                   [](nb::handle self) {
                     return nb::cast<Search&>(self).visit(
                         [&](auto& r) { return array_or_none(r.made_levels, r.given_levels, self); });
                   })
      .def_prop_ro("order",
                   [](nb::handle self) {
                     return nb::cast<Search&>(self).visit([&](auto& r) -> nb::object {
                       if (!r.made_order.data()) return nb::none();
                       return to_numpy(r.made_order.data(), r.outcome.reached, self);
                     });
                   })
      .def_prop_ro("frontier",
                   [](nb::handle self) {
                     return nb::cast<Search&>(self).visit(
                         [&](auto& r) { return to_numpy(r.outcome.frontier.data(), r.outcome.frontier.size(), self); });
                   })
      .def_prop_ro("trace", [](nb::handle self) { return trace_of(self, nb::cast<Search&>(self)); })
      .def_prop_ro("reason", get([](auto& o) { return kReasons[int(o.reason)]; }))
      .def_prop_ro("level", get([](auto& o) { return o.level; }))
      .def_prop_ro("reached", get([](auto& o) { return o.reached; }))
      .def_prop_ro("features", get([](auto& o) { return o.features; }));
}

}  // namespace

void bind_graph(nb::module_& m) {
  using namespace nb::literals;
  m.attr("TRACE") = names(kTrace);
  bind_search_class(m);
  nb::class_<Graph>(m, "Graph")
      .def(nb::init<ConstArray, ConstArray, nb::object, nb::object>(), "indptr"_a, "indices"_a,
           "t_indptr"_a = nb::none(), "t_indices"_a = nb::none())
      .def(
          "search",
          [](Graph& g, nb::object sources, const Policy& policy, bool parents, bool levels, std::int64_t max_depth,
             nb::object targets, bool deterministic, int threads, std::int64_t max_levels, bool order) {
            const Options o{policy, targets, max_depth, max_levels, deterministic, threads};
            return g.visit([&](auto& e) { return search_in(e, sources, parents, levels, order, o); });
          },
          "sources"_a, "policy"_a, "parents"_a = true, "levels"_a = false, "max_depth"_a = -1, "targets"_a = nb::none(),
          "deterministic"_a = false, "threads"_a = 0, "max_levels"_a = -1, "order"_a = false)
      .def(
          "advance",
          [](Graph& g, nb::object frontier, nb::object parents, nb::object levels, const Features& features,
             const Policy& policy, std::int64_t max_depth, nb::object targets, bool deterministic, int threads,
             std::int64_t max_levels) {
            const Options o{policy, targets, max_depth, max_levels, deterministic, threads};
            const Given given{frontier, parents, levels, features};
            return g.visit([&](auto& e) { return advance_in(e, given, o); });
          },
          "frontier"_a, "parents"_a.none(), "levels"_a.none(), "features"_a, "policy"_a, "max_depth"_a = -1,
          "targets"_a = nb::none(), "deterministic"_a = false, "threads"_a = 0, "max_levels"_a = -1)
      .def(
          "optimize",
          [](Graph& g, int threads, std::size_t room) -> nb::object {
            try {
              g.visit([&](auto& e) { without_gil([&] { return e.optimize(threads, ask_python, room), 0; }); });
            } catch (const NoRoom& none) {
              return nb::int_(none.bytes);
            }
            return layout_of(g);
          },
          "threads"_a = 0, "room"_a = SIZE_MAX)
      .def_prop_ro("layout", &layout_of)
      .def_prop_ro("laid", &laid_of)
      .def(
          "adopt",
          [](Graph& g, nb::dict laid, std::optional<std::vector<std::uint64_t>> keys, int threads) {
            if (keys && keys->size() != 2) throw std::invalid_argument("keys: expected two");
            const Keys given = keys ? Keys{(*keys)[0], (*keys)[1], 0} : Keys{};
            return g.visit([&](auto& e) { return adopt_in(g, e, laid, keys ? &given : nullptr, threads); });
          },
          "laid"_a, "keys"_a.none(), "threads"_a = 0)
      .def_prop_ro("work_bytes", [](Graph& g) { return g.visit([](auto& e) { return e.work_bytes(); }); });
}

}  // namespace lagbfs
