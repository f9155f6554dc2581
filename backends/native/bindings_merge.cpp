// unite and locate: see merge.hpp.
#include "bindings.hpp"
#include "merge.hpp"

namespace lagbfs {
namespace {

template <class Index>
struct Pair {
  Csr<Index> a, b;
};

template <class Index>
Pair<Index> pair_of(const ConstArray& a_indptr, const ConstArray& a_indices, const ConstArray& b_indptr,
                    const ConstArray& b_indices) {
  const std::int64_t rows = std::int64_t(a_indptr.size()) - 1;
  if (rows < 0) throw std::invalid_argument("indptr: unexpected length");
  Pair<Index> p{{data_of<const Index>(a_indptr, "indptr"), data_of<const Index>(a_indices, "indices"), rows},
                {data_of<const Index>(b_indptr, "other_indptr", rows + 1),
                 data_of<const Index>(b_indices, "other_indices"), rows}};
  if (p.a.edges() != std::int64_t(a_indices.size()) || p.b.edges() != std::int64_t(b_indices.size()))
    throw std::invalid_argument("indices: unexpected length");
  return p;
}

template <class Index>
nb::object unite_as(const Pair<Index>& p, int threads) {
  auto u = without_gil([&] { return unite(p.a, p.b, threads, ask_python); });
  const std::size_t rows = u.indptr.size(), size = u.indices.size();
  nb::object indptr = to_numpy(std::move(u.indptr), rows), indices = to_numpy(std::move(u.indices), size);
  nb::object at = to_numpy(std::move(u.a_at), size);
  return nb::make_tuple(indptr, indices, at, to_numpy(std::move(u.b_at), size));
}

template <class Index>
nb::object locate_as(const Pair<Index>& p, int threads) {
  auto at = without_gil([&] { return locate(p.a, p.b, threads, ask_python); });
  const std::size_t size = at.size();
  return to_numpy(std::move(at), size);
}

nb::object unite_any(ConstArray indptr, ConstArray indices, ConstArray other_indptr, ConstArray other_indices,
                     int threads) {
  return is<std::int32_t>(indptr)
             ? unite_as(pair_of<std::int32_t>(indptr, indices, other_indptr, other_indices), threads)
             : unite_as(pair_of<std::int64_t>(indptr, indices, other_indptr, other_indices), threads);
}

nb::object locate_any(ConstArray indptr, ConstArray indices, ConstArray other_indptr, ConstArray other_indices,
                      int threads) {
  return is<std::int32_t>(indptr)
             ? locate_as(pair_of<std::int32_t>(indptr, indices, other_indptr, other_indices), threads)
             : locate_as(pair_of<std::int64_t>(indptr, indices, other_indptr, other_indices), threads);
}

}  // namespace

void bind_merge(nb::module_& m) {
  using namespace nb::literals;
  m.def("unite", &unite_any, "indptr"_a, "indices"_a, "other_indptr"_a, "other_indices"_a, "threads"_a = 0);
  m.def("locate", &locate_any, "indptr"_a, "indices"_a, "other_indptr"_a, "other_indices"_a, "threads"_a = 0);
}

}  // namespace lagbfs
