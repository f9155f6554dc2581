// Whole algorithms, each a function of the arrays of a matrix: see the header of its name.
#include "bindings_algorithms.hpp"

#include "betweenness.hpp"
#include "bindings.hpp"
#include "bindings_graph.hpp"
#include "components.hpp"
#include "cores.hpp"
#include "pagerank.hpp"
#include "sssp.hpp"
#include "triangles.hpp"

namespace lagbfs {
namespace {

template <class T>
nb::object handed_over(Recycled<T> result) {
  const std::size_t size = result.size();
  return to_numpy(std::move(result), size);
}

// Entries and offsets that belong together; the matrix is square.
template <class Index, class Offset>
Csr<Index, Offset> square(const ConstArray& indptr, const ConstArray& indices) {
  const auto csr = csr_of<Index, Offset>(indptr, indices);
  if (csr.indptr[0] != 0 || csr.edges() != std::int64_t(indices.size()))
    throw std::invalid_argument("indptr does not describe indices");
  return csr;
}

const double* optional(nb::handle given, const char* name, std::int64_t size, std::vector<ConstArray>& kept) {
  if (given.is_none()) return nullptr;
  kept.push_back(nb::cast<ConstArray>(given));
  return data_of<const double>(kept.back(), name, size);
}

// Of one engine, which stands for a graph whose edges lead both ways, or of a matrix.
template <class Index, class Offset>
nb::object labels_of(const Csr<Index, Offset>& csr, Engine<Index, Offset>* engine, int threads) {
  Recycled<Index> labels(csr.rows);
  without_gil([&] { return components(csr, engine, labels.data(), threads, ask_python), 0; });
  return handed_over(std::move(labels));
}

nb::object components_of(ConstArray indptr, ConstArray indices, int threads) {
  return with_widths(indptr, indices, [&](auto index, auto offset) {
    return labels_of<decltype(index), decltype(offset)>(square<decltype(index), decltype(offset)>(indptr, indices),
                                                        nullptr, threads);
  });
}

nb::object components_both_ways(Graph& graph, int threads) {
  return graph.visit([&](auto& engine) {
    if (!engine.symmetric()) throw std::invalid_argument("graph: expected edges both ways");
    return labels_of(engine.plain().out, &engine, threads);
  });
}

nb::object triangles_of(ConstArray indptr, ConstArray indices, bool corners, int threads) {
  return with_widths(indptr, indices, [&](auto index, auto offset) -> nb::object {
    const auto csr = square<decltype(index), decltype(offset)>(indptr, indices);
    Recycled<std::int64_t> counts(corners ? csr.rows : 0);
    const std::int64_t total =
        without_gil([&] { return triangles(csr, corners ? counts.data() : nullptr, threads, ask_python); });
    return nb::make_tuple(total, corners ? handed_over(std::move(counts)) : nb::none());
  });
}

struct RankOptions {
  nb::object weights, out, personalization, start, dangling;
  double damping, tol;
  std::int64_t most;
  bool in_place, normalised;
};

template <class Index, class Offset>
nb::object pagerank_as(const ConstArray& indptr, const ConstArray& indices, const ConstArray& out_indptr,
                       const RankOptions& o, int threads) {
  RankProblem<Index, Offset> p;
  std::vector<ConstArray> kept;
  p.in = square<Index, Offset>(indptr, indices);
  const std::int64_t n = p.in.rows;
  p.out_indptr = data_of<const Offset>(out_indptr, "out_indptr", n + 1);
  p.weights = optional(o.weights, "weights", p.in.edges(), kept);
  p.out = optional(o.out, "out", n, kept);
  p.personalization = optional(o.personalization, "personalization", n, kept);
  p.start = optional(o.start, "start", n, kept);
  p.dangling = optional(o.dangling, "dangling", n, kept);
  p.damping = o.damping, p.tol = o.tol, p.most = o.most, p.in_place = o.in_place, p.normalised = o.normalised;
  Recycled<double> ranks(n);
  const RankOutcome outcome = without_gil([&] { return pagerank(p, ranks.data(), threads, ask_python); });
  return nb::make_tuple(handed_over(std::move(ranks)), outcome.iterations, outcome.error);
}

nb::object pagerank_of(ConstArray indptr, ConstArray indices, ConstArray out_indptr, nb::object weights, nb::object out,
                       double damping, double tol, std::int64_t most, nb::object personalization, nb::object start,
                       nb::object dangling, bool in_place, bool normalised, int threads) {
  const RankOptions options{weights, out, personalization, start, dangling, damping, tol, most, in_place, normalised};
  return with_widths(indptr, indices, [&](auto index, auto offset) {
    return pagerank_as<decltype(index), decltype(offset)>(indptr, indices, out_indptr, options, threads);
  });
}

struct PathOptions {
  nb::object sources, targets;
  double width, largest, cutoff;
};

template <class Index, class Offset, class Weight>
nb::object sssp_as(const ConstArray& indptr, const ConstArray& indices, const ConstArray& values, const PathOptions& o,
                   int threads) {
  PathProblem<Index, Offset, Weight> p;
  p.out = square<Index, Offset>(indptr, indices);
  p.each = values.size() != 1 || p.out.edges() == 1;
  p.weights = data_of<const Weight>(values, "values", p.each ? p.out.edges() : 1);
  const auto sources = vertices_of<Index>(o.sources, p.out.rows, "sources");
  const auto targets = vertices_of<Index>(o.targets, p.out.rows, "targets");
  p.sources = sources.data(), p.source_count = std::int64_t(sources.size());
  p.targets = targets.data(), p.target_count = std::int64_t(targets.size());
  if (!(o.width > 0)) throw std::invalid_argument("width: expected more than 0");
  p.width = o.width, p.largest = o.largest, p.cutoff = o.cutoff;
  Recycled<double> distances(p.out.rows);
  Recycled<Index> parents(p.out.rows);
  without_gil([&] { return shortest_paths(p, distances.data(), parents.data(), threads, ask_python), 0; });
  return nb::make_tuple(handed_over(std::move(distances)), handed_over(std::move(parents)));
}

nb::object sssp_of(ConstArray indptr, ConstArray indices, ConstArray values, nb::object sources, nb::object targets,
                   double width, double largest, double cutoff, int threads) {
  const PathOptions options{sources, targets, width, largest, cutoff};
  return with_widths(indptr, indices, [&](auto index, auto offset) -> nb::object {
    using Index = decltype(index);
    using Offset = decltype(offset);
    if constexpr (sizeof(Index) == sizeof(std::int32_t))
      if (is<std::int32_t>(values))
        return sssp_as<Index, Offset, std::int32_t>(indptr, indices, values, options, threads);
    return sssp_as<Index, Offset, double>(indptr, indices, values, options, threads);
  });
}

nb::object betweenness_of(ConstArray indptr, ConstArray indices, ConstArray t_indptr, ConstArray t_indices,
                          nb::object sources, bool edges, int threads) {
  return with_widths(indptr, indices, [&](auto index, auto offset) -> nb::object {
    using Index = decltype(index);
    const auto out = square<Index, decltype(offset)>(indptr, indices);
    const auto in = square<Index, decltype(offset)>(t_indptr, t_indices);
    if (in.rows != out.rows || in.edges() != out.edges()) throw std::invalid_argument("t_indptr: unexpected length");
    const auto from = vertices_of<Index>(sources, out.rows, "sources");
    Recycled<double> scores(edges ? out.edges() : out.rows);
    without_gil([&] {
      return betweenness(out, in, from.data(), std::int64_t(from.size()), edges, scores.data(), threads, ask_python), 0;
    });
    return handed_over(std::move(scores));
  });
}

nb::object core_numbers_of(ConstArray indptr, ConstArray indices) {
  return with_widths(indptr, indices, [&](auto index, auto offset) -> nb::object {
    const auto csr = square<decltype(index), decltype(offset)>(indptr, indices);
    Recycled<std::int32_t> cores(csr.rows);
    without_gil([&] { return core_numbers(csr, cores.data(), ask_python), 0; });
    return handed_over(std::move(cores));
  });
}

}  // namespace

void bind_algorithms(nb::module_& m) {
  using namespace nb::literals;
  m.def("components", &components_of, "indptr"_a, "indices"_a, "threads"_a = 0);
  m.def("components", &components_both_ways, "graph"_a, "threads"_a = 0);
  m.def("triangles", &triangles_of, "indptr"_a, "indices"_a, "corners"_a = true, "threads"_a = 0);
  m.def("pagerank", &pagerank_of, "indptr"_a, "indices"_a, "out_indptr"_a, "weights"_a.none(), "out"_a.none(),
        "damping"_a, "tol"_a, "most"_a, "personalization"_a.none(), "start"_a.none(), "dangling"_a.none(), "in_place"_a,
        "normalised"_a, "threads"_a = 0);
  m.def("sssp", &sssp_of, "indptr"_a, "indices"_a, "values"_a, "sources"_a, "targets"_a.none(), "width"_a, "largest"_a,
        "cutoff"_a, "threads"_a = 0);
  m.def("betweenness", &betweenness_of, "indptr"_a, "indices"_a, "t_indptr"_a, "t_indices"_a, "sources"_a, "edges"_a,
        "threads"_a = 0);
  m.def("core_numbers", &core_numbers_of, "indptr"_a, "indices"_a);
}

}  // namespace lagbfs
