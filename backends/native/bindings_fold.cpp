// choose_band, choose_flagged (choose.hpp), fold_groups and fold_columns (fold.hpp).
#include "bindings_bytes.hpp"
#include "choose.hpp"
#include "fold.hpp"

namespace lagbfs {
namespace {

template <class Index>
nb::object arrays_of(Chosen<Index> c, int width) {
  const std::size_t rows = c.indptr.size(), size = c.indices.size();
  nb::object indptr = to_numpy(std::move(c.indptr), rows), indices = to_numpy(std::move(c.indices), size);
  nb::object values = width ? bytes_to_numpy(std::move(c.values), size, width) : nb::none();
  return nb::make_tuple(indptr, indices, values);
}

nb::object band_any(ConstArray indptr, ConstArray indices, nb::object values, std::int64_t slope, std::int64_t low,
                    std::int64_t high, int threads) {
  const Bytes bytes = bytes_of(values, std::int64_t(indices.size()), "values");
  return with_widths(indptr, indices, [&](auto index, auto offset) {
    using Index = decltype(index);
    using Offset = decltype(offset);
    const Entries<Index, Offset> entries{csr_of<Index, Offset>(indptr, indices), bytes.data, bytes.width};
    const Band band{slope, low, high};
    return arrays_of(without_gil([&] { return choose_band(entries, band, threads, ask_python); }), bytes.width);
  });
}

nb::object flagged_any(ConstArray indptr, ConstArray indices, nb::object values, ConstArray flags, int threads) {
  const Bytes bytes = bytes_of(values, std::int64_t(indices.size()), "values");
  const bool* const own = data_of<const bool>(flags, "flags", std::int64_t(indices.size()));
  const auto* const bits = static_cast<const std::uint8_t*>(static_cast<const void*>(own));
  return with_widths(indptr, indices, [&](auto index, auto offset) {
    using Index = decltype(index);
    using Offset = decltype(offset);
    const Entries<Index, Offset> entries{csr_of<Index, Offset>(indptr, indices), bytes.data, bytes.width};
    return arrays_of(without_gil([&] { return choose_flagged(entries, bits, threads, ask_python); }), bytes.width);
  });
}

[[noreturn]] void refuse_operator() { throw std::invalid_argument("op: no such operator over this dtype"); }

nb::object groups_any(const std::string& op, nb::object values, ConstArray starts, int threads) {
  const std::int64_t groups = std::int64_t(starts.size()) - 1, size = std::int64_t(nb::len(values));
  const Bytes bytes = bytes_of(values, size, "values");
  if (groups < 0) throw std::invalid_argument("starts: unexpected length");
  nb::object folded;
  const bool known = with_monoid(op, bytes.dtype, [&](auto f, auto zero) {
    using T = decltype(zero);
    Recycled<char> out(std::size_t(groups) * sizeof(T));
    T* const to = static_cast<T*>(static_cast<void*>(out.data()));
    const auto run = [&](auto offset) {
      using Offset = decltype(offset);
      const Offset* const begin = data_of<const Offset>(starts, "starts");
      if (begin[0] < 0 || std::int64_t(begin[groups]) > size) throw std::invalid_argument("starts: out of range");
      without_gil([&] {
        Lease lease(threads);
        Signals signals(ask_python);
        fold_groups<decltype(f)>(static_cast<const T*>(bytes.data), begin, groups, to, lease, signals);
      });
    };
    is<std::int32_t>(starts) ? run(std::int32_t{}) : run(std::int64_t{});
    folded = bytes_to_numpy(std::move(out), std::size_t(groups), sizeof(T));
  });
  if (!known) refuse_operator();
  return folded;
}

nb::object columns_any(const std::string& op, ConstArray indptr, ConstArray indices, nb::object values,
                       std::int64_t cols, std::int64_t blocks, int threads) {
  const Bytes bytes = bytes_of(values, std::int64_t(indices.size()), "values");
  if (cols < 0 || blocks < 1) throw std::invalid_argument("the shape is negative");
  nb::object result;
  const bool known = with_monoid(op, bytes.dtype, [&](auto f, auto zero) {
    using T = decltype(zero);
    with_widths(indptr, indices, [&](auto index, auto offset) {
      const auto csr = csr_of<decltype(index), decltype(offset)>(indptr, indices);
      auto folded = without_gil([&] {
        Lease lease(threads);
        Signals signals(ask_python);
        return fold_columns<decltype(f)>(csr, static_cast<const T*>(bytes.data), cols, blocks, lease, signals);
      });
      nb::object present = to_numpy(std::move(folded.present), std::size_t(cols));
      result = nb::make_tuple(present, to_numpy(std::move(folded.values), std::size_t(cols)));
      return 0;
    });
  });
  if (!known) refuse_operator();
  return result;
}

}  // namespace

void bind_fold(nb::module_& m) {
  using namespace nb::literals;
  m.def("choose_band", &band_any, "indptr"_a, "indices"_a, "values"_a.none(), "slope"_a, "low"_a, "high"_a,
        "threads"_a = 0);
  m.def("choose_flagged", &flagged_any, "indptr"_a, "indices"_a, "values"_a.none(), "flags"_a, "threads"_a = 0);
  m.def("fold_groups", &groups_any, "op"_a, "values"_a, "starts"_a, "threads"_a = 0);
  m.def("fold_columns", &columns_any, "op"_a, "indptr"_a, "indices"_a, "values"_a, "ncols"_a, "blocks"_a,
        "threads"_a = 0);
}

}  // namespace lagbfs
