// check_edges and check_list: see verify.hpp. inspect_rows: see inspect.hpp. depths: see depth.hpp.
#include <nanobind/stl/vector.h>

#include "bindings.hpp"
#include "depth.hpp"
#include "inspect.hpp"
#include "verify.hpp"

namespace lagbfs {
namespace {

template <class Index, class Offset>
std::int64_t check_as(const ConstArray& indptr, const ConstArray& indices, const ConstArray& levels, nb::handle parents,
                      std::int32_t limit, const Array& confirmed, std::int64_t first, int threads) {
  const auto csr = csr_of<Index, Offset>(indptr, indices);
  const auto* const known = data_of<const std::int32_t>(levels, "levels", csr.rows);
  const std::int64_t columns = std::int64_t(confirmed.size());
  if (first < 0 || columns > csr.rows - first) throw std::invalid_argument("first or confirmed out of range");
  ConstArray given;
  auto* const marks = data_of<std::uint8_t>(confirmed, "confirmed", columns);
  Claim<Index, Offset> claim{csr, known, nullptr, limit, marks, known + first, columns};
  if (!parents.is_none()) {
    given = nb::cast<ConstArray>(parents);
    claim.parents = data_of<const Index>(given, "parents", columns);
  }
  return without_gil([&] { return check_edges(claim, threads, ask_python); });
}

std::int64_t check_any(ConstArray indptr, ConstArray indices, ConstArray levels, nb::object parents, std::int32_t limit,
                       Array confirmed, std::int64_t first, int threads) {
  return with_widths(indptr, indices, [&](auto index, auto offset) {
    return check_as<decltype(index), decltype(offset)>(indptr, indices, levels, parents, limit, confirmed, first,
                                                       threads);
  });
}

template <class Index, class Offset>
std::int64_t list_as(const ConstArray& indptr, const ConstArray& indices, const ConstArray& src, const ConstArray& dst,
                     const Array& seen, int threads) {
  const auto csr = csr_of<Index, Offset>(indptr, indices);
  const std::int64_t size = std::int64_t(src.size());
  const Index* const from = data_of<const Index>(src, "src");
  const Index* const to = data_of<const Index>(dst, "dst", size);
  std::uint8_t* const marks = data_of<std::uint8_t>(seen, "seen", std::int64_t(indices.size()));
  return without_gil([&] { return check_list(csr, from, to, size, marks, threads, ask_python); });
}

std::int64_t list_any(ConstArray indptr, ConstArray indices, ConstArray src, ConstArray dst, Array seen, int threads) {
  return with_widths(indptr, indices, [&](auto index, auto offset) {
    return list_as<decltype(index), decltype(offset)>(indptr, indices, src, dst, seen, threads);
  });
}

template <class Index>
nb::object depths_as(const ConstArray& parents, int threads) {
  const std::int64_t n = std::int64_t(parents.size());
  const Index* const data = data_of<const Index>(parents, "parents");
  Depths d = without_gil([&] { return depths_of(data, n, threads, ask_python); });
  return nb::make_tuple(to_numpy(std::move(d.depths), std::size_t(n)), d.astray);
}

nb::object depths_any(ConstArray parents, int threads) {
  return is<std::int32_t>(parents) ? depths_as<std::int32_t>(parents, threads)
                                   : depths_as<std::int64_t>(parents, threads);
}

// An Inspected as a tuple. Values are given as unsigned integers as wide as they are.
template <class Index, class Offset>
Inspected inspect_as(const ConstArray& indptr, const ConstArray& indices, std::int64_t ncols, nb::handle values,
                     const Keys& keys, int threads) {
  const auto csr = csr_of<Index, Offset>(indptr, indices);
  const std::int64_t entries = std::int64_t(indices.size());
  ConstArray held;
  if (!values.is_none()) held = nb::cast<ConstArray>(values);
  return without_gil([&] {
    Lease lease(threads);
    Signals signals(ask_python);
    const auto by = [&](auto zero) {
      using T = decltype(zero);
      const T* const bits = data_of<const T>(held, "values", entries);
      return inspect(
          csr, entries, ncols, keys, lease, signals, [](std::int64_t v) { return v; },
          [&](std::int64_t e) { return std::uint64_t(bits[e]); });
    };
    if (values.is_none()) return inspect_pattern(csr, entries, ncols, keys, lease, signals);
    if (is<std::uint8_t>(held)) return by(std::uint8_t{});
    if (is<std::uint16_t>(held)) return by(std::uint16_t{});
    return is<std::uint32_t>(held) ? by(std::uint32_t{}) : by(std::uint64_t{});
  });
}

nb::object inspect_any(ConstArray indptr, ConstArray indices, std::int64_t ncols, nb::object values,
                       const std::vector<std::uint64_t>& keys, int threads) {
  if (keys.size() != 3) throw std::invalid_argument("keys: expected three");
  const Inspected seen = with_widths(indptr, indices, [&](auto index, auto offset) {
    return inspect_as<decltype(index), decltype(offset)>(indptr, indices, ncols, values, {keys[0], keys[1], keys[2]},
                                                         threads);
  });
  return nb::make_tuple(seen.wrong, seen.print, seen.turned);
}

}  // namespace

void bind_verify(nb::module_& m) {
  using namespace nb::literals;
  m.def("check_edges", &check_any, "indptr"_a, "indices"_a, "levels"_a, "parents"_a.none(), "limit"_a, "confirmed"_a,
        "first"_a = 0, "threads"_a = 0);
  m.def("inspect_rows", &inspect_any, "indptr"_a, "indices"_a, "ncols"_a, "values"_a.none(), "keys"_a, "threads"_a = 0);
  m.def("depths", &depths_any, "parents"_a, "threads"_a = 0);
  m.def("check_list", &list_any, "indptr"_a, "indices"_a, "src"_a, "dst"_a, "seen"_a, "threads"_a = 0);
}

}  // namespace lagbfs
