// Masked products over every pair of operators and dtype, pushed and pulled,
// dense and sparse, against the definition.
//
// The plain code computes a term and a sum by the names of the operators:
// integers in 128 bits, cut to their width.
#include "product.hpp"

#include <cmath>

#include "input.hpp"

template <class T>
bool truth(T v) {
  return v != 0;
}
template <>
bool truth(Bool v) {
  return v.value != 0;
}

// The same value where S can hold it, else cut to its width; of Bool whether it
// is not 0.
template <class S, class T>
S as(T v) {
  if constexpr (std::is_same_v<S, T>) return v;
  else if constexpr (kIsBool<S>) return Bool{truth(v)};
  else if constexpr (kIsBool<T>) return S(v.value);
  else return S(v);
}

// a op b, exactly, and then as T.
template <class T, class F>
T arithmetic(T a, T b, F&& f) {
  if constexpr (std::is_floating_point_v<T>) return f(a, b);
  else if constexpr (kIsBool<T>) return a;
  else return T(f((unsigned __int128)(a), (unsigned __int128)(b)));
}

template <class T>
T smaller(T a, T b, bool largest) {
  if constexpr (kIsBool<T>) {
    return Bool{std::uint8_t(largest ? truth(a) || truth(b) : truth(a) && truth(b))};
  } else {
    if (a != a) return b;
    if (b != b) return a;
    return largest ? std::max(a, b) : std::min(a, b);
  }
}

template <class S, class T>
S plain_term(const std::string& op, T x, T a, std::int64_t k) {
  const auto compared = [&](bool less, bool equal, bool greater) {
    if constexpr (kIsBool<T>) {
      return (less && x.value < a.value) || (equal && x.value == a.value) || (greater && x.value > a.value);
    } else {
      return (less && x < a) || (equal && x == a) || (greater && x > a);
    }
  };
  if (op == "pair") return as<S>(std::int64_t(1));
  if (op == "secondi") return as<S>(k);
  if (op == "any" || op == "first") return as<S>(x);
  if (op == "second") return as<S>(a);
  if (op == "min") return as<S>(smaller(x, a, false));
  if (op == "max") return as<S>(smaller(x, a, true));
  if (op == "plus") return as<S>(arithmetic(x, a, [](auto u, auto v) { return u + v; }));
  if (op == "minus") return as<S>(arithmetic(x, a, [](auto u, auto v) { return u - v; }));
  if (op == "rminus") return as<S>(arithmetic(a, x, [](auto u, auto v) { return u - v; }));
  if (op == "times") return as<S>(arithmetic(x, a, [](auto u, auto v) { return u * v; }));
  if constexpr (std::is_floating_point_v<T>) {
    if (op == "truediv") return as<S>(x / a);
    if (op == "rtruediv") return as<S>(a / x);
  }
  if (op == "land") return as<S>(Bool{truth(x) && truth(a)});
  if (op == "lor") return as<S>(Bool{truth(x) || truth(a)});
  if (op == "eq") return as<S>(Bool{compared(false, true, false)});
  if (op == "ne") return as<S>(Bool{!compared(false, true, false)});
  if (op == "lt") return as<S>(Bool{compared(true, false, false)});
  if (op == "le") return as<S>(Bool{compared(true, true, false)});
  if (op == "gt") return as<S>(Bool{compared(false, false, true)});
  CHECK(op == "ge");
  return as<S>(Bool{compared(false, true, true)});
}

template <class S>
S plain_sum(const std::string& add, const std::vector<S>& terms) {
  S sum = terms[0];
  for (std::size_t i = 1; i < terms.size(); ++i) {
    if (add == "plus") sum = arithmetic(sum, terms[i], [](auto u, auto v) { return u + v; });
    if (add == "times") sum = arithmetic(sum, terms[i], [](auto u, auto v) { return u * v; });
    if (add == "min" || add == "land") sum = smaller(sum, terms[i], false);
    if (add == "max" || add == "lor") sum = smaller(sum, terms[i], true);
  }
  return sum;
}

template <class S>
bool same(S a, S b) {
  if constexpr (kIsBool<S>) return a.value == b.value;
  else return a == b || (a != a && b != b);
}

// `any` is any of the terms.
template <class S>
bool agrees(const std::string& add, S found, const std::vector<S>& terms) {
  if (add != "any") return same(found, plain_sum(add, terms));
  return std::any_of(terms.begin(), terms.end(), [&](S term) { return same(term, found); });
}

// Mostly small; else any bits, NaN and infinities among them.
template <class T>
T value_of(Input& input) {
  if constexpr (kIsBool<T>) return Bool{std::uint8_t(input.below(2))};
  else {
    const std::int64_t small = input.below(256);
    return small < 200 ? T(small - 100) : input.bits<T>();
  }
}

template <class T>
std::vector<T> values_of(Input& input, std::int64_t size) {
  const std::int64_t period = 1 + input.below(16);
  std::vector<T> values(size);
  for (std::int64_t i = 0; i < size; ++i) values[i] = i < period ? value_of<T>(input) : values[i - period];
  return values;
}

// A byte a vertex; all of them, or those that a pattern of eight has.
static std::vector<std::uint8_t> some_of(Input& input, std::int64_t size) {
  const std::int64_t pattern = input.below(256);
  std::vector<std::uint8_t> present(size);
  for (std::int64_t i = 0; i < size; ++i) present[i] = std::uint8_t(pattern >> (i % 8) & 1);
  return present;
}

template <class Index, class Offset, class T>
struct Case {
  Case(Input& input, bool push) : rows(1 + input.below(200)), cols(1 + input.below(200)) {
    const std::int64_t summed = push ? rows : cols, results = push ? cols : rows;
    const bool iso = input.flag(), masked = input.flag(), complement = input.flag(), full = input.flag();
    present = full ? std::vector<std::uint8_t>(summed, 1) : some_of(input, summed);
    mask = some_of(input, results), x = values_of<T>(input, summed),
    entries = values_of<T>(input, iso ? 1 : rows * cols);
    edges = edges_of(input, rows, cols), matrix = matrix_of<Index, Offset>(edges, rows, cols);
    for (std::int64_t k = 0; k < summed; ++k)
      if (present[k]) x_indices.push_back(k), x_values.push_back(x[k]);
    problem = {matrix.csr(), cols, {entries.data(), !iso}, {}, {masked ? mask.data() : nullptr, complement}};
    if (push) problem.x = {x_indices.data(), std::int64_t(x_indices.size()), nullptr, {x_values.data(), 1}};
    else problem.x = {nullptr, 0, full ? nullptr : present.data(), {x.data(), 1}};
  }

  // By result, its terms in ascending k.
  template <class S>
  std::vector<std::vector<S>> terms(const std::string& multiply, bool push) const {
    std::vector<std::vector<S>> terms(push ? cols : rows);
    std::int64_t e = 0;
    for (const auto& [r, c] : edges) {
      const std::int64_t k = push ? r : c, i = push ? c : r;
      const T a = problem.entries[e++];
      if (present[k] && problem.mask.allows(i)) terms[i].push_back(plain_term<S>(multiply, x[k], a, k));
    }
    return terms;
  }

  std::int64_t rows, cols;
  std::vector<std::uint8_t> present, mask;
  std::vector<T> x, x_values, entries;
  std::vector<std::int64_t> x_indices;
  Edges edges;
  Matrix<Index, Offset> matrix;
  Problem<Index, Offset, T> problem;
};

template <class Index, class Offset, class T>
void check(Input& input) {
  const Monoid& add = kMonoids[input.below(std::size(kMonoids))];
  const Binary& multiply = kBinary[input.below(std::size(kBinary))];
  const Semiring semiring = semiring_of(add.name, multiply.name);
  if (!exists_over<T>(semiring)) return;
  const bool push = input.flag(), sparse = input.flag();
  const int threads = threads_of(input);
  const Case<Index, Offset, T> c(input, push);
  with_sum<T>(semiring, [&](auto zero) {
    using S = decltype(zero);
    const auto terms = c.template terms<S>(multiply.name, push);
    const auto y = product<S>(semiring, c.problem, push, sparse ? c.rows + c.cols : -1, threads);
    std::int64_t at = 0;
    for (std::int64_t i = 0; i < std::int64_t(terms.size()); ++i) {
      if (!sparse) CHECK(bool(y.dense.present[i]) == !terms[i].empty());
      if (terms[i].empty()) continue;
      if (sparse) CHECK(at < y.sparse.size && y.sparse.indices[at] == i);
      CHECK(agrees(add.name, sparse ? y.sparse.values[at++] : y.dense.values[i], terms[i]));
    }
    if (sparse) CHECK(at == y.sparse.size);
  });
}

// Each type with one pair of widths: all of them would take minutes to compile.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  Input input(data, size);
  switch (input.below(5)) {
    case 0:
      return check<std::int64_t, std::int64_t, std::int64_t>(input), 0;
    case 1:
      return check<std::int32_t, std::int32_t, std::int32_t>(input), 0;
    case 2:
      return check<std::int64_t, std::int64_t, float>(input), 0;
    case 3:
      return check<std::int32_t, std::int64_t, double>(input), 0;
    default:
      return check<std::int32_t, std::int64_t, Bool>(input), 0;
  }
}
