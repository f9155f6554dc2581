// Ring, Compressed and product: see product.hpp.
#include "bindings_values.hpp"

namespace lagbfs {
namespace {

// A semiring over a dtype, found by name once and for all.
struct Ring {
  Ring(const char* add, const char* multiply, const char* dtype) : semiring(semiring_of(add, multiply)), dtype(dtype) {}
  Semiring semiring;
  std::string dtype;
};

// A matrix as products read it; whoever makes it says that it is valid.
struct Compressed {
  Compressed(ConstArray indptr, ConstArray indices, std::int64_t cols, nb::object values)
      : indptr(std::move(indptr)), indices(std::move(indices)), cols(cols), values(std::move(values)) {
    if (cols < 0) throw std::invalid_argument("ncols: negative");
  }
  ConstArray indptr, indices;
  std::int64_t cols;
  nb::object values;
};

// Arguments as Python gives them.
struct Given {
  const Ring& ring;
  const Compressed& matrix;
  bool push;
  nb::handle x_places, x_values, mask;
  bool complement;
  std::int64_t most;
  int threads;
};

const std::uint8_t* bytes_of(const ConstArray& array, std::int64_t size, const char* name) {
  if (array.dtype().bits != 8 || std::int64_t(array.size()) != size)
    throw std::invalid_argument(std::string(name) + ": expected a byte per element");
  return static_cast<const std::uint8_t*>(array.data());
}

// A list of int64 that all lie in [0, n); an empty one has an address, too.
const std::int64_t* list_of(const ConstArray& array, std::int64_t n, const char* name) {
  static const std::int64_t none = 0;
  if (array.size() == 0) return data_of<const std::int64_t>(array, name), &none;
  const auto* list = data_of<const std::int64_t>(array, name);
  for (std::size_t i = 0; i < array.size(); ++i)
    if (list[i] < 0 || list[i] >= n) throw std::invalid_argument(std::string(name) + ": out of range");
  return list;
}

template <class T>
Operand<T> operand_of(const Given& g, std::int64_t summed) {
  Operand<T> x;
  if (g.push && g.x_places.is_none()) throw std::invalid_argument("x_places: push needs them");
  if (!g.x_places.is_none()) {
    const auto array = nb::cast<ConstArray>(g.x_places);
    if (g.push) x.indices = list_of(array, summed, "x_places"), x.size = std::int64_t(array.size());
    else x.present = bytes_of(array, summed, "x_places");
  }
  x.values = values_of<T>(g.x_values, g.push ? x.size : summed, g.ring.semiring.reads_x, "x_values");
  return x;
}

Mask mask_of(const Given& g, std::int64_t n) {
  if (g.mask.is_none()) return {};
  const auto array = nb::cast<ConstArray>(g.mask);
  if (!is<std::int64_t>(array)) return {bytes_of(array, n, "mask"), g.complement};
  return {nullptr, g.complement, list_of(array, n, "mask"), std::int64_t(array.size())};
}

template <class S>
nb::object to_python(Product<S> y) {
  if (y.listed) {
    nb::object indices = values_to_numpy(std::move(y.sparse.indices), std::size_t(y.size));
    return nb::make_tuple(y.size, indices, values_to_numpy(std::move(y.sparse.values), std::size_t(y.size)));
  }
  const std::size_t n = y.dense.present.size();
  nb::object present = handed_over<bool>(std::move(y.dense.present), n);
  return nb::make_tuple(y.size, present, values_to_numpy(std::move(y.dense.values), n));
}

template <class Index, class Offset, class T>
nb::object run(const Given& g) {
  Problem<Index, Offset, T> p;
  p.matrix = csr_of<Index, Offset>(g.matrix.indptr, g.matrix.indices);
  p.cols = g.matrix.cols;
  p.entries = values_of<T>(g.matrix.values, p.matrix.edges(), g.ring.semiring.reads_a, "values");
  p.x = operand_of<T>(g, g.push ? p.matrix.rows : p.cols);
  p.mask = mask_of(g, g.push ? p.cols : p.matrix.rows);
  return with_sum<T>(g.ring.semiring, [&](auto zero) {
    using S = decltype(zero);
    return to_python(
        without_gil([&] { return product<S>(g.ring.semiring, p, g.push, g.most, g.threads, ask_python); }));
  });
}

nb::object product_any(const Ring& ring, const Compressed& matrix, bool push, nb::handle x_places, nb::handle x_values,
                       nb::handle mask, bool complement, std::int64_t most, int threads) {
  const Given g{ring, matrix, push, x_places, x_values, mask, complement, most, threads};
  return with_widths(matrix.indptr, matrix.indices, [&](auto index, auto offset) {
    return with_value(ring.dtype, ring.semiring,
                      [&](auto value) { return run<decltype(index), decltype(offset), decltype(value)>(g); });
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
  nb::class_<Ring>(m, "Ring", nb::is_final())
      .def(nb::init<const char*, const char*, const char*>(), "add"_a, "multiply"_a, "dtype"_a);
  nb::class_<Compressed>(m, "Compressed", nb::is_final())
      .def(nb::init<ConstArray, ConstArray, std::int64_t, nb::object>(), "indptr"_a, "indices"_a, "ncols"_a,
           "values"_a.none() = nb::none());
  m.def("product", &product_any, "ring"_a, "matrix"_a, "push"_a, "x_places"_a.none(), "x_values"_a.none(),
        "mask"_a.none(), "complement"_a, "most"_a, "threads"_a = 0);
}

}  // namespace lagbfs
