// Every kernel with its first, second, … allocation failing, until none is left
// to fail: std::bad_alloc or the right result, and the right result when tried
// again on what the failure left behind. Run under AddressSanitizer, which
// tells what leaked; arguments as those of kernels.cpp.
#include <cstdlib>
#include <new>
#if defined(__x86_64__) || defined(__i386__)
#include <immintrin.h>  // which declares posix_memalign, too
#endif

static int refuse(std::size_t);
static int failing_memalign(void** p, std::size_t align, std::size_t size) {
  return refuse(size) ? 12 : posix_memalign(p, align, size);
}
#define LAGBFS_SMALL  // before anything of the kernels: see tuning.hpp
#define posix_memalign failing_memalign

#include <array>
#include <atomic>
#include <string>

#include "build.hpp"
#include "choose.hpp"
#include "common.hpp"
#include "matrix_product.hpp"
#include "merge.hpp"
#include "parse.hpp"
#include "product.hpp"
#include "search.hpp"
#include "turn.hpp"
#include "verify.hpp"

static std::atomic<std::int64_t> left{0};  // allocations until one fails; 0 or less: none does

static int refuse(std::size_t) { return left.load() > 0 && left.fetch_sub(1) == 1; }

void* operator new(std::size_t size) {
  void* const p = refuse(size) ? nullptr : std::malloc(size ? size : 1);
  if (!p) throw std::bad_alloc();
  return p;
}
void* operator new[](std::size_t size) { return operator new(size); }
void operator delete(void* p) noexcept { std::free(p); }
void operator delete[](void* p) noexcept { std::free(p); }
void operator delete(void* p, std::size_t) noexcept { std::free(p); }
void operator delete[](void* p, std::size_t) noexcept { std::free(p); }

static std::int64_t faults = 0;

// run() with the k-th allocation failing, for all k, each time on what
// prepare() made anew; check() looks at the result of a run that was not
// refused anything it could not do without, and of another after each that was.
template <class Prepare, class Run, class Check>
void fail_everywhere(Prepare&& prepare, Run&& run, Check&& check) {
  for (std::int64_t k = 1;; ++k) {
    prepare();
    bool refused = false;
    left.store(k);
    try {
      run();
    } catch (const std::bad_alloc&) {
      refused = true;
    }
    const bool fired = left.exchange(0) <= 0;
    CHECK(fired || !refused);
    faults += fired;
    if (!refused) check();
    run(), check();
    if (!fired) return;
  }
}

// A search on an engine that may have searched before, or been laid out; and
// the layout itself.
template <class Index, class Offset>
void fail_searches(Random& random) {
  const std::int64_t n = 1 + below(random, below(random, 4) ? 300 : 2000);
  const Edges edges = random_edges(random, n, true);
  const auto a = matrix_of<Index, Offset>(edges, n, n);
  const std::vector<Index> sources{Index(below(random, n))};
  std::vector<std::int32_t> want;
  std::vector<Index> smallest;
  plain_bfs(a, sources, want, smallest, 1 << 30);
  for (int before = 0; before < 3; ++before) {
    Arrays<Index> arrays(random, n);
    std::array<Policy, 2> policies{random_policy(random), random_policy(random)};
    Request<Index> request;
    request.targets.push_back(Index(below(random, n)));
    std::unique_ptr<Engine<Index, Offset>> engine;
    const auto search = [&](const Policy& policy) {
      request.policy = &policy;
      engine->search(sources.data(), 1, arrays.target, request);
      request.targets.clear();
      engine->search(sources.data(), 1, arrays.target, request);
    };
    fail_everywhere(
        [&] {
          engine = std::make_unique<Engine<Index, Offset>>(a.csr(), a.csr());
          if (before == 1) search(policies[0]);
        },
        [&] {
          if (before == 2) engine->optimize(2, nullptr);
          search(policies[1]);
        },
        [&] {
          check_result(a, want, smallest, arrays.target.parents, arrays.target.levels, arrays.target.smallest);
          CHECK(before != 2 || engine->layout());
        });
  }
}

template <class Index, class Offset>
void fail_builds(Random& random) {
  const std::int64_t rows = 1 + below(random, 300), size = below(random, 3000);
  std::vector<std::int32_t> src(size), dst(size);
  for (std::int64_t k = 0; k < size; ++k) src[k] = int(below(random, rows)), dst[k] = int(below(random, rows));
  const EdgeList<std::int32_t> edges{src.data(), dst.data(), size, rows, rows, bool(below(random, 2)), false};
  std::vector<std::int64_t> numbers(size);
  for (std::int64_t k = 0; k < size; ++k) numbers[k] = k;
  const Carried carried{numbers.data(), 8};
  Built<Index, Offset> built, turned, back;
  fail_everywhere(
      [] {},
      [&] {
        built = build_csr<Index, Offset>(edges, true, carried, 3);
        turned = transpose(Csr<Index, Offset>{built.indptr.data(), built.indices.data(), rows}, rows,
                           built.values.data(), 8, 3);
        back = transpose(Csr<Index, Offset>{turned.indptr.data(), turned.indices.data(), rows}, rows, nullptr, 0, 3);
      },
      [&] {
        CHECK(back.nnz == built.nnz);
        CHECK(std::equal(back.indptr.data(), back.indptr.data() + rows + 1, built.indptr.data()));
        CHECK(std::equal(back.indices.data(), back.indices.data() + back.nnz, built.indices.data()));
        const auto* const from = static_cast<const std::int64_t*>(static_cast<const void*>(built.values.data()));
        for (std::int64_t e = 0; e < built.nnz; ++e)
          CHECK(src[from[e]] == built.indices[e] || dst[from[e]] == built.indices[e]);
      });
}

// plus.pair over a full vector, which counts the entries of each column, or of
// each row.
static void fail_products(Random& random, bool push) {
  const std::int64_t rows = 1 + below(random, 200), cols = 1 + below(random, 200);
  Edges edges;
  for (std::int64_t k = 0, size = below(random, 3000); k < size; ++k)
    edges.emplace(below(random, rows), below(random, cols));
  const auto m = matrix_of<std::int32_t>(edges, rows, cols);
  std::vector<std::int64_t> indices(rows);
  for (std::int64_t r = 0; r < rows; ++r) indices[r] = r;
  std::vector<std::int64_t> want(push ? cols : rows);
  for (const auto& [r, c] : edges) ++want[push ? c : r];
  Problem<std::int32_t, std::int32_t, std::int64_t> p{m.csr(), cols, {}, {}, {nullptr, false}};
  if (push) p.x = {indices.data(), rows, nullptr, {}};
  const Semiring semiring = semiring_of("plus", "pair");
  Product<std::int64_t> y;
  fail_everywhere([] {}, [&] { y = product<std::int64_t>(semiring, p, push, rows + cols, 3); },
                  [&] {
                    std::int64_t at = 0;
                    for (std::size_t i = 0; i < want.size(); ++i)
                      if (want[i]) CHECK(y.sparse.indices[at] == std::int64_t(i) && y.sparse.values[at++] == want[i]);
                    CHECK(at == y.sparse.size);
                  });
}

// A ∪ A, its lower triangle and its square, of a matrix with all entries.
static void fail_matrices(Random& random) {
  const std::int64_t n = 1 + below(random, 40);
  Edges edges;
  for (std::int64_t i = 0; i < n; ++i)
    for (std::int64_t j = 0; j < n; ++j) edges.emplace(i, j);
  const auto m = matrix_of<std::int32_t>(edges, n, n);
  const std::vector<double> ones(n * n, 1);
  MatrixProblem<std::int32_t, double> p;
  p.a = p.b = m.csr(), p.inner = p.cols = n;
  p.a_values = p.b_values = {ones.data(), 1};
  Combined twice = combined_by("plus", "float64");
  twice.a = twice.b = ones.data(), twice.a_stride = twice.b_stride = 1;
  Merged<std::int32_t> united;
  Chosen<std::int32_t> lower;
  MatrixResult<std::int32_t, double> square;
  fail_everywhere([] {},
                  [&] {
                    united = merge(m.csr(), m.csr(), false, twice, 8, 3);
                    lower = choose_band(Entries<std::int32_t, std::int32_t>{m.csr(), ones.data(), 8}, {1, -n, 1}, 3);
                    square = matrix_product<double>(semiring_of("plus", "times"), p, true, 3);
                  },
                  [&] {
                    CHECK(united.indptr[n] == n * n && lower.indptr[n] == n * (n + 1) / 2);
                    CHECK(square.indptr[n] == n * n);
                    for (std::int64_t e = 0; e < n * n; ++e) CHECK(square.values[e] == double(n));
                  });
}

static void fail_parsers(Random& random) {
  std::string text;
  std::int64_t lines = below(random, 3000);
  for (std::int64_t k = 0; k < lines; ++k) text += std::to_string(k) + " 7 " + (k % 5 ? "2\n" : "2.5\n");
  ParsedEdges edges;
  ParsedRows rows;
  fail_everywhere([] {},
                  [&] {
                    const EdgeFormat format{0, true, false, false, 0, lines + 8};
                    edges = parse_edges(text.data(), text.data() + text.size(), format, nullptr);
                    rows = parse_rows(text.data(), text.data() + (lines ? 6 : 0), nullptr);
                  },
                  [&] {
                    CHECK(edges.stopped < 0 && edges.size == lines);
                    for (std::int64_t k = 0; k < lines; ++k)
                      CHECK(edges.src[k] == k && edges.dst[k] == 7 && edges.weights[k] == (k % 5 ? 2 : 2.5));
                  });
}

int main(int argc, char** argv) {
  const int rounds = argc > 1 ? std::atoi(argv[1]) : 40;
  const unsigned first = argc > 2 ? unsigned(std::atoi(argv[2])) : 1;
  for (seed = first; seed < first + unsigned(rounds); ++seed) {
    Random random(seed);
    fail_searches<std::int32_t, std::int32_t>(random), fail_searches<std::int32_t, std::int64_t>(random);
    fail_builds<std::int32_t, std::int64_t>(random), fail_builds<std::int64_t, std::int64_t>(random);
    fail_products(random, true), fail_products(random, false), fail_matrices(random);
    fail_parsers(random);
  }
  std::printf("%d rounds, %lld faults\n", rounds, static_cast<long long>(faults));
  return faults > 0 ? 0 : 1;
}
