// Values folded into one: those of each row, of each column, or of whatever lies side by side.
//
// The order is fixed, so that sums of floats are the same for any number of threads. In a row there are kLanes sums, of
// every kLanes-th value each, which are then added pair by pair; in a column, a sum for each of some blocks of rows.
#pragma once

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <string>

#include "graph.hpp"
#include "memory.hpp"
#include "signals.hpp"
#include "team.hpp"
#include "tuning.hpp"
#include "values.hpp"

namespace lagbfs {

constexpr std::int64_t kLanes = 8;

template <class Op, class T>
inline T fold_values(const T* values, std::int64_t size) {
  T lanes[kLanes];
  std::int64_t used = std::min(size, kLanes), at = kLanes;
  for (std::int64_t l = 0; l < used; ++l) lanes[l] = values[l];
  for (; at + kLanes <= size; at += kLanes)
    for (std::int64_t l = 0; l < kLanes; ++l) lanes[l] = Op{}(lanes[l], values[at + l]);
  for (std::int64_t l = 0; at + l < size; ++l) lanes[l] = Op{}(lanes[l], values[at + l]);
  for (; used > 1; used = (used + 1) / 2) {
    for (std::int64_t l = 0; l < used / 2; ++l) lanes[l] = Op{}(lanes[2 * l], lanes[2 * l + 1]);
    if (used % 2) lanes[used / 2] = lanes[used - 1];
  }
  return lanes[0];
}

// out[i] becomes what values starts[i] … starts[i + 1] fold into; 0 where there are none.
template <class Op, class T, class Offset>
void fold_groups(const T* values, const Offset* starts, std::int64_t groups, T* out, Lease& lease, Signals& signals) {
  const std::int64_t alone = starts[groups] - starts[0] < kMergeAlone;
  lease.chunks(groups, alone ? std::max<std::int64_t>(groups, 1) : kMergeRows,
               [&](int id, std::int64_t begin, std::int64_t end) {
                 if (signals.tick(id)) return;
                 for (std::int64_t i = begin; i < end; ++i) {
                   const std::int64_t size = starts[i + 1] - starts[i];
                   out[i] = size ? fold_values<Op>(values + starts[i], size) : T{};
                 }
               });
  signals.check();
}

template <class T>
struct Folded {
  Buffer<T> values;
  Buffer<std::uint8_t> present;
};

// The values of each column, by `blocks` blocks of rows of about as many entries. Sums begin with what any value can be
// added to without changing it, so that adding one asks for nothing.
template <class Op, class T, class Index, class Offset>
Folded<T> fold_columns(const Csr<Index, Offset>& csr, const T* values, std::int64_t cols, std::int64_t blocks,
                       Lease& lease, Signals& signals) {
  Folded<T> f{Buffer<T>(blocks * cols), Buffer<std::uint8_t>(blocks * cols)};
  const auto first_row = [&](std::int64_t block) {
    if (block == blocks) return csr.rows;
    return std::int64_t(std::lower_bound(csr.indptr, csr.indptr + csr.rows, Offset(csr.edges() / blocks * block)) -
                        csr.indptr);
  };
  lease.chunks(blocks, 1, [&](int id, std::int64_t block, std::int64_t) {
    T* const sums = f.values.data() + block * cols;
    std::uint8_t* const there = f.present.data() + block * cols;
    std::fill(sums, sums + cols, Op::template identity<T>()), std::memset(there, 0, cols);
    for (std::int64_t i = first_row(block), end = first_row(block + 1); i < end; ++i) {
      if (i % kAskRows == 0 && signals.tick(id)) return;
      for (std::int64_t e = csr.indptr[i]; e < std::int64_t(csr.indptr[i + 1]); ++e) {
        T& sum = sums[csr.indices[e]];
        sum = Op{}(sum, values[e]), there[csr.indices[e]] = 1;
      }
    }
  });
  signals.check();
  for (std::int64_t block = 1; block < blocks; ++block)
    for (std::int64_t c = 0, at = block * cols; c < cols; ++c, ++at)
      if (f.present[at]) f.values[c] = Op{}(f.values[c], f.values[at]), f.present[c] = 1;
  for (std::int64_t c = 0; c < cols; ++c)
    if (!f.present[c]) f.values[c] = T{};
  return f;
}

// Folds `size` values from `from` on, one by one, into value `to`: duplicates are folded so.
using FoldRun = void (*)(void* values, std::int64_t to, std::int64_t from, std::int64_t size);

template <class Op, class T>
void fold_run(void* values, std::int64_t to, std::int64_t from, std::int64_t size) {
  T* const v = static_cast<T*>(values);
  T sum = v[from];
  for (std::int64_t i = 1; i < size; ++i) sum = Op{}(sum, v[from + i]);
  v[to] = sum;
}

// The function of an operator over a dtype, null if there is none.
inline FoldRun fold_run_by(const std::string& op, const std::string& dtype) {
  FoldRun run = nullptr;
  with_operator(op, dtype, [&](auto f, auto zero) { run = fold_run<decltype(f), decltype(zero)>; });
  return run;
}

}  // namespace lagbfs
