// build_csr and transpose: see build.hpp.
#include <limits>

#include "bindings.hpp"
#include "build.hpp"

namespace lagbfs {
namespace {

template <class Index>
nb::object arrays_of(Built<Index> b, std::int64_t rows) {
  nb::object positions = nb::none();
  if (b.positions) positions = to_numpy(std::move(b.positions), std::size_t(b.nnz));
  nb::object indptr = to_numpy(std::move(b.indptr), std::size_t(rows + 1));
  nb::object indices = to_numpy(std::move(b.indices), std::size_t(b.nnz));
  return nb::make_tuple(indptr, indices, positions);
}

struct BuildOptions {
  std::int64_t rows, cols;
  bool symmetrize, dedup, drop_loops, positions, wide;
  int threads;
};

template <class Index, class In>
nb::object build_as(const EdgeList<In>& edges, const BuildOptions& o) {
  return arrays_of(without_gil([&] { return build_csr<Index>(edges, o.dedup, o.positions, o.threads, ask_python); }),
                   o.rows);
}

template <class In>
nb::object build_from(const ConstArray& src, const ConstArray& dst, const BuildOptions& o) {
  const std::int64_t size = std::int64_t(src.size());
  const EdgeList<In> edges{data_of<const In>(src, "src"),
                           data_of<const In>(dst, "dst", size),
                           size,
                           o.rows,
                           o.cols,
                           o.symmetrize,
                           o.drop_loops};
  constexpr std::int64_t limit = std::numeric_limits<std::int32_t>::max();
  const bool fits = o.rows < limit && o.cols < limit && size < (o.symmetrize ? limit / 2 : limit);
  return fits && !o.wide ? build_as<std::int32_t>(edges, o) : build_as<std::int64_t>(edges, o);
}

nb::object build(ConstArray src, ConstArray dst, std::int64_t rows, std::int64_t cols, bool symmetrize, bool dedup,
                 bool drop_loops, bool positions, bool wide, int threads) {
  if (rows < 0 || cols < 0) throw std::invalid_argument("the shape is negative");
  const BuildOptions o{rows, cols, symmetrize, dedup, drop_loops, positions, wide, threads};
  return is<std::int32_t>(src) ? build_from<std::int32_t>(src, dst, o) : build_from<std::int64_t>(src, dst, o);
}

template <class Index>
nb::object transpose_as(const ConstArray& indptr, const ConstArray& indices, std::int64_t cols, bool positions,
                        int threads) {
  const Csr<Index> csr{data_of<const Index>(indptr, "indptr"), data_of<const Index>(indices, "indices"),
                       std::int64_t(indptr.size()) - 1};
  if (csr.rows < 0 || cols < 0) throw std::invalid_argument("the shape is negative");
  return arrays_of(without_gil([&] { return transpose(csr, cols, positions, threads, ask_python); }), cols);
}

nb::object transpose_any(ConstArray indptr, ConstArray indices, std::int64_t cols, bool positions, int threads) {
  return is<std::int32_t>(indptr) ? transpose_as<std::int32_t>(indptr, indices, cols, positions, threads)
                                  : transpose_as<std::int64_t>(indptr, indices, cols, positions, threads);
}

}  // namespace

void bind_build(nb::module_& m) {
  using namespace nb::literals;
  m.def("build_csr", &build, "src"_a, "dst"_a, "nrows"_a, "ncols"_a, "symmetrize"_a = false, "dedup"_a = true,
        "drop_loops"_a = false, "positions"_a = false, "wide"_a = false, "threads"_a = 0);
  m.def("transpose", &transpose_any, "indptr"_a, "indices"_a, "ncols"_a, "positions"_a = false, "threads"_a = 0);
}

}  // namespace lagbfs
