// Every kernel on small random graphs, all widths of indices and offsets,
// against plain serial code. No framework: the first failed check prints its
// line and the seed and ends the program with 1. From the checkout:
//
//   g++ -std=c++17 -O1 -g -pthread -Ibackends/native
//   -fsanitize=address,undefined -fno-sanitize-recover=all
//       tests/native/kernels.cpp -o kernels-asan && ./kernels-asan
//   g++ -std=c++17 -O1 -g -pthread -Ibackends/native -fsanitize=thread
//   tests/native/kernels.cpp -o kernels-tsan
//       && ./kernels-tsan
//
// Arguments: rounds (default 40), first seed (default 1).
#define LAGBFS_SMALL  // before anything of the kernels: see tuning.hpp
#include <array>
#include <map>
#include <string>

#include "build.hpp"
#include "common.hpp"
#include "depths.hpp"
#include "entries.hpp"
#include "from_files.hpp"
#include "in_order.hpp"
#include "many_searches.hpp"
#include "matrices.hpp"
#include "matrix_entries.hpp"
#include "parse.hpp"
#include "parts.hpp"
#include "paths.hpp"
#include "products.hpp"
#include "random.hpp"
#include "recycled.hpp"
#include "search.hpp"
#include "symmetry.hpp"
#include "turn.hpp"
#include "verify.hpp"

template <class Index, class Offset, class In>
void test_build(Random& random) {
  const std::int64_t rows = 1 + below(random, 60), cols = below(random, 2) ? rows : 1 + below(random, 60);
  const bool symmetrize = rows == cols && below(random, 2), drop = below(random, 2);
  const std::int64_t size = below(random, 20) ? below(random, 300) : 150000;
  std::vector<In> src(size), dst(size);
  for (std::int64_t k = 0; k < size; ++k) src[k] = In(below(random, rows)), dst[k] = In(below(random, cols));
  std::vector<std::array<std::int64_t, 3>> want;
  for (std::int64_t k = 0; k < size; ++k) {
    if (src[k] == dst[k] && drop) continue;
    want.push_back({src[k], dst[k], k});
    if (symmetrize && src[k] != dst[k]) want.push_back({dst[k], src[k], k});
  }
  std::sort(want.begin(), want.end());
  const bool dedup = below(random, 2);
  if (dedup)
    want.erase(std::unique(want.begin(), want.end(), [](auto& x, auto& y) { return x[0] == y[0] && x[1] == y[1]; }),
               want.end());
  const EdgeList<In> edges{src.data(), dst.data(), size, rows, cols, symmetrize, drop};
  const bool carries = below(random, 2);
  std::vector<std::int64_t> numbers(size);
  for (std::int64_t k = 0; k < size; ++k) numbers[k] = k;
  const Carried carried = carries ? Carried{numbers.data(), 8} : Carried{};
  const auto b = build_csr<Index, Offset>(edges, dedup, carried, 3);
  const auto value = [](const Built<Index, Offset>& built, std::int64_t e) {
    return static_cast<const std::int64_t*>(static_cast<const void*>(built.values.data()))[e];
  };
  CHECK(b.nnz == std::int64_t(want.size()) && b.indptr[rows] == b.nnz);
  for (std::int64_t r = 0, e = 0; r < rows; ++r)
    for (; e < b.indptr[r + 1]; ++e) {
      CHECK(want[e][0] == r && want[e][1] == b.indices[e]);
      if (carries) CHECK(want[e][2] == value(b, e));
    }
  const Csr<Index, Offset> csr{b.indptr.data(), b.indices.data(), rows};
  std::vector<std::int64_t> places(want.size());
  for (std::size_t e = 0; e < want.size(); ++e) places[e] = std::int64_t(e);
  const auto t = transpose(csr, cols, places.data(), 8, 3);
  std::vector<std::array<std::int64_t, 3>> turned;
  for (std::size_t e = 0; e < want.size(); ++e) turned.push_back({want[e][1], want[e][0], std::int64_t(e)});
  std::sort(turned.begin(), turned.end());
  for (std::int64_t r = 0, e = 0; r < cols; ++r)
    for (; e < t.indptr[r + 1]; ++e)
      CHECK(turned[e][0] == r && turned[e][1] == t.indices[e] && turned[e][2] == value(t, e));
  CHECK(t.nnz == b.nnz && t.indptr[cols] == t.nnz);
}

// Values of any width, folded where they are duplicates: those of the entries
// in the order of the edges.
template <class Index, class Offset, class T>
void test_folded_build(Random& random, const std::string& op, const std::string& dtype) {
  const std::int64_t n = 1 + below(random, 30), size = below(random, 400);
  const bool symmetrize = below(random, 2);
  std::vector<std::int64_t> src(size), dst(size);
  std::vector<T> values(size);
  std::map<std::pair<std::int64_t, std::int64_t>, std::vector<T>> want;
  for (std::int64_t k = 0; k < size; ++k) {
    src[k] = below(random, n), dst[k] = below(random, n), values[k] = T(below(random, 100));
    want[{src[k], dst[k]}].push_back(values[k]);
    if (symmetrize && src[k] != dst[k]) want[{dst[k], src[k]}].push_back(values[k]);
  }
  const Carried carried{values.data(), sizeof(T), fold_run_by(op, dtype)};
  const EdgeList<std::int64_t> edges{src.data(), dst.data(), size, n, n, symmetrize, false};
  const auto b = build_csr<Index, Offset>(edges, true, carried, 3);
  CHECK(b.nnz == std::int64_t(want.size()));
  std::int64_t e = 0, row = 0;
  for (const auto& [place, list] : want) {
    while (b.indptr[row + 1] <= e) ++row;
    T one = list[0];
    for (std::size_t i = 1; i < list.size(); ++i)
      one = op == "plus" ? T(one + list[i]) : op == "second" ? list[i] : op == "min" ? std::min(one, list[i]) : one;
    CHECK(place.first == row && place.second == b.indices[e]);
    CHECK(static_cast<const T*>(static_cast<const void*>(b.values.data()))[e++] == one);
  }
}

// Ends one beyond the last row or column, or below the first.
static void test_ends_out_of_range() {
  for (const auto& [row, col] : {std::pair{3, 0}, {0, 2}, {-1, 0}, {0, -1}}) {
    const std::int32_t src[] = {0, row}, dst[] = {0, col};
    bool refused = false;
    try {
      build_csr<std::int32_t, std::int32_t>(EdgeList<std::int32_t>{src, dst, 2, 3, 2, false, false}, true, {}, 2);
    } catch (const std::invalid_argument&) {
      refused = true;
    }
    CHECK(refused);
  }
}

// A product of one thread, pushed or pulled, stops when told to.
static void test_stopping_products() {
  Edges edges;
  for (std::int64_t k = 0; k < 64; ++k) edges.emplace(k, k / 2);
  const auto a = matrix_of<std::int32_t>(edges, 64, 32), at = matrix_of<std::int32_t>(flipped(edges), 32, 64);
  std::vector<std::int64_t> indices(64);
  for (int k = 0; k < 64; ++k) indices[k] = k;
  const std::vector<double> ones(64, 1);
  const Values<double> values{ones.data(), 1};
  Problem<std::int32_t, std::int32_t, double> push{a.csr(), 32, values, {indices.data(), 64, nullptr, values}, {}};
  Problem<std::int32_t, std::int32_t, double> pull{at.csr(), 64, values, {nullptr, 0, nullptr, values}, {}};
  const Semiring semiring = semiring_of("plus", "times");
  CHECK(stops([&] { product<double>(semiring, push, true, -1, 1, impatient); }));
  CHECK(stops([&] { product<double>(semiring, pull, false, -1, 1, impatient); }));
}

// Any number of threads draws the same edges, and renaming is done last.
template <class Index>
static void test_random(Random& random) {
  const std::int64_t size = below(random, 60000);
  const int scale = int(below(random, 20));
  const std::uint64_t quarter = 1u << 30;
  const Rmat rmat{Stream(random(), below(random, 3)), scale, {quarter, 2 * quarter, 3 * quarter}};
  std::vector<Index> names(std::size_t(1) << scale), src(size), dst(size), u(size), v(size);
  for (std::size_t i = 0; i < names.size(); ++i) names[i] = Index(names.size() - 1 - i);
  const std::int64_t half = size / 2;
  draw_edges<Index>(rmat, nullptr, nullptr, 0, size, src.data(), dst.data(), 1);
  draw_edges<Index>(rmat, names.data(), nullptr, 0, half, u.data(), v.data(), 3);
  draw_edges<Index>(rmat, names.data(), nullptr, half, size - half, u.data() + half, v.data() + half, 3);
  for (std::int64_t i = 0; i < size; ++i) {
    CHECK(src[i] >= 0 && src[i] < Index(names.size()) && dst[i] >= 0 && dst[i] < Index(names.size()));
    CHECK(u[i] == names[src[i]] && v[i] == names[dst[i]]);
  }
  const std::int64_t m = 1 + below(random, 5), n = m + 1 + below(random, 200);
  std::vector<Index> ends(m * (n - m));
  attach<Index>(Stream(random(), 0), n, m, ends.data());
  for (std::int64_t k = 0; k < std::int64_t(ends.size()); ++k)
    CHECK(ends[k] >= (k % m ? ends[k - 1] + 1 : 0) && ends[k] < m + k / m);
}

// Random claims, most of them wrong: the first edge that is too long, and the
// tree edges, by plain loops.
template <class Index, class Offset>
static void test_check_edges(Random& random) {
  const std::int64_t n = 1 + below(random, below(random, 4) ? 40 : 9000);
  const auto m = matrix_of<Index, Offset>(random_edges(random, n, false), n, n);
  const std::int64_t depth = 1 + below(random, 4);
  const std::int32_t limit = std::int32_t(below(random, 2) ? below(random, depth) : 1000);
  std::vector<std::int32_t> levels(n);
  std::vector<Index> parents(n);
  for (std::int64_t v = 0; v < n; ++v) {
    levels[v] = std::int32_t(below(random, depth)) - std::int32_t(below(random, 50) == 0 && depth > 1);
    parents[v] = Index(below(random, n + 1) - 1);
    if (m.indptr[v] < m.indptr[v + 1]) parents[m.indices[m.indptr[v]]] = Index(v);
  }
  const Csr<Index, Offset> csr = m.csr();
  std::int64_t expected = csr.edges();
  std::vector<std::uint8_t> stepped(n), given(n), left(n);
  for (std::int64_t u = n - 1; u >= 0; --u)
    for (std::int64_t e = m.indptr[u + 1] - 1; e >= m.indptr[u]; --e) {
      const std::int32_t from = levels[u], to = levels[m.indices[e]];
      if (from < 0 || from >= limit) continue;
      if (to < 0 || to > from + 1) expected = e;
      if (to == from + 1) stepped[m.indices[e]] = 1;
    }
  CHECK(check_edges(Claim<Index, Offset>{csr, levels.data(), nullptr, limit, left.data()}, 3) == expected);
  CHECK(left == stepped);
  std::fill(levels.begin(), levels.end(), 0);
  CHECK(check_edges(Claim<Index, Offset>{csr, levels.data(), parents.data(), limit, given.data()}, 3) == csr.edges());
  for (std::int64_t v = 0; v < n; ++v) CHECK(bool(given[v]) == (parents[v] >= 0 && m.has(parents[v], v)));
}

// Symmetric ones, most of them with an entry more or less, which may be a loop.
template <class Index, class Offset>
static void test_symmetry(Random& random) {
  const std::int64_t n = 1 + below(random, below(random, 4) ? 30 : 9000);
  Edges edges = random_edges(random, n, true);
  for (std::int64_t k = below(random, 3); k > 0; --k) {
    const std::pair<std::int64_t, std::int64_t> edge{below(random, n), below(random, n)};
    if (!edges.erase(edge)) edges.insert(edge);
  }
  CHECK(is_symmetric(matrix_of<Index, Offset>(edges, n, n).csr(), 3) == (flipped(edges) == edges));
}

template <class Index, class Offset>
static void test_check_list(Random& random) {
  const std::int64_t n = 2 + below(random, below(random, 4) ? 30 : 9000);
  const Edges edges = random_edges(random, n, true);
  const auto m = matrix_of<Index, Offset>(edges, n, n);
  std::vector<Index> src, dst;
  Edges listed;
  for (const auto& [u, v] : edges)
    if (below(random, 3)) src.push_back(Index(u)), dst.push_back(Index(v)), listed.emplace(u, v), listed.emplace(v, u);
  const std::int64_t size = std::int64_t(src.size());
  std::vector<std::uint8_t> seen(edges.size());
  CHECK(check_list(m.csr(), src.data(), dst.data(), size, seen.data(), 3) == size);
  std::size_t e = 0;
  for (const auto& [u, v] : edges) {
    const auto du = m.indptr[u + 1] - m.indptr[u], dv = m.indptr[v + 1] - m.indptr[v];
    const bool back = du != dv ? du > dv : u > v;
    CHECK(bool(seen[e++]) == (back || (u != v && listed.count({u, v}) > 0)));
  }
  for (std::int64_t k = size - 1, tries = 20; k >= 0 && tries; k -= 1 + below(random, 9), --tries) {
    dst[k] = Index(below(random, n));
    std::int64_t expected = 0;
    while (expected < size && (src[expected] == dst[expected] || m.has(src[expected], dst[expected]))) ++expected;
    CHECK(check_list(m.csr(), src.data(), dst.data(), size, seen.data(), 3) == expected);
  }
}

static void test_exceptions() {
  Lease lease(3);
  bool caught = false;
  try {
    lease.run([](int id) {
      if (id != 1) throw std::bad_alloc();
    });
  } catch (const std::bad_alloc&) {
    caught = true;
  }
  CHECK(caught);
  int sum = 0;
  lease.chunks(1000, 7, [&](int, std::int64_t begin, std::int64_t end) { fetch_add(&sum, int(end - begin)); });
  CHECK(sum == 1000);
}

static Number number_of(const std::string& text) {
  Decimal decimal;
  Number number{};
  Text at{text.data(), text.data() + text.size()};
  CHECK(decimal.read(at, number) && at.done());
  return number;
}

// Whole numbers are such up to the bounds of 64 bits, and floats beyond;
// exponents may be Fortran's.
static void test_numbers() {
  constexpr auto most = std::numeric_limits<std::int64_t>::max();
  CHECK(number_of("9223372036854775807").integral && number_of("9223372036854775807").whole == most);
  CHECK(number_of("-9223372036854775808").integral && number_of("-9223372036854775808").whole == -most - 1);
  for (const char* text :
       {"9223372036854775808", "-9223372036854775809", "10000000000000000000", "00000000000000000001"})
    CHECK(!number_of(text).integral);
  CHECK(number_of("9223372036854775808").value == 9223372036854775808.0);
  CHECK(!number_of("1.5D+01").integral && number_of("1.5D+01").value == 15 && number_of("-5d-1").value == -0.5);
}

// Texts of pieces in any order, in a buffer of just their size, against line by
// line: parsers read nothing beyond it, give as many edges as they say, all in
// range, and stop only at the beginning of a line.
static void test_parse(Random& random) {
  static const char* const pieces[] = {"0",
                                       "1",
                                       "17",
                                       "999",
                                       "-1",
                                       "1.5",
                                       "1e",
                                       "1e-3",
                                       ".",
                                       "123456789012345678",
                                       "9999999999999999999",
                                       " ",
                                       " ",
                                       "\t",
                                       ",",
                                       "\n",
                                       "\n",
                                       "\r\n",
                                       "\r",
                                       "#",
                                       "%",
                                       "//",
                                       "a ",
                                       "c ",
                                       "e",
                                       "1e400",
                                       "0.1",
                                       "n ",
                                       "1.5D+01",
                                       "D",
                                       "9223372036854775807",
                                       "-9223372036854775808",
                                       "9223372036854775808",
                                       "00000000000000000001"};
  std::string text;
  for (std::int64_t k = below(random, 60); k > 0; --k) text += pieces[below(random, sizeof pieces / sizeof *pieces)];
  std::vector<char> exact(text.begin(), text.end());
  const char* const begin = exact.data();
  const char* const end = begin + exact.size();
  const auto starts_line = [&](std::int64_t at) { return at == 0 || begin[at - 1] == '\n'; };
  for (const EdgeFormat format :
       {EdgeFormat{0, false, false, false, 0, 1000}, EdgeFormat{0, true, false, true, 0, 1000},
        EdgeFormat{'a', true, false, false, 1, 17}, EdgeFormat{0, true, true, false, 1, 1000}}) {
    const ParsedEdges edges = parse_edges(begin, end, format, nullptr);
    CHECK(edges.size <= count_lines(begin, end));
    CHECK(edges.stopped < std::int64_t(exact.size()) && (edges.stopped < 0 || starts_line(edges.stopped)));
    CHECK(!edges.weights || !format.whole);
    for (std::int64_t k = 0; k < edges.size; ++k) {
      CHECK(edges.src[k] >= 0 && edges.src[k] < format.limit && edges.dst[k] >= 0 && edges.dst[k] < format.limit);
      CHECK(!edges.weights || edges.weights[k] - edges.weights[k] == 0);
    }
  }
  const ParsedRows parsed = parse_rows(begin, end, nullptr);
  std::int64_t sum = 0;
  for (std::int64_t r = 0; r < parsed.rows; ++r) sum += parsed.counts[r];
  CHECK(sum == parsed.size && (parsed.stopped < 0 || starts_line(parsed.stopped)));
}

template <class Index, class Offset>
static void test_graphs(Random& random) {
  test_traversal<Index, Offset>(random);
  test_in_order<Index, Offset>(random);
  test_stopping_in_order<Index, Offset>(random);
  test_many<Index, Offset>(random);
  test_stopping_many<Index, Offset>();
  test_build<Index, Offset, std::int32_t>(random);
  test_check_list<Index, Offset>(random);
  test_check_edges<Index, Offset>(random);
  for (int i = 0; i < 5; ++i) test_symmetry<Index, Offset>(random);
  if (seed % 10 == 1) test_layouts<Index, Offset>(random), test_turns<Index, Offset>(random);
  for (int i = 0; i < 5; ++i) test_inspect<Index, Offset>(random), test_laid<Index, Offset>(random);
  test_heavy_rows<Index, Offset>(random);
  test_stopping<Index, Offset>(random);
  test_parts<Index, Offset>(random);
  test_stopping_parts<Index, Offset>(random);
  test_at_once<Index, Offset>(random);
}

int main(int argc, char** argv) {
  const int rounds = argc > 1 ? std::atoi(argv[1]) : 40;
  const unsigned first = argc > 2 ? unsigned(std::atoi(argv[2])) : 1;
  test_exceptions();
  test_features();
  test_numbers();
  test_ends_out_of_range();
  test_stopping_products(), test_refused_products(), test_recycled();
  test_bits_past_the_sources();
  test_long_rows<std::int32_t, std::int32_t>(), test_long_rows<std::int32_t, std::int64_t>();
  test_long_rows<std::int64_t, std::int64_t>();
  for (seed = first; seed < first + unsigned(rounds); ++seed) {
    Random random(seed);
    test_graphs<std::int32_t, std::int32_t>(random);
    test_graphs<std::int32_t, std::int64_t>(random);
    test_graphs<std::int64_t, std::int64_t>(random);
    test_build<std::int64_t, std::int64_t, std::int64_t>(random);
    for (int k = 0; k < 50; ++k) test_lists(random);
    test_products(random), test_matrix_products(random);
    test_lane_counts(random);
    test_depths<std::int32_t>(random), test_depths<std::int64_t>(random);
    for (const char* const op : {"plus", "second", "min", "first"}) {
      test_folded_build<std::int32_t, std::int32_t, double>(random, op, "float64");
      test_folded_build<std::int32_t, std::int64_t, std::int16_t>(random, op, "int16");
      test_folded_build<std::int64_t, std::int64_t, std::uint8_t>(random, op, "uint8");
    }
    test_matrix_entries<std::int32_t, std::int32_t>(random), test_matrix_entries<std::int32_t, std::int64_t>(random);
    test_matrix_entries<std::int64_t, std::int64_t>(random);
    test_random<std::int32_t>(random), test_random<std::int64_t>(random);
    for (int k = 0; k < 500; ++k) test_parse(random);
    sweep_two_sets<false, std::int32_t>(random), sweep_two_sets<true, std::int64_t>(random);
  }
  std::printf("%d rounds\n", rounds);
}
