// build_csr, transpose (build.hpp) and is_symmetric (symmetry.hpp).
#include <limits>

#include "bindings.hpp"
#include "bindings_bytes.hpp"
#include "build.hpp"
#include "symmetry.hpp"
#include "turn.hpp"

namespace lagbfs {
namespace {

template <class Index, class Offset>
nb::object arrays_of(Built<Index, Offset> b, std::int64_t rows, int width) {
  nb::object values = width ? bytes_to_numpy(std::move(b.values), std::size_t(b.nnz), width) : nb::none();
  nb::object indptr = to_numpy(std::move(b.indptr), std::size_t(rows + 1));
  nb::object indices = to_numpy(std::move(b.indices), std::size_t(b.nnz));
  return nb::make_tuple(indptr, indices, values);
}

struct BuildOptions {
  std::int64_t rows, cols;
  bool symmetrize, dedup, drop_loops, wide_offsets;
  int threads;
};

template <class In>
nb::object build_from(const ConstArray& src, const ConstArray& dst, const Carried& carried, const BuildOptions& o) {
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
    const auto build = [&] { return build_csr<Index, Offset>(edges, o.dedup, carried, o.threads, ask_python); };
    return arrays_of(without_gil(build), o.rows, carried.width);
  });
}

nb::object build(ConstArray src, ConstArray dst, std::int64_t rows, std::int64_t cols, nb::object values,
                 const std::string& fold, bool symmetrize, bool dedup, bool drop_loops, bool wide_offsets,
                 int threads) {
  if (rows < 0 || cols < 0) throw std::invalid_argument("the shape is negative");
  const Bytes bytes = bytes_of(values, std::int64_t(src.size()), "values");
  const Carried carried{bytes.data, bytes.width, fold.empty() ? nullptr : fold_run_by(fold, bytes.dtype)};
  if (!fold.empty() && !carried.fold) throw std::invalid_argument("fold: no such operator over this dtype");
  const BuildOptions o{rows, cols, symmetrize, dedup, drop_loops, wide_offsets, threads};
  return is<std::int32_t>(src) ? build_from<std::int32_t>(src, dst, carried, o)
                               : build_from<std::int64_t>(src, dst, carried, o);
}

nb::object transpose_any(ConstArray indptr, ConstArray indices, std::int64_t cols, nb::object values, int threads) {
  if (cols < 0) throw std::invalid_argument("the shape is negative");
  const Bytes bytes = bytes_of(values, std::int64_t(indices.size()), "values");
  return with_widths(indptr, indices, [&](auto index, auto offset) {
    const auto csr = csr_of<decltype(index), decltype(offset)>(indptr, indices);
    const auto turn = [&] { return transpose(csr, cols, bytes.data, bytes.width, threads, ask_python); };
    return arrays_of(without_gil(turn), cols, bytes.width);
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
  m.def("build_csr", &build, "src"_a, "dst"_a, "nrows"_a, "ncols"_a, "values"_a = nb::none(), "fold"_a = "",
        "symmetrize"_a = false, "dedup"_a = true, "drop_loops"_a = false, "wide_offsets"_a = false, "threads"_a = 0);
  m.def("is_symmetric", &symmetric_any, "indptr"_a, "indices"_a, "threads"_a = 0);
  m.def("transpose", &transpose_any, "indptr"_a, "indices"_a, "ncols"_a, "values"_a = nb::none(), "threads"_a = 0);
}

}  // namespace lagbfs
