// Products of two matrices, against plain serial code.
#pragma once

#include <map>
#include <string>

#include "common.hpp"
#include "matrix_product.hpp"
#include "products.hpp"

static Edges some_entries(Random& random, std::int64_t rows, std::int64_t cols, std::int64_t most) {
  Edges edges;
  for (std::int64_t k = 0, size = below(random, most); k < size; ++k)
    edges.emplace(below(random, rows), below(random, cols));
  return edges;
}

template <class T>
std::vector<T> some_values(Random& random, std::size_t size, bool iso) {
  std::vector<T> values(iso ? 1 : size + 1);
  for (T& v : values) v = from_int<T>(below(random, 9));
  return values;
}

// Values of a transpose: those of the entries, in the order of columns.
template <class T>
std::vector<T> turned(const Edges& edges, const std::vector<T>& values, bool iso) {
  if (iso) return values;
  std::map<std::pair<std::int64_t, std::int64_t>, T> by_column;
  std::size_t e = 0;
  for (const auto& [u, v] : edges) by_column[{v, u}] = values[e++];
  std::vector<T> out;
  for (const auto& entry : by_column) out.push_back(entry.second);
  out.push_back(T{});
  return out;
}

template <class Index, class T>
void test_matrix_product(Random& random, const std::string& add, const std::string& multiply) {
  const std::int64_t rows = 1 + below(random, 30), inner = 1 + below(random, 30);
  const std::int64_t cols = below(random, 4) ? 1 + below(random, 30) : 9000;  // several words of the summary
  const Edges a_entries = some_entries(random, rows, inner, 200), b_entries = some_entries(random, inner, cols, 200);
  const Edges mask_entries = some_entries(random, rows, cols, 200);
  const auto a = matrix_of<Index>(a_entries, rows, inner), b = matrix_of<Index>(b_entries, inner, cols);
  const auto bt = matrix_of<Index>(flipped(b_entries), cols, inner), mask = matrix_of<Index>(mask_entries, rows, cols);
  const bool iso = below(random, 3) == 0, masked = below(random, 2), push = !masked || below(random, 2);
  const auto x = some_values<T>(random, a_entries.size(), iso), y = some_values<T>(random, b_entries.size(), iso);
  const auto yt = turned(b_entries, y, iso);
  MatrixProblem<Index, T> p;
  p.a = a.csr(), p.b = push ? b.csr() : bt.csr(), p.inner = inner, p.cols = cols;
  p.a_values = {x.data(), !iso}, p.b_values = {push ? y.data() : yt.data(), !iso};
  if (masked || below(random, 2)) p.mask = mask.csr(), p.complement = !masked;

  std::map<std::pair<std::int64_t, std::int64_t>, std::vector<PlainTerm>> terms;
  std::size_t e = 0;
  for (const auto& [i, k] : a_entries) {
    const double value = as_double(x[iso ? 0 : e++]);
    for (Index g = b.indptr[k]; g < b.indptr[k + 1]; ++g) {
      const std::int64_t j = b.indices[g];
      if (p.mask.indptr && mask_entries.count({i, j}) == std::size_t(p.complement)) continue;
      terms[{i, j}].push_back({value, as_double(y[iso ? 0 : g]), double(k)});
    }
  }
  const Semiring semiring = semiring_of(add, multiply);
  with_sum<T>(semiring, [&](auto zero) {
    using S = decltype(zero);
    const auto c = matrix_product<S>(semiring, p, push, 3);
    CHECK(c.indices.size() == terms.size() && c.indptr[rows] == std::int64_t(terms.size()));
    std::int64_t at = 0, row = 0;
    for (const auto& [place, list] : terms) {
      while (c.indptr[row + 1] <= at) ++row;
      CHECK(place.first == row && place.second == c.indices[at]);
      CHECK(agrees(c.values[at++], plain_sum(add, multiply, list)));
    }
  });
}

template <class Index, class T>
void test_matrix_semirings(Random& random) {
  for (int k = 0; k < 6; ++k) {
    const char* const add = kMonoids[below(random, std::size(kMonoids))].name;
    const char* const multiply = kBinary[below(random, std::size(kBinary))].name;
    if (exists_over<T>(semiring_of(add, multiply))) test_matrix_product<Index, T>(random, add, multiply);
  }
}

static void test_matrix_products(Random& random) {
  for (const char* const multiply : {"pair", "times", "first"})
    test_matrix_product<std::int32_t, std::int64_t>(random, "plus", multiply);
  test_matrix_product<std::int32_t, std::int64_t>(random, "any", "pair");
  test_matrix_semirings<std::int32_t, std::int64_t>(random);
  test_matrix_semirings<std::int64_t, double>(random);
  test_matrix_semirings<std::int32_t, Bool>(random);
}

// A product that is too large for the room there is, counted exactly, is
// refused; one that just fits is not.
static void test_refused_products() {
  Edges edges;
  for (std::int64_t k = 0; k < 60; ++k)
    for (std::int64_t j = 0; j < 9; ++j) edges.emplace(k, (k * 7 + j * j) % 60);
  const auto a = matrix_of<std::int32_t>(edges, 60, 60);
  MatrixProblem<std::int32_t, std::int64_t> p;
  p.a = p.b = a.csr(), p.inner = p.cols = 60;
  const Semiring semiring = semiring_of("plus", "pair");
  const std::int64_t bytes = 12 * matrix_product<std::int64_t>(semiring, p, true, 3).indptr[60];
  CHECK(12 * 60 * 60 >= bytes);
  std::int64_t refused = 0;
  try {
    matrix_product<std::int64_t>(semiring, p, true, 3, nullptr, bytes - 1);
  } catch (const TooLarge& large) {
    refused = large.bytes;
  }
  CHECK(refused == bytes);
  CHECK(12 * matrix_product<std::int64_t>(semiring, p, true, 3, nullptr, bytes).indptr[60] == bytes);
}
