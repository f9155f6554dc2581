// merge, unite and locate: see merge.hpp.
#include "bindings_bytes.hpp"
#include "merge.hpp"

namespace lagbfs {
namespace {

// Two matrices of one number of rows and of the same widths.
struct Pair {
  ConstArray indptr, indices, other_indptr, other_indices;

  // f(a, b)
  template <class F>
  nb::object with(F&& f) const {
    return with_widths(indptr, indices, [&](auto index, auto offset) -> nb::object {
      using Index = decltype(index);
      using Offset = decltype(offset);
      const std::int64_t rows = std::int64_t(indptr.size()) - 1;
      if (rows < 0) throw std::invalid_argument("indptr: unexpected length");
      const Csr<Index, Offset> a{data_of<const Offset>(indptr, "indptr"), data_of<const Index>(indices, "indices"),
                                 rows};
      const Csr<Index, Offset> b{data_of<const Offset>(other_indptr, "other_indptr", rows + 1),
                                 data_of<const Index>(other_indices, "other_indices"), rows};
      if (a.edges() != std::int64_t(indices.size()) || b.edges() != std::int64_t(other_indices.size()))
        throw std::invalid_argument("indices: unexpected length");
      return f(a, b);
    });
  }
};

nb::object merge_any(ConstArray indptr, ConstArray indices, nb::object values, ConstArray other_indptr,
                     ConstArray other_indices, nb::object other_values, const std::string& op, bool intersect,
                     int threads) {
  const Bytes x = bytes_of(values, std::int64_t(indices.size()), "values", true);
  const Bytes y = bytes_of(other_values, std::int64_t(other_indices.size()), "other_values", true);
  Combined c = x.width ? combined_by(op, x.dtype) : Combined{};
  if (x.dtype != y.dtype) throw std::invalid_argument("other_values: unexpected dtype");
  if (x.width && !c.unite) throw std::invalid_argument("op: no such operator over this dtype");
  c.a = x.data, c.b = y.data, c.a_stride = x.stride, c.b_stride = y.stride;
  return Pair{indptr, indices, other_indptr, other_indices}.with([&](const auto& a, const auto& b) {
    auto m = without_gil([&] { return merge(a, b, intersect, c, x.width, threads, ask_python); });
    const std::size_t rows = m.indptr.size(), size = m.indices.size();
    nb::object starts = to_numpy(std::move(m.indptr), rows), columns = to_numpy(std::move(m.indices), size);
    nb::object merged = x.width ? bytes_to_numpy(std::move(m.values), size, x.width) : nb::none();
    return nb::object(nb::make_tuple(starts, columns, merged));
  });
}

nb::object unite_any(ConstArray indptr, ConstArray indices, ConstArray other_indptr, ConstArray other_indices,
                     int threads) {
  return Pair{indptr, indices, other_indptr, other_indices}.with([&](const auto& a, const auto& b) {
    auto u = without_gil([&] { return unite(a, b, threads, ask_python); });
    const std::size_t rows = u.indptr.size(), size = u.indices.size();
    nb::object starts = to_numpy(std::move(u.indptr), rows), columns = to_numpy(std::move(u.indices), size);
    nb::object at = to_numpy(std::move(u.a_at), size);
    return nb::object(nb::make_tuple(starts, columns, at, to_numpy(std::move(u.b_at), size)));
  });
}

nb::object locate_any(ConstArray indptr, ConstArray indices, ConstArray other_indptr, ConstArray other_indices,
                      int threads) {
  return Pair{indptr, indices, other_indptr, other_indices}.with([&](const auto& a, const auto& b) {
    auto at = without_gil([&] { return locate(a, b, threads, ask_python); });
    const std::size_t size = at.size();
    return to_numpy(std::move(at), size);
  });
}

}  // namespace

void bind_merge(nb::module_& m) {
  using namespace nb::literals;
  bind_fold(m);
  m.def("merge", &merge_any, "indptr"_a, "indices"_a, "values"_a.none(), "other_indptr"_a, "other_indices"_a,
        "other_values"_a.none(), "op"_a, "intersect"_a, "threads"_a = 0);
  m.def("unite", &unite_any, "indptr"_a, "indices"_a, "other_indptr"_a, "other_indices"_a, "threads"_a = 0);
  m.def("locate", &locate_any, "indptr"_a, "indices"_a, "other_indptr"_a, "other_indices"_a, "threads"_a = 0);
}

}  // namespace lagbfs
