// check_edges: see verify.hpp.
#include "bindings.hpp"
#include "verify.hpp"

namespace lagbfs {
namespace {

template <class Index>
std::int64_t check_as(const ConstArray& indptr, const ConstArray& indices, const ConstArray& levels,
                      nb::handle parents, std::int32_t limit, const Array& confirmed, int threads) {
  const std::int64_t rows = std::int64_t(indptr.size()) - 1;
  if (rows < 0) throw std::invalid_argument("indptr is empty");
  ConstArray given;
  Claim<Index> claim{{data_of<const Index>(indptr, "indptr"), data_of<const Index>(indices, "indices"), rows},
                     data_of<const std::int32_t>(levels, "levels", rows),
                     nullptr,
                     limit,
                     data_of<std::uint8_t>(confirmed, "confirmed", rows)};
  if (!parents.is_none()) {
    given = nb::cast<ConstArray>(parents);
    claim.parents = data_of<const Index>(given, "parents", rows);
  }
  return without_gil([&] { return check_edges(claim, threads, ask_python); });
}

std::int64_t check_any(ConstArray indptr, ConstArray indices, ConstArray levels, nb::object parents,
                       std::int32_t limit, Array confirmed, int threads) {
  return is<std::int32_t>(indptr)
             ? check_as<std::int32_t>(indptr, indices, levels, parents, limit, confirmed, threads)
             : check_as<std::int64_t>(indptr, indices, levels, parents, limit, confirmed, threads);
}

}  // namespace

void bind_verify(nb::module_& m) {
  using namespace nb::literals;
  m.def("check_edges", &check_any, "indptr"_a, "indices"_a, "levels"_a, "parents"_a.none(), "limit"_a,
        "confirmed"_a, "threads"_a = 0);
}

}  // namespace lagbfs
