// build_csr, transpose (build.hpp) and is_symmetric (symmetry.hpp).
#include <limits>

#include "bindings.hpp"
#include "build.hpp"
#include "symmetry.hpp"

namespace lagbfs {
namespace {

template <class Index, class Offset>
nb::object arrays_of(Built<Index, Offset> b, std::int64_t rows) {
  nb::object positions = nb::none();
  if (b.positions) positions = to_numpy(std::move(b.positions), std::size_t(b.nnz));
  nb::object indptr = to_numpy(std::move(b.indptr), std::size_t(rows + 1));
  nb::object indices = to_numpy(std::move(b.indices), std::size_t(b.nnz));
  return nb::make_tuple(indptr, indices, positions);
}

struct BuildOptions {
  std::int64_t rows, cols;
  bool symmetrize, dedup, drop_loops, positions, wide_offsets;
  int threads;
};

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
  constexpr std::int64_t most = std::numeric_limits<std::int32_t>::max();
  const bool wide_offsets = o.wide_offsets || size > (o.symmetrize ? most / 2 : most);
  return with_widths(o.rows > most || o.cols > most, wide_offsets, [&](auto index, auto offset) {
    using Index = decltype(index);
    using Offset = decltype(offset);
    const auto build = [&] { return build_csr<Index, Offset>(edges, o.dedup, o.positions, o.threads, ask_python); };
    return arrays_of(without_gil(build), o.rows);
  });
}

nb::object build(ConstArray src, ConstArray dst, std::int64_t rows, std::int64_t cols, bool symmetrize, bool dedup,
                 bool drop_loops, bool positions, bool wide_offsets, int threads) {
  if (rows < 0 || cols < 0) throw std::invalid_argument("the shape is negative");
  const BuildOptions o{rows, cols, symmetrize, dedup, drop_loops, positions, wide_offsets, threads};
  return is<std::int32_t>(src) ? build_from<std::int32_t>(src, dst, o) : build_from<std::int64_t>(src, dst, o);
}

nb::object transpose_any(ConstArray indptr, ConstArray indices, std::int64_t cols, bool positions, int threads) {
  if (cols < 0) throw std::invalid_argument("the shape is negative");
  return with_widths(indptr, indices, [&](auto index, auto offset) {
    const auto csr = csr_of<decltype(index), decltype(offset)>(indptr, indices);
    return arrays_of(without_gil([&] { return transpose(csr, cols, positions, threads, ask_python); }), cols);
  });
}

bool symmetric_any(ConstArray indptr, ConstArray indices, int threads) {
  return with_widths(indptr, indices, [&](auto index, auto offset) {
    const auto csr = csr_of<decltype(index), decltype(offset)>(indptr, indices);
    return without_gil([&] { return is_symmetric(csr, threads, ask_python); });
  });
}

}  // namespace

void bind_build(nb::module_& m) {
  using namespace nb::literals;
  m.def("build_csr", &build, "src"_a, "dst"_a, "nrows"_a, "ncols"_a, "symmetrize"_a = false, "dedup"_a = true,
        "drop_loops"_a = false, "positions"_a = false, "wide_offsets"_a = false, "threads"_a = 0);
  m.def("is_symmetric", &symmetric_any, "indptr"_a, "indices"_a, "threads"_a = 0);
  m.def("transpose", &transpose_any, "indptr"_a, "indices"_a, "ncols"_a, "positions"_a = false, "threads"_a = 0);
}

}  // namespace lagbfs
