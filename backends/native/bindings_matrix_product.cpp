// matrix_product: see matrix_product.hpp.
#include "bindings_values.hpp"
#include "matrix_product.hpp"

namespace lagbfs {
namespace {

template <class Index>
Csr<Index> csr_of(const ConstArray& indptr, const ConstArray& indices, const char* name) {
  Csr<Index> csr{data_of<const Index>(indptr, name), data_of<const Index>(indices, name),
                 std::int64_t(indptr.size()) - 1};
  if (csr.rows < 0 || csr.edges() != std::int64_t(indices.size()))
    throw std::invalid_argument(std::string(name) + ": unexpected length");
  return csr;
}

// Arguments as Python gives them.
struct Given {
  ConstArray a_indptr, a_indices, b_indptr, b_indices;
  nb::object a_values, b_values, mask_indptr, mask_indices;
  std::int64_t inner, cols;
  bool complement, push;
  std::int64_t room;
  int threads;
  Semiring semiring;
};

template <class Index, class T>
MatrixProblem<Index, T> problem_of(const Given& g) {
  MatrixProblem<Index, T> p;
  p.a = csr_of<Index>(g.a_indptr, g.a_indices, "a"), p.b = csr_of<Index>(g.b_indptr, g.b_indices, "b");
  p.inner = g.inner, p.cols = g.cols, p.complement = g.complement;
  if (p.b.rows != (g.push ? p.inner : p.cols)) throw std::invalid_argument("b: unexpected number of rows");
  p.a_values = values_of<T>(g.a_values, p.a.edges(), g.semiring.reads_x, "a_values");
  p.b_values = values_of<T>(g.b_values, p.b.edges(), g.semiring.reads_a, "b_values");
  if (!g.mask_indptr.is_none()) {
    p.mask = csr_of<Index>(nb::cast<ConstArray>(g.mask_indptr), nb::cast<ConstArray>(g.mask_indices), "mask");
    if (p.mask.rows != p.a.rows) throw std::invalid_argument("mask: unexpected number of rows");
  }
  if (!g.push && !p.masked()) throw std::invalid_argument("push: a pull needs a mask that is not complemented");
  return p;
}

template <class Index, class T>
nb::object run(const Given& g) {
  const auto p = problem_of<Index, T>(g);
  return with_sum<T>(g.semiring, [&](auto zero) -> nb::object {
    using S = decltype(zero);
    MatrixResult<Index, S> c;
    try {
      c = without_gil([&] { return matrix_product<S>(g.semiring, p, g.push, g.threads, ask_python, g.room); });
    } catch (const TooLarge& refused) {
      return nb::int_(refused.bytes);
    }
    const std::size_t rows = c.indptr.size(), size = c.indices.size();
    nb::object indptr = to_numpy(std::move(c.indptr), rows), indices = to_numpy(std::move(c.indices), size);
    return nb::make_tuple(indptr, indices, to_numpy<S, typename Storage<S>::type>(std::move(c.values), size));
  });
}

}  // namespace

void bind_matrix_product(nb::module_& m) {
  using namespace nb::literals;
  m.def(
      "matrix_product",
      [](const char* add, const char* multiply, const char* dtype, bool push, ConstArray a_indptr, ConstArray a_indices,
         nb::object a_values, ConstArray b_indptr, ConstArray b_indices, nb::object b_values, std::int64_t inner,
         std::int64_t cols, nb::object mask_indptr, nb::object mask_indices, bool complement, std::int64_t room,
         int threads) {
        if (inner < 0 || cols < 0) throw std::invalid_argument("inner, cols: negative");
        const Given g{a_indptr,   a_indices,   b_indptr,     b_indices, a_values,
                      b_values,   mask_indptr, mask_indices, inner,     cols,
                      complement, push,        room,         threads,   semiring_of(add, multiply)};
        return with_value(dtype, g.semiring, [&](auto value) {
          using T = decltype(value);
          return is<std::int32_t>(g.a_indptr) ? run<std::int32_t, T>(g) : run<std::int64_t, T>(g);
        });
      },
      "add"_a, "multiply"_a, "dtype"_a, "push"_a, "a_indptr"_a, "a_indices"_a, "a_values"_a.none(), "b_indptr"_a,
      "b_indices"_a, "b_values"_a.none(), "inner"_a, "cols"_a, "mask_indptr"_a = nb::none(),
      "mask_indices"_a = nb::none(), "complement"_a = false, "room"_a = std::numeric_limits<std::int64_t>::max(),
      "threads"_a = 0);
}

}  // namespace lagbfs
