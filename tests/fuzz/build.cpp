// build_csr and transpose against sorting all entries.
#include "build.hpp"

#include <array>

#include "input.hpp"
#include "turn.hpp"

using Entry = std::array<std::int64_t, 3>;  // row, column, position

static bool same_place(const Entry& a, const Entry& b) { return a[0] == b[0] && a[1] == b[1]; }

template <class Index, class Offset>
void check_built(const Built<Index, Offset>& found, const std::vector<Entry>& want, std::int64_t rows, bool carries) {
  CHECK(found.nnz == std::int64_t(want.size()) && found.indptr[0] == 0 && found.indptr[rows] == found.nnz);
  CHECK(bool(found.values) == carries);
  const auto* const from = static_cast<const std::int64_t*>(static_cast<const void*>(found.values.data()));
  for (std::int64_t r = 0, e = 0; r < rows; ++r) {
    CHECK(found.indptr[r] <= found.indptr[r + 1]);
    for (; e < found.indptr[r + 1]; ++e) {
      CHECK(want[e][0] == r && want[e][1] == found.indices[e]);
      if (carries) CHECK(want[e][2] == from[e]);
    }
  }
}

template <class Index, class Offset>
void check_transpose(const Built<Index, Offset>& built, std::vector<Entry> entries, std::int64_t rows,
                     std::int64_t cols, bool carries, int threads) {
  std::vector<std::int64_t> numbers;
  for (std::size_t e = 0; e < entries.size(); ++e)
    entries[e] = {entries[e][1], entries[e][0], std::int64_t(e)}, numbers.push_back(std::int64_t(e));
  std::sort(entries.begin(), entries.end());
  const Csr<Index, Offset> csr{built.indptr.data(), built.indices.data(), rows};
  check_built(transpose(csr, cols, numbers.data(), carries ? 8 : 0, threads), entries, cols, carries);
}

template <class Index, class Offset, class In>
void check(Input& input) {
  const std::int64_t rows = input.below(3000), cols = input.flag() ? rows : input.below(3000);
  const bool symmetrize = input.flag(), drop = input.flag(), dedup = input.flag(), carries = input.flag();
  const int threads = threads_of(input);
  std::vector<In> src, dst;
  std::vector<Entry> want;
  bool bad = symmetrize && rows != cols;
  while (!input.done()) {
    // Now and then one that is out of range, at either end.
    const auto end = [&](std::int64_t n) {
      return input.below(250) == 249 ? input.bits<In>() : In(n ? input.below(n) : 0);
    };
    const In u = end(rows), v = end(cols);
    bad |= u < 0 || u >= rows || v < 0 || v >= cols;
    const std::int64_t k = std::int64_t(src.size());
    src.push_back(u), dst.push_back(v);
    if (u == v && drop) continue;
    want.push_back({u, v, k});
    if (symmetrize && u != v) want.push_back({v, u, k});
  }
  const EdgeList<In> edges{src.data(), dst.data(), std::int64_t(src.size()), rows, cols, symmetrize, drop};
  std::vector<std::int64_t> numbers(src.size());
  for (std::size_t k = 0; k < numbers.size(); ++k) numbers[k] = std::int64_t(k);
  const Carried carried{numbers.data(), carries ? 8 : 0};
  bool refused = false;
  try {
    const auto built = build_csr<Index, Offset>(edges, dedup, carried, threads);
    std::sort(want.begin(), want.end());
    if (dedup) want.erase(std::unique(want.begin(), want.end(), same_place), want.end());
    CHECK(!bad);
    check_built(built, want, rows, carries);
    if (dedup) check_transpose(built, want, rows, cols, carries, threads);
  } catch (const std::invalid_argument&) {
    refused = true;
  }
  CHECK(refused == bad);
}

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  Input input(data, size);
  switch (input.below(3)) {
    case 0:
      return check<std::int32_t, std::int32_t, std::int32_t>(input), 0;
    case 1:
      return check<std::int32_t, std::int64_t, std::int32_t>(input), 0;
    default:
      return check<std::int64_t, std::int64_t, std::int64_t>(input), 0;
  }
}
