// product: see product.hpp.
#include "bindings_values.hpp"

namespace lagbfs {
namespace {

// Arguments as Python gives them.
struct Given {
  ConstArray indptr, indices;
  std::int64_t cols;
  nb::object entries, x_indices, x_present, x_values, mask;
  bool complement, push, sparse;
  int threads;
  Semiring semiring;
};

const std::uint8_t* bytes_of(const nb::object& given, std::int64_t size, const char* name) {
  if (given.is_none()) return nullptr;
  const auto array = nb::cast<ConstArray>(given);
  if (array.dtype().bits != 8 || std::int64_t(array.size()) != size)
    throw std::invalid_argument(std::string(name) + ": expected a byte per element");
  return static_cast<const std::uint8_t*>(array.data());
}

template <class Index, class Offset, class T>
Problem<Index, Offset, T> problem_of(const Given& g) {
  Problem<Index, Offset, T> p;
  p.matrix = csr_of<Index, Offset>(g.indptr, g.indices);
  p.cols = g.cols;
  const std::int64_t summed = g.push ? p.matrix.rows : p.cols;
  if (g.push) {
    if (g.x_indices.is_none()) throw std::invalid_argument("x_indices: push needs them");
    const auto array = nb::cast<ConstArray>(g.x_indices);
    p.x.size = std::int64_t(array.size());
    p.x.indices = data_of<const Index>(array, "x_indices");
    for (std::int64_t i = 0; i < p.x.size; ++i)
      if (p.x.indices[i] < 0 || p.x.indices[i] >= summed) throw std::invalid_argument("x_indices: out of range");
  }
  p.x.present = g.push ? nullptr : bytes_of(g.x_present, summed, "x_present");
  p.x.values = values_of<T>(g.x_values, g.push ? p.x.size : summed, g.semiring.reads_x, "x_values");
  p.entries = values_of<T>(g.entries, p.matrix.edges(), g.semiring.reads_a, "values");
  p.mask = {bytes_of(g.mask, g.push ? p.cols : p.matrix.rows, "mask"), g.complement};
  return p;
}

template <class Index, class S>
nb::object to_python(Product<Index, S> y, bool sparse) {
  if (sparse) {
    const std::size_t size = std::size_t(y.sparse.size);
    nb::object indices = to_numpy(std::move(y.sparse.indices), size);
    return nb::make_tuple(indices, values_to_numpy(std::move(y.sparse.values), size));
  }
  const std::size_t size = y.dense.present.size();
  bool* bytes = static_cast<bool*>(static_cast<void*>(y.dense.present.data()));
  nb::capsule owner(bytes, [](void* q) noexcept { std::free(q); });
  y.dense.present.release().release();
  nb::object present = to_numpy(bytes, size, owner);
  return nb::make_tuple(present, values_to_numpy(std::move(y.dense.values), size));
}

template <class Index, class Offset, class T>
nb::object run(const Given& g) {
  const auto p = problem_of<Index, Offset, T>(g);
  return with_sum<T>(g.semiring, [&](auto zero) {
    using S = decltype(zero);
    auto y = without_gil([&] { return product<S>(g.semiring, p, g.push, g.sparse, g.threads, ask_python); });
    return to_python(std::move(y), g.sparse);
  });
}

}  // namespace

void bind_product(nb::module_& m) {
  using namespace nb::literals;
  nb::list monoids;
  for (const Monoid& op : kMonoids) monoids.append(op.name);
  nb::dict binary;
  for (const Binary& op : kBinary) binary[op.name] = op.reads;
  m.attr("MONOIDS") = nb::tuple(monoids);
  m.attr("BINARY") = binary;
  m.def(
      "product",
      [](const char* add, const char* multiply, const char* dtype, bool push, ConstArray indptr, ConstArray indices,
         std::int64_t ncols, nb::object values, nb::object x_indices, nb::object x_present, nb::object x_values,
         nb::object mask, bool complement, bool sparse, int threads) {
        const Given g{indptr,
                      indices,
                      ncols,
                      values,
                      x_indices,
                      x_present,
                      x_values,
                      mask,
                      complement,
                      push,
                      sparse,
                      threads,
                      semiring_of(add, multiply)};
        if (ncols < 0) throw std::invalid_argument("ncols: negative");
        return with_widths(indptr, indices, [&](auto index, auto offset) {
          return with_value(dtype, g.semiring,
                            [&](auto value) { return run<decltype(index), decltype(offset), decltype(value)>(g); });
        });
      },
      "add"_a, "multiply"_a, "dtype"_a, "push"_a, "indptr"_a, "indices"_a, "ncols"_a, "values"_a = nb::none(),
      "x_indices"_a = nb::none(), "x_present"_a = nb::none(), "x_values"_a = nb::none(), "mask"_a = nb::none(),
      "complement"_a = false, "sparse"_a = false, "threads"_a = 0);
}

}  // namespace lagbfs
