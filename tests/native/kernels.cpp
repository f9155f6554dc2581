// Every kernel on small random graphs, both index widths, against plain serial code. No framework: the
// first failed check prints its line and the seed and ends the program with 1. From the checkout:
//
//   g++ -std=c++17 -O1 -g -pthread -Ibackends/native -fsanitize=address,undefined -fno-sanitize-recover=all
//       tests/native/kernels.cpp -o kernels-asan && ./kernels-asan
//   g++ -std=c++17 -O1 -g -pthread -Ibackends/native -fsanitize=thread tests/native/kernels.cpp -o kernels-tsan
//       && ./kernels-tsan
//
// Arguments: rounds (default 40), first seed (default 1).
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <map>
#include <random>
#include <set>
#include <thread>

#define LAGBFS_SMALL_LEVEL 20

#include "build.hpp"
#include "engine.hpp"
#include "parse.hpp"
#include "product.hpp"
#include "random.hpp"
#include "verify.hpp"

using namespace lagbfs;

static unsigned seed;

#define CHECK(condition)                                                          \
  do {                                                                            \
    if (!(condition)) {                                                           \
      std::printf("line %d, seed %u: %s\n", __LINE__, seed, #condition);          \
      std::exit(1);                                                               \
    }                                                                             \
  } while (false)

using Random = std::mt19937;

static std::int64_t below(Random& random, std::int64_t n) {
  return std::uniform_int_distribution<std::int64_t>(0, n - 1)(random);
}

template <class Index>
struct Matrix {
  std::vector<Index> indptr, indices;
  std::int64_t cols;
  Csr<Index> csr() const { return {indptr.data(), indices.data(), std::int64_t(indptr.size()) - 1}; }
  bool has(std::int64_t u, std::int64_t v) const {
    return std::binary_search(indices.begin() + indptr[u], indices.begin() + indptr[u + 1], Index(v));
  }
};

using Edges = std::set<std::pair<std::int64_t, std::int64_t>>;

template <class Index>
Matrix<Index> matrix_of(const Edges& edges, std::int64_t rows, std::int64_t cols) {
  Matrix<Index> m;
  m.indptr.assign(rows + 1, 0), m.cols = cols;
  for (const auto& [u, v] : edges) ++m.indptr[u + 1], m.indices.push_back(Index(v));
  for (std::int64_t r = 0; r < rows; ++r) m.indptr[r + 1] += m.indptr[r];
  return m;
}

static Edges flipped(const Edges& edges) {
  Edges out;
  for (const auto& [u, v] : edges) out.emplace(v, u);
  return out;
}

// Hubs, chains, loops, isolated vertices: the shape depends on the seed. Chains are short: arms that look at
// all vertices at every level would take minutes over a long one.
static Edges random_edges(Random& random, std::int64_t n, bool symmetric) {
  Edges edges;
  const std::int64_t shapes = n > 1000 ? 2 : 4;
  const std::int64_t shape = below(random, shapes), count = below(random, 1 + n * (1 + below(random, 6)));
  for (std::int64_t k = 0; k < count; ++k) {
    std::int64_t u = below(random, n), v = below(random, n);
    if (shape == 1) v = v * v % n * v % n / 8;
    if (shape == 2) u = k % n, v = (u + 1 + (below(random, 20) == 0)) % n;
    if (shape == 3) u /= 2, v /= 2;
    edges.emplace(u, v);
    if (symmetric) edges.emplace(v, u);
  }
  return edges;
}

// levels, and for each vertex the smallest parent that a breadth-first search may give it.
template <class Index>
void plain_bfs(const Matrix<Index>& a, const std::vector<Index>& sources, std::vector<std::int32_t>& levels,
               std::vector<Index>& smallest, std::int32_t max_depth) {
  const std::size_t n = a.indptr.size() - 1;
  levels.assign(n, -1), smallest.assign(n, -1);
  std::vector<Index> frontier;
  for (Index s : sources)
    if (levels[s] < 0) levels[s] = 0, smallest[s] = s, frontier.push_back(s);
  for (std::int32_t level = 0; !frontier.empty() && level < max_depth; ++level) {
    std::vector<Index> next;
    for (Index u : frontier)
      for (Index e = a.indptr[u]; e < a.indptr[u + 1]; ++e) {
        const Index v = a.indices[e];
        if (levels[v] < 0) levels[v] = level + 1, next.push_back(v);
        if (levels[v] == level + 1 && (smallest[v] < 0 || u < smallest[v])) smallest[v] = u;
      }
    frontier = next;
  }
}

template <class Index>
void check_result(const Matrix<Index>& a, const std::vector<std::int32_t>& want,
                  const std::vector<Index>& smallest, const Index* parents, const std::int32_t* levels,
                  bool deterministic) {
  for (std::size_t v = 0; v < want.size(); ++v) {
    if (levels) CHECK(levels[v] == want[v]);
    if (!parents) continue;
    CHECK((parents[v] >= 0) == (want[v] >= 0));
    if (deterministic) CHECK(parents[v] == smallest[v]);
    if (want[v] == 0) CHECK(parents[v] == Index(v));
    if (want[v] > 0) CHECK(want[parents[v]] == want[v] - 1 && a.has(parents[v], v));
  }
}

// Some of our arms, or none, in any order.
static std::vector<int> random_arms(Random& random, int size) {
  std::vector<int> arms(size);
  for (int& arm : arms) arm = int(below(random, kArmCount));
  return arms;
}

static Tree random_tree(Random& random) {
  Tree t;
  for (int i = 0; i < 7; ++i) {
    t.feature.push_back(i < 3 ? int(below(random, Features::kCount)) : -1);
    t.threshold.push_back(double(below(random, 50)));
    t.left.push_back(2 * i + 1), t.right.push_back(2 * i + 2);
  }
  t.arm = random_arms(random, 7);
  return t;
}

static Costs random_costs(Random& random) {
  Costs c;
  c.arms = random_arms(random, kArmCount), c.engine_count = 1 + int(below(random, 3));
  for (int i = 0; i < kArmCount; ++i) c.engines.push_back(int(below(random, c.engine_count)));
  c.cache = 1 + double(below(random, 1000)), c.ahead = int(below(random, 3));
  for (int k = 0; k < kArmCount * Quantities::kCount; ++k) c.coefficients.push_back(double(below(random, 9)) - 4);
  c.moves.assign((c.engine_count + 1) * c.engine_count * Quantities::kCount, double(below(random, 3)));
  return c;
}

static Policy random_policy(Random& random) {
  Policy p;
  p.kind = Policy::Kind(below(random, 5));
  p.fixed = int(below(random, kArmCount));
  p.beamer = {double(below(random, 30)), double(below(random, 30)), int(below(random, 3)), 3 + int(below(random, 2))};
  p.tree = random_tree(random), p.costs = random_costs(random), p.script = random_arms(random, 4);
  p.validate();
  return p;
}

template <class Index>
struct Arrays {
  std::vector<Index> parents;
  std::vector<std::int32_t> levels;
  Target<Index> target;
  Arrays(Random& random, std::int64_t n) : parents(n, 77), levels(n, 77) {
    const std::int64_t which = below(random, 3);
    target.parents = which == 1 ? nullptr : parents.data();
    target.levels = which == 0 ? nullptr : levels.data();
    target.smallest = below(random, 3) == 0;
    target.threads = 1 + int(below(random, 4));
  }
};

template <class Index>
void search_whole(Random& random, Engine<Index>& engine, const Matrix<Index>& a) {
  std::vector<Index> sources(1 + below(random, 3));
  for (Index& s : sources) s = Index(below(random, engine.n()));
  Arrays<Index> arrays(random, engine.n());
  const Policy policy = random_policy(random);
  Request<Index> request;
  request.policy = &policy;
  if (below(random, 4) == 0) request.max_depth = std::int32_t(below(random, 5));
  const auto out = engine.search(sources.data(), std::int64_t(sources.size()), arrays.target, request);
  std::vector<std::int32_t> levels;
  std::vector<Index> smallest;
  plain_bfs(a, sources, levels, smallest, request.max_depth);
  check_result(a, levels, smallest, arrays.target.parents, arrays.target.levels, arrays.target.smallest);
  CHECK(out.reached == std::count_if(levels.begin(), levels.end(), [](auto l) { return l >= 0; }));
  CHECK((out.reason == Reason::kDone) == out.frontier.empty());
  for (Index v : out.frontier) CHECK(levels[v] == out.level);
  std::int64_t counted = std::int64_t(out.frontier.size());
  for (const TraceRow& row : out.trace) counted += std::int64_t(row.frontier_size);
  CHECK(counted == out.reached);
}

// Level by level, another arm each time, from the arrays and the frontier alone.
template <class Index>
void search_in_steps(Random& random, Engine<Index>& engine, const Matrix<Index>& a) {
  const std::vector<Index> sources{Index(below(random, engine.n()))};
  Arrays<Index> arrays(random, engine.n());
  Policy policy;
  policy.kind = Policy::kFixed, policy.fixed = int(below(random, kArmCount));
  Request<Index> request;
  request.policy = &policy, request.max_levels = below(random, 2);
  auto out = engine.search(sources.data(), 1, arrays.target, request);
  while (out.reason != Reason::kDone) {
    CHECK(out.reason == Reason::kLevels);
    policy.fixed = int(below(random, kArmCount));
    request.features = out.features, request.max_levels = 1 + below(random, 3);
    arrays.target.threads = 1 + int(below(random, 4));
    const auto frontier = out.frontier;
    out = engine.advance(frontier.data(), std::int64_t(frontier.size()), arrays.target, request);
  }
  std::vector<std::int32_t> levels;
  std::vector<Index> smallest;
  plain_bfs(a, sources, levels, smallest, 1 << 30);
  check_result(a, levels, smallest, arrays.target.parents, arrays.target.levels, arrays.target.smallest);
}

// From the start, and then from a level in between: until all targets are visited, not sooner, or to the end.
template <class Index>
void search_for_targets(Random& random, Engine<Index>& engine, const Matrix<Index>& a) {
  const std::vector<Index> sources{Index(below(random, engine.n()))};
  Arrays<Index> arrays(random, engine.n());
  const Policy policy = random_policy(random);
  Request<Index> request;
  request.policy = &policy;
  for (std::int64_t i = below(random, 4); i >= 0; --i) request.targets.push_back(Index(below(random, engine.n())));
  if (below(random, 4) == 0) request.targets.assign(2, sources[0]);
  request.max_levels = below(random, 2) ? below(random, 3) : request.max_levels;
  auto out = engine.search(sources.data(), 1, arrays.target, request);
  std::vector<std::int32_t> levels;
  std::vector<Index> smallest;
  plain_bfs(a, sources, levels, smallest, 1 << 30);
  std::int32_t last = 0;
  bool all = true;
  for (Index t : request.targets) all &= levels[t] >= 0, last = std::max(last, levels[t]);
  if (out.reason == Reason::kLevels) {
    CHECK(!all || out.level < last);
    request.features = out.features, request.max_levels = std::numeric_limits<std::int64_t>::max();
    const auto frontier = out.frontier;
    out = engine.advance(frontier.data(), std::int64_t(frontier.size()), arrays.target, request);
  }
  CHECK(out.reason == (all ? Reason::kTarget : Reason::kDone));
  if (all) CHECK(out.level == last);
}

template <class Index>
void test_traversal(Random& random) {
  const std::int64_t n = 1 + below(random, below(random, 10) ? 300 : 20000);
  const bool symmetric = below(random, 2);
  const Edges edges = random_edges(random, n, symmetric);
  const auto a = matrix_of<Index>(edges, n, n), at = matrix_of<Index>(flipped(edges), n, n);
  Engine<Index> engine(a.csr(), symmetric ? a.csr() : at.csr());
  for (int half = 0; half < 2; ++half) {
    for (int i = 0; i < 3; ++i) search_whole(random, engine, a);
    for (int i = 0; i < 2; ++i) search_in_steps(random, engine, a);
    for (int i = 0; i < 4; ++i) search_for_targets(random, engine, a);
    engine.optimize(2, nullptr);
  }
  std::vector<std::thread> threads;
  for (int t = 0; t < 3; ++t)
    threads.emplace_back([&, t] {
      Random own(seed + 1000003u * unsigned(t));
      for (int i = 0; i < 3; ++i) search_whole(own, engine, a);
    });
  for (auto& t : threads) t.join();
}

// All layouts on one graph: the kind is chosen from statistics that small graphs seldom meet.
template <class Index>
void test_layouts(Random& random) {
  for (Kind kind : {Kind::kHubs, Kind::kFirst, Kind::kLocality}) {
    const std::int64_t n = 4000;
    Edges edges;
    const auto add = [&](std::int64_t u, std::int64_t v) { edges.emplace(u, v), edges.emplace(v, u); };
    for (std::int64_t v = 1; v < n - 50; ++v) {
      if (kind == Kind::kHubs) add(v, below(random, 1 + below(random, v))), add(v, below(random, 40));
      if (kind == Kind::kFirst) add(v, below(random, n)), add(v, below(random, n));
      if (kind == Kind::kLocality) add(v, v - 1 - below(random, std::min<std::int64_t>(v, 3)));
    }
    const auto a = matrix_of<Index>(edges, n, n);
    Engine<Index> engine(a.csr(), a.csr());
    engine.optimize(2, nullptr);
    CHECK(engine.layout()->kind == kind);
    for (int i = 0; i < 4; ++i) search_whole(random, engine, a), search_in_steps(random, engine, a);
  }
}

template <class Index, class In>
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
    want.erase(std::unique(want.begin(), want.end(),
                           [](auto& x, auto& y) { return x[0] == y[0] && x[1] == y[1]; }),
               want.end());
  const EdgeList<In> edges{src.data(), dst.data(), size, rows, cols, symmetrize, drop};
  const bool positions = below(random, 2);
  const auto b = build_csr<Index>(edges, dedup, positions, 3);
  CHECK(b.nnz == std::int64_t(want.size()) && b.indptr[rows] == b.nnz);
  for (std::int64_t r = 0, e = 0; r < rows; ++r)
    for (; e < b.indptr[r + 1]; ++e) {
      CHECK(want[e][0] == r && want[e][1] == b.indices[e]);
      if (positions) CHECK(want[e][2] == b.positions[e]);
    }
  const Csr<Index> csr{b.indptr.data(), b.indices.data(), rows};
  const auto t = transpose(csr, cols, true, 3);
  std::vector<std::array<std::int64_t, 3>> turned;
  for (std::size_t e = 0; e < want.size(); ++e) turned.push_back({want[e][1], want[e][0], std::int64_t(e)});
  std::sort(turned.begin(), turned.end());
  for (std::int64_t r = 0, e = 0; r < cols; ++r)
    for (; e < t.indptr[r + 1]; ++e)
      CHECK(turned[e][0] == r && turned[e][1] == t.indices[e] && turned[e][2] == t.positions[e]);
  CHECK(t.nnz == b.nnz && t.indptr[cols] == t.nnz);
}

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

template <class T> double as_double(T v) { return double(v); }
template <> double as_double(Bool v) { return v.value; }
template <class T> T from_int(std::int64_t v) { return T(v); }
template <> Bool from_int(std::int64_t v) { return {std::uint8_t(v & 1)}; }

// Whether a sum is as wanted: integers have wrapped where a double is not exact.
template <class S>
bool agrees(S sum, double want) {
  const double found = as_double(sum);
  return found == want || (found != found && want != want) || (std::is_integral_v<S> && std::fabs(want) > 0x1p53);
}

template <class Index, class T>
void test_product(Random& random, const std::string& add, const std::string& multiply) {
  const bool big = below(random, 40) == 0;
  const std::int64_t rows = big ? 2000 : 1 + below(random, 40), cols = big ? 1500 : 1 + below(random, 40);
  Edges edges;
  for (std::int64_t k = 0, size = big ? 90000 : below(random, 300); k < size; ++k)
    edges.emplace(below(random, rows), below(random, cols));
  const auto m = matrix_of<Index>(edges, rows, cols);
  const bool push = below(random, 2), iso = below(random, 3) == 0;
  std::vector<T> entries(iso ? 1 : edges.size() + 1);
  for (T& v : entries) v = from_int<T>(below(random, 9));
  const std::int64_t summed = push ? rows : cols, results = push ? cols : rows;
  std::vector<std::uint8_t> present(summed), mask(results);
  std::vector<T> x(summed), x_values;
  std::vector<Index> x_indices;
  for (auto& b : mask) b = std::uint8_t(below(random, 2));
  for (std::int64_t k = 0; k < summed; ++k) {
    present[k] = below(random, 4) > 0, x[k] = from_int<T>(below(random, 9));
    if (present[k]) x_indices.push_back(Index(k)), x_values.push_back(x[k]);
  }
  Problem<Index, T> p{m.csr(), cols, {entries.data(), !iso}, {}, {below(random, 2) ? mask.data() : nullptr, bool(below(random, 2))}};
  if (push) p.x = {x_indices.data(), std::int64_t(x_indices.size()), nullptr, {x_values.data(), 1}};
  else p.x = {nullptr, 0, present.data(), {x.data(), 1}};
  std::vector<std::vector<PlainTerm>> terms(results);
  std::size_t e = 0;
  for (const auto& [r, c] : edges) {
    const std::int64_t k = push ? r : c, i = push ? c : r;
    const double value = as_double(p.entries[std::int64_t(e++)]), other = as_double(x[k]);
    if (present[k] && p.mask.allows(i)) terms[i].push_back({other, value, double(k)});
  }
  const Semiring semiring = semiring_of(add, multiply);
  with_sum<T>(semiring, [&](auto zero) {
    using S = decltype(zero);
    const auto dense = product<S>(semiring, p, push, false, 3).dense;
    const auto sparse = product<S>(semiring, p, push, true, 3).sparse;
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
template <class Index, class T>
void test_semirings(Random& random, const std::vector<std::pair<const char*, const char*>>& apart) {
  for (const auto& [add, multiply] : apart) {
    test_product<Index, T>(random, add, multiply);
    const char* const other_add = kMonoids[below(random, std::size(kMonoids))].name;
    const char* const other_multiply = kBinary[below(random, std::size(kBinary))].name;
    if (exists_over<T>(semiring_of(other_add, other_multiply)))
      test_product<Index, T>(random, other_add, other_multiply);
  }
}

// Each type with one index width: instantiating all would take minutes to compile.
static void test_products(Random& random) {
  test_semirings<std::int64_t, std::int64_t>(random, {{"any", "pair"}, {"plus", "pair"}, {"any", "secondi"},
      {"min", "secondi"}, {"plus", "times"}, {"plus", "first"}, {"plus", "second"}, {"min", "plus"},
      {"min", "first"}, {"min", "second"}, {"max", "first"}, {"max", "second"}});
  test_semirings<std::int32_t, double>(random, {{"plus", "times"}, {"plus", "first"}, {"plus", "second"},
      {"min", "plus"}, {"min", "first"}, {"min", "second"}, {"max", "first"}, {"max", "second"}});
  test_semirings<std::int32_t, Bool>(random, {{"lor", "land"}, {"plus", "eq"}, {"any", "first"}, {"times", "lor"}});
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
  draw_edges<Index>(rmat, nullptr, size, src.data(), dst.data(), 1);
  draw_edges<Index>(rmat, names.data(), size, u.data(), v.data(), 3);
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

// Random claims, most of them wrong: the first edge that is too long, and the tree edges, by plain loops.
template <class Index>
static void test_check_edges(Random& random) {
  const std::int64_t n = 1 + below(random, below(random, 4) ? 40 : 9000);
  const auto m = matrix_of<Index>(random_edges(random, n, false), n, n);
  const std::int64_t depth = 1 + below(random, 4);
  const std::int32_t limit = std::int32_t(below(random, 2) ? below(random, depth) : 1000);
  std::vector<std::int32_t> levels(n);
  std::vector<Index> parents(n);
  for (std::int64_t v = 0; v < n; ++v) {
    levels[v] = std::int32_t(below(random, depth)) - std::int32_t(below(random, 50) == 0 && depth > 1);
    parents[v] = Index(below(random, n + 1) - 1);
    if (m.indptr[v] < m.indptr[v + 1]) parents[m.indices[m.indptr[v]]] = Index(v);
  }
  const Csr<Index> csr = m.csr();
  std::int64_t expected = csr.edges();
  std::vector<std::uint8_t> stepped(n), given(n), left(n);
  for (std::int64_t u = n - 1; u >= 0; --u)
    for (std::int64_t e = m.indptr[u + 1] - 1; e >= m.indptr[u]; --e) {
      const std::int32_t from = levels[u], to = levels[m.indices[e]];
      if (from < 0 || from >= limit) continue;
      if (to < 0 || to > from + 1) expected = e;
      if (to == from + 1) stepped[m.indices[e]] = 1;
    }
  CHECK(check_edges(Claim<Index>{csr, levels.data(), nullptr, limit, left.data()}, 3) == expected);
  CHECK(left == stepped);
  std::fill(levels.begin(), levels.end(), 0);
  CHECK(check_edges(Claim<Index>{csr, levels.data(), parents.data(), limit, given.data()}, 3) == csr.edges());
  for (std::int64_t v = 0; v < n; ++v) CHECK(bool(given[v]) == (parents[v] >= 0 && m.has(parents[v], v)));
}

template <class Index>
static void test_check_list(Random& random) {
  const std::int64_t n = 2 + below(random, below(random, 4) ? 30 : 9000);
  const Edges edges = random_edges(random, n, true);
  const auto m = matrix_of<Index>(edges, n, n);
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
    lease.run([](int id) { if (id != 1) throw std::bad_alloc(); });
  } catch (const std::bad_alloc&) {
    caught = true;
  }
  CHECK(caught);
  int sum = 0;
  lease.chunks(1000, 7, [&](int, std::int64_t begin, std::int64_t end) { fetch_add(&sum, int(end - begin)); });
  CHECK(sum == 1000);
}

static void test_interrupt() {
  const std::int64_t n = 200000;
  std::vector<std::int32_t> indptr(n + 1), indices;
  for (std::int64_t v = 0; v < n; ++v) {
    if (v + 1 < n) indices.push_back(std::int32_t(v + 1));
    indptr[v + 1] = std::int32_t(indices.size());
  }
  const Csr<std::int32_t> csr{indptr.data(), indices.data(), n};
  Engine<std::int32_t> engine(csr, csr);
  std::vector<std::int32_t> levels(n);
  Target<std::int32_t> to{nullptr, levels.data(), false, 2, [] { return true; }};
  const Policy policy = [] { Policy p; p.kind = Policy::kFixed, p.fixed = kPullBitmap; return p; }();
  Request<std::int32_t> request;
  request.policy = &policy;
  const std::int32_t source = std::int32_t(n - 1);  // its in-row being n - 2's, and so on
  bool caught = false;
  try {
    engine.search(&source, 1, to, request);
  } catch (const Interrupted&) {
    caught = true;
  }
  CHECK(caught);
}

// Texts of pieces in any order, in a buffer of just their size, against line by line: parsers read nothing beyond
// it, give as many edges as they say, all in range, and stop only at the beginning of a line.
static void test_parse(Random& random) {
  static const char* const pieces[] = {"0",  "1",  "17",  "999", "-1",  "1.5", "1e",  "1e-3", ".",  "123456789012345678",
                                       "9999999999999999999", " ", " ",   "\t", ",",   "\n", "\n", "\r\n", "\r",
                                       "#",  "%",  "//",  "a ",  "c ",  "e",   "1e400", "0.1"};
  std::string text;
  for (std::int64_t k = below(random, 60); k > 0; --k) text += pieces[below(random, sizeof pieces / sizeof *pieces)];
  std::vector<char> exact(text.begin(), text.end());
  const char* const begin = exact.data();
  const char* const end = begin + exact.size();
  const auto starts_line = [&](std::int64_t at) { return at == 0 || begin[at - 1] == '\n'; };
  for (const EdgeFormat format : {EdgeFormat{0, false, false, false, 0, 1000}, EdgeFormat{0, true, false, true, 0, 1000},
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

int main(int argc, char** argv) {
  const int rounds = argc > 1 ? std::atoi(argv[1]) : 40;
  const unsigned first = argc > 2 ? unsigned(std::atoi(argv[2])) : 1;
  test_exceptions();
  test_interrupt();
  for (seed = first; seed < first + unsigned(rounds); ++seed) {
    Random random(seed);
    test_traversal<std::int32_t>(random), test_traversal<std::int64_t>(random);
    test_build<std::int32_t, std::int32_t>(random), test_build<std::int64_t, std::int32_t>(random);
    test_build<std::int64_t, std::int64_t>(random);
    test_products(random);
    test_random<std::int32_t>(random), test_random<std::int64_t>(random);
    test_check_list<std::int32_t>(random), test_check_list<std::int64_t>(random);
    test_check_edges<std::int32_t>(random), test_check_edges<std::int64_t>(random);
    for (int k = 0; k < 500; ++k) test_parse(random);
    if (seed % 10 == 1) test_layouts<std::int32_t>(random), test_layouts<std::int64_t>(random);
  }
  std::printf("%d rounds\n", rounds);
}
