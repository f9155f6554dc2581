// class Graph (engine.hpp) and class Search, the outcome of one.
#include "bindings_graph.hpp"

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
      .def_prop_ro("work_bytes", [](Graph& g) { return g.visit([](auto& e) { return e.work_bytes(); }); });
}

}  // namespace lagbfs
