// Masked products over semirings, of every form, against sums as the definition
// has them.
#pragma once

#include <cmath>
#include <string>

#include "common.hpp"
#include "product.hpp"

struct PlainTerm {
  double x, a, k;
};

static double plain_term(const std::string& op, const PlainTerm& t) {
  const auto [x, a, k] = t;
  if (op == "plus") return x + a;
  if (op == "minus") return x - a;
  if (op == "rminus") return a - x;
  if (op == "times") return x * a;
  if (op == "truediv") return x / a;
  if (op == "rtruediv") return a / x;
  if (op == "min") return std::fmin(x, a);
  if (op == "max") return std::fmax(x, a);
  if (op == "any" || op == "first") return x;
  if (op == "second") return a;
  if (op == "pair") return 1;
  if (op == "secondi") return k;
  if (op == "land") return x != 0 && a != 0;
  if (op == "lor") return x != 0 || a != 0;
  if (op == "eq") return x == a;
  if (op == "ne") return x != a;
  if (op == "lt") return x < a;
  if (op == "le") return x <= a;
  if (op == "gt") return x > a;
  CHECK(op == "ge");
  return x >= a;
}

// The sum as the definition has it.
static double plain_sum(const std::string& add, const std::string& multiply, const std::vector<PlainTerm>& terms) {
  const bool logic = add == "lor" || add == "land";
  double sum = 0;
  for (std::size_t i = 0; i < terms.size(); ++i) {
    const double value = plain_term(multiply, terms[i]), t = logic ? value != 0 : value;
    if (i == 0) sum = t;
    else if (add == "plus") sum += t;
    else if (add == "times") sum *= t;
    else if (add == "min" || add == "land") sum = std::fmin(sum, t);
    else if (add == "max" || add == "lor") sum = std::fmax(sum, t);
  }
  return sum;
}

template <class T>
double as_double(T v) {
  return double(v);
}
template <>
double as_double(Bool v) {
  return v.value;
}
// Floats are not exact: sums tell in which order they were made.
template <class T>
T from_int(std::int64_t v) {
  return std::is_integral_v<T> ? T(v) : T(v) / 10;
}
template <>
Bool from_int(std::int64_t v) {
  return {std::uint8_t(v & 1)};
}

// Whether a sum is as wanted: integers have wrapped where a double is not
// exact.
template <class S>
bool agrees(S sum, double want) {
  const double found = as_double(sum);
  return found == want || (found != found && want != want) || (std::is_integral_v<S> && std::fabs(want) > 0x1p53);
}

template <class Index, class Offset, class T>
void test_product(Random& random, const std::string& add, const std::string& multiply) {
  const bool big = below(random, 40) == 0;
  const std::int64_t rows = big ? 2000 : 1 + below(random, 40), cols = big ? 1501 : 1 + below(random, 40);
  Edges edges;
  for (std::int64_t k = 0, size = big ? 90000 : below(random, 300); k < size; ++k)
    edges.emplace(below(random, rows), below(random, cols));
  const auto m = matrix_of<Index, Offset>(edges, rows, cols);
  const bool push = below(random, 2), iso = below(random, 3) == 0;
  std::vector<T> entries(iso ? 1 : edges.size() + 1);
  for (T& v : entries) v = from_int<T>(below(random, 9));
  const std::int64_t summed = push ? rows : cols, results = push ? cols : rows;
  std::vector<std::uint8_t> present(summed), mask(results);
  std::vector<T> x(summed), x_values;
  std::vector<std::int64_t> x_indices;
  for (auto& b : mask) b = std::uint8_t(below(random, 2));
  std::vector<std::int64_t> listed;
  listed.reserve(1);  // an empty list has an address, too
  for (std::int64_t i = 0; i < results; ++i)
    if (mask[i]) listed.push_back(i);
  for (std::int64_t k = 0; k < summed; ++k) {
    present[k] = below(random, 4) > 0, x[k] = from_int<T>(below(random, 9));
    if (present[k]) x_indices.push_back(k), x_values.push_back(x[k]);
  }
  Problem<Index, Offset, T> p{m.csr(), cols, {entries.data(), !iso}, {}, {}};
  const std::int64_t masked = below(random, 3);
  if (masked) p.mask.complement = below(random, 2);
  if (masked == 1) p.mask.bytes = mask.data();
  if (masked == 2) p.mask.list = listed.data(), p.mask.size = std::int64_t(listed.size());
  if (push) p.x = {x_indices.data(), std::int64_t(x_indices.size()), nullptr, {x_values.data(), 1}};
  else p.x = {nullptr, 0, present.data(), {x.data(), 1}};
  std::vector<std::vector<PlainTerm>> terms(results);
  std::size_t e = 0;
  for (const auto& [r, c] : edges) {
    const std::int64_t k = push ? r : c, i = push ? c : r;
    const double value = as_double(p.entries[std::int64_t(e++)]), other = as_double(x[k]);
    if (present[k] && (!masked || (mask[i] != 0) != p.mask.complement)) terms[i].push_back({other, value, double(k)});
  }
  const Semiring semiring = semiring_of(add, multiply);
  with_sum<T>(semiring, [&](auto zero) {
    using S = decltype(zero);
    const auto dense = product<S>(semiring, p, push, -1, 3).dense;
    const auto sparse = product<S>(semiring, p, push, results, 3).sparse;
    std::int64_t at = 0;
    for (std::int64_t i = 0; i < results; ++i) {
      CHECK(bool(dense.present[i]) == !terms[i].empty());
      if (terms[i].empty()) continue;
      const double want = plain_sum(add, multiply, terms[i]);
      CHECK(agrees(dense.values[i], want));
      CHECK(at < sparse.size && sparse.indices[at] == i && agrees(sparse.values[at], want));
      ++at;
    }
    CHECK(at == sparse.size);
  });
}

// The pairs compiled apart, and as many others.
template <class Index, class Offset, class T>
void test_semirings(Random& random, const std::vector<std::pair<const char*, const char*>>& apart) {
  for (const auto& [add, multiply] : apart) {
    test_product<Index, Offset, T>(random, add, multiply);
    const char* const other_add = kMonoids[below(random, std::size(kMonoids))].name;
    const char* const other_multiply = kBinary[below(random, std::size(kBinary))].name;
    if (exists_over<T>(semiring_of(other_add, other_multiply)))
      test_product<Index, Offset, T>(random, other_add, other_multiply);
  }
}

// Each type with one pair of widths: instantiating all would take minutes to
// compile.
static void test_products(Random& random) {
  test_semirings<std::int64_t, std::int64_t, std::int64_t>(random, {{"any", "pair"},
                                                                    {"plus", "pair"},
                                                                    {"any", "secondi"},
                                                                    {"min", "secondi"},
                                                                    {"plus", "times"},
                                                                    {"plus", "first"},
                                                                    {"plus", "second"},
                                                                    {"min", "plus"},
                                                                    {"min", "first"},
                                                                    {"min", "second"},
                                                                    {"max", "first"},
                                                                    {"max", "second"}});
  test_semirings<std::int32_t, std::int32_t, double>(random, {{"plus", "times"},
                                                              {"plus", "first"},
                                                              {"plus", "second"},
                                                              {"min", "plus"},
                                                              {"min", "first"},
                                                              {"min", "second"},
                                                              {"max", "first"},
                                                              {"max", "second"}});
  test_semirings<std::int32_t, std::int64_t, Bool>(
      random, {{"lor", "land"}, {"plus", "eq"}, {"any", "first"}, {"times", "lor"}});
}
