// Some entries of a matrix: those in a band, and those that an array of flags names.
#pragma once

#include <algorithm>
#include <cstdint>

#include "graph.hpp"
#include "memory.hpp"
#include "recycle.hpp"
#include "signals.hpp"
#include "team.hpp"
#include "tuning.hpp"
#include "values.hpp"

namespace lagbfs {

// Entries with their values, `width` bytes each; 0: without.
template <class Index, class Offset>
struct Entries {
  Csr<Index, Offset> csr;
  const void* values = nullptr;
  int width = 0;
};

template <class Index>
struct Chosen {
  Buffer<std::int64_t> indptr;
  Recycled<Index> indices;
  Recycled<char> values;
};

// f(i) for every row, by the team where there are many entries.
template <class F>
void each_row(std::int64_t rows, std::int64_t entries, Lease& lease, Signals& signals, F&& f) {
  lease.chunks(rows, entries < kMergeAlone ? std::max<std::int64_t>(rows, 1) : kMergeRows,
               [&](int id, std::int64_t begin, std::int64_t end) {
                 if (signals.tick(id)) return;
                 for (std::int64_t i = begin; i < end; ++i) f(i);
               });
  signals.check();
}

// What is chosen once chosen.indptr[i + 1] is the number of entries of row i: copy(i, to) then writes them.
template <class Index, class F>
void fill_chosen(Chosen<Index>& c, std::int64_t rows, std::int64_t entries, int width, Lease& lease, Signals& signals,
                 F&& copy) {
  c.indptr[0] = 0;
  for (std::int64_t i = 0; i < rows; ++i) c.indptr[i + 1] += c.indptr[i];
  c.indices = Recycled<Index>(c.indptr[rows]), c.values = Recycled<char>(c.indptr[rows] * width);
  each_row(rows, entries, lease, signals, copy);
}

// The entries with slope · i + low <= j < slope · i + high: columns ascend, so that they lie side by side.
struct Band {
  std::int64_t slope, low, high;
};

template <class Index, class Offset>
Chosen<Index> choose_band(const Entries<Index, Offset>& e, const Band& band, int threads, bool (*ask)() = nullptr) {
  Lease lease(threads);
  Signals signals(ask);
  const Csr<Index, Offset>& csr = e.csr;
  Chosen<Index> c{Buffer<std::int64_t>(csr.rows + 1)};
  Buffer<Offset> starts(csr.rows);
  const auto before = [&](std::int64_t i, std::int64_t bound) {
    return std::lower_bound(csr.begin(i), csr.end(i), bound) - csr.indices;
  };
  each_row(csr.rows, csr.edges(), lease, signals, [&](std::int64_t i) {
    const std::int64_t from = before(i, band.slope * i + band.low);
    starts[i] = Offset(from);
    c.indptr[i + 1] = std::max<std::int64_t>(before(i, band.slope * i + band.high) - from, 0);
  });
  fill_chosen(c, csr.rows, csr.edges(), e.width, lease, signals, [&](std::int64_t i) {
    const std::int64_t to = c.indptr[i], size = c.indptr[i + 1] - to;
    std::copy_n(csr.indices + starts[i], size, c.indices.data() + to);
    move_values(e.width, c.values.data(), to, e.values, starts[i], size);
  });
  return c;
}

// The entries whose flag is 1, not 0.
template <class Index, class Offset>
Chosen<Index> choose_flagged(const Entries<Index, Offset>& e, const std::uint8_t* flags, int threads,
                             bool (*ask)() = nullptr) {
  Lease lease(threads);
  Signals signals(ask);
  const Csr<Index, Offset>& csr = e.csr;
  Chosen<Index> c{Buffer<std::int64_t>(csr.rows + 1)};
  each_row(csr.rows, csr.edges(), lease, signals, [&](std::int64_t i) {
    std::int64_t count = 0;
    for (std::int64_t at = csr.indptr[i]; at < std::int64_t(csr.indptr[i + 1]); ++at) count += flags[at];
    c.indptr[i + 1] = count;
  });
  fill_chosen(c, csr.rows, csr.edges(), e.width, lease, signals, [&](std::int64_t i) {
    std::int64_t from = csr.indptr[i];
    for (std::int64_t to = c.indptr[i]; to < c.indptr[i + 1]; to += flags[from++]) {  // overwritten unless flagged
      c.indices[to] = csr.indices[from];
      move_value(e.width, c.values.data(), to, e.values, from);
    }
  });
  return c;
}

}  // namespace lagbfs
