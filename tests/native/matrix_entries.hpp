// Matrices entry by entry: merged, chosen from and folded, against plain serial
// code.
#pragma once

#include <map>
#include <string>

#include "choose.hpp"
#include "common.hpp"
#include "fold.hpp"
#include "matrices.hpp"
#include "merge.hpp"

template <class T, class Bytes>
const T* as(const Bytes& bytes) {
  return static_cast<const T*>(static_cast<const void*>(bytes.data()));
}

using Place = std::pair<std::int64_t, std::int64_t>;

// Entry e of what was found is the e-th of `want`, in its place.
template <class Found, class Want, class F>
void check_entries(const Found& found, const Want& want, std::int64_t rows, F&& same) {
  CHECK(found.indices.size() == want.size() && found.indptr[0] == 0 && found.indptr[rows] == std::int64_t(want.size()));
  std::int64_t at = 0, row = 0;
  for (const auto& [place, value] : want) {
    while (found.indptr[row + 1] <= at) ++row;
    CHECK(place.first == row && place.second == found.indices[at]);
    CHECK(same(value, at));
    ++at;
  }
}

template <class Index, class Offset, class T>
void test_merged(const Matrix<Index, Offset>& a, const Matrix<Index, Offset>& b, const Edges& one, const Edges& two,
                 std::int64_t rows, Random& random, const std::string& dtype) {
  const bool iso = below(random, 4) == 0;
  const std::vector<T> x = some_values<T>(random, one.size(), iso), y = some_values<T>(random, two.size(), false);
  for (const bool intersect : {false, true}) {
    std::map<Place, T> want;
    std::size_t e = 0, g = 0;
    for (const Place& place : one) {
      const T value = x[iso ? 0 : e++];
      if (!intersect || two.count(place)) want[place] = value;
    }
    for (const Place& place : two) {
      const T value = y[g++];
      if (one.count(place)) want[place] = T(want[place] - value);
      else if (!intersect) want[place] = value;
    }
    Combined c = combined_by("minus", dtype);
    c.a = x.data(), c.b = y.data(), c.a_stride = !iso, c.b_stride = 1;
    const auto m = merge(a.csr(), b.csr(), intersect, c, int(sizeof(T)), 3);
    check_entries(m, want, rows, [&](T value, std::int64_t at) { return as<T>(m.values)[at] == value; });
    const auto pattern = merge(a.csr(), b.csr(), intersect, Combined{}, 0, 1);
    check_entries(pattern, want, rows, [](T, std::int64_t) { return true; });
  }
}

template <class Index, class Offset>
void test_chosen(const Matrix<Index, Offset>& a, const Edges& entries, std::int64_t rows, Random& random) {
  const std::vector<std::int16_t> values = some_values<std::int16_t>(random, entries.size(), false);
  const Band band{below(random, 2), below(random, 30) - 15, below(random, 30) - 12};
  std::vector<std::uint8_t> flags(entries.size() + 1);
  std::map<Place, std::int16_t> inside, flagged;
  std::size_t e = 0;
  for (const Place& place : entries) {
    const std::int64_t above = place.second - band.slope * place.first;
    flags[e] = below(random, 3) == 0;
    if (above >= band.low && above < band.high) inside[place] = values[e];
    if (flags[e]) flagged[place] = values[e];
    ++e;
  }
  const Entries<Index, Offset> own{a.csr(), values.data(), 2};
  const auto same = [](const auto& chosen) {
    return [&](std::int16_t value, std::int64_t at) { return as<std::int16_t>(chosen.values)[at] == value; };
  };
  const auto banded = choose_band(own, band, 3);
  check_entries(banded, inside, rows, same(banded));
  const auto kept = choose_flagged(own, flags.data(), 3);
  check_entries(kept, flagged, rows, same(kept));
  check_entries(choose_band(Entries<Index, Offset>{a.csr()}, band, 1), inside, rows,
                [](std::int16_t, std::int64_t) { return true; });
}

// Lane by lane, and then pair by pair, as fold.hpp says; in columns, block by
// block.
template <class Index, class Offset>
void test_folded(const Matrix<Index, Offset>& a, const Edges& entries, std::int64_t rows, std::int64_t cols,
                 Random& random) {
  std::vector<double> values(entries.size() + 1);
  for (double& v : values) v = double(below(random, 1000)) / 7;  // sums depend on their order
  std::vector<double> out(rows);
  Lease lease(3);
  Signals signals;
  fold_groups<Plus>(values.data(), a.indptr.data(), rows, out.data(), lease, signals);
  for (std::int64_t i = 0; i < rows; ++i) {
    std::vector<double> lanes;
    for (std::int64_t e = a.indptr[i], l = 0; e < a.indptr[i + 1]; ++e, ++l)
      if (l < kLanes) lanes.push_back(values[e]);
      else lanes[l % kLanes] += values[e];
    while (lanes.size() > 1) {
      std::vector<double> pairs;
      for (std::size_t l = 0; l < lanes.size(); l += 2)
        pairs.push_back(l + 1 < lanes.size() ? lanes[l] + lanes[l + 1] : lanes[l]);
      lanes = pairs;
    }
    CHECK(out[i] == (lanes.empty() ? 0 : lanes[0]));
  }
  const std::int64_t blocks = 1 + below(random, 4);
  const auto folded = fold_columns<Plus>(a.csr(), values.data(), cols, blocks, lease, signals);
  const auto again = fold_columns<Plus>(a.csr(), values.data(), cols, blocks, *std::make_unique<Lease>(1), signals);
  std::vector<double> sums(cols);
  std::vector<std::uint8_t> present(cols);
  std::size_t e = 0;
  for (const Place& place : entries) sums[place.second] += values[e++], present[place.second] = 1;
  for (std::int64_t j = 0; j < cols; ++j) {
    CHECK(folded.present[j] == present[j] && folded.values[j] == again.values[j]);
    CHECK(folded.values[j] - sums[j] < 1e-9 && sums[j] - folded.values[j] < 1e-9);
  }
}

template <class Index, class Offset>
void test_located(const Matrix<Index, Offset>& a, const Matrix<Index, Offset>& b, const Edges& one, const Edges& two,
                  std::int64_t rows) {
  std::map<Place, std::pair<std::int64_t, std::int64_t>> want;
  for (const Edges* const entries : {&one, &two})
    for (const Place& place : *entries) want[place] = {-1, -1};
  std::int64_t e = 0, g = 0;
  for (const Place& place : one) want[place].first = e++;
  for (const Place& place : two) want[place].second = g++;
  const auto u = unite(a.csr(), b.csr(), 3);
  check_entries(u, want, rows, [&](const auto& from, std::int64_t at) {
    return std::int64_t(u.a_at[at]) == from.first && std::int64_t(u.b_at[at]) == from.second;
  });
  const auto found = locate(a.csr(), b.csr(), 3);
  e = 0;
  for (const Place& place : one) CHECK(std::int64_t(found[e++]) == want[place].second);
}

template <class Index, class Offset>
void test_matrix_entries(Random& random) {
  const std::int64_t rows = 1 + below(random, 20), cols = 1 + below(random, 20);
  const Edges one = some_entries(random, rows, cols, 150);
  const Edges two = some_entries(random, rows, cols, below(random, 2) ? 150 : 800);  // rows much longer than the others
  const auto a = matrix_of<Index, Offset>(one, rows, cols), b = matrix_of<Index, Offset>(two, rows, cols);
  test_located(a, b, one, two, rows);
  test_merged<Index, Offset, double>(a, b, one, two, rows, random, "float64");
  test_merged<Index, Offset, std::int8_t>(a, b, one, two, rows, random, "int8");
  test_chosen(a, one, rows, random);
  test_folded(a, one, rows, cols, random);
}
