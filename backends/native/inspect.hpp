// Compressed rows from a file, which anybody may have written: whether the kernels may trust them, and a fingerprint.
//
// The fingerprint is a sum over the entries, of numbers made of row, column and value by keys drawn for each check: two
// matrices with the same one have the same entries, in whatever rows and order, though their makers wished otherwise.
#pragma once

#include <atomic>
#include <cstdint>

#include "graph.hpp"
#include "memory.hpp"
#include "signals.hpp"
#include "team.hpp"
#include "tuning.hpp"

namespace lagbfs {

struct Keys {
  std::uint64_t row = 1, column = 1, value = 1;
};

struct Inspected {
  std::int64_t wrong;           // the first row found that is not right, their number if all are
  std::uint64_t print, turned;  // the fingerprint, and that of the transpose
};

inline std::uint64_t mixed(std::uint64_t z) {
  z = (z ^ (z >> 32)) * 0xd6e8feb86659fd93;
  z = (z ^ (z >> 32)) * 0xd6e8feb86659fd93;
  return z ^ (z >> 32);
}

// Rows are right if their entries lie among `entries`, one row's after the other's, and columns ascend strictly below
// `columns`. name(v) is what the fingerprint calls v, value(e) the value of an entry as bits.
template <class Index, class Offset, class Name, class Value>
Inspected inspect(const Csr<Index, Offset>& csr, std::int64_t entries, std::int64_t columns, const Keys& keys,
                  Lease& lease, Signals& signals, const Name& name, const Value& value) {
  Inspected all{csr.rows, 0, 0};
  std::atomic<std::int64_t> wrong{csr.rows};
  lease.chunks(csr.rows, kVerifyRows, [&](int id, std::int64_t from, std::int64_t to) {
    if (signals.tick(id)) return;
    std::uint64_t print = 0, turned = 0;
    for (std::int64_t u = from; u < to; ++u) {
      const std::int64_t begin = std::int64_t(csr.indptr[u]), end = std::int64_t(csr.indptr[u + 1]);
      bool right = 0 <= begin && begin <= end && end <= entries;
      Index last = -1;
      for (std::int64_t e = begin; right && e < end; ++e) right = csr.indices[e] > last, last = csr.indices[e];
      if (!right || std::int64_t(last) >= columns) {
        std::int64_t seen = wrong.load();
        while (u < seen && !wrong.compare_exchange_weak(seen, u)) {
        }
        return;
      }
      const std::uint64_t row = std::uint64_t(name(u));
      for (std::int64_t e = begin; e < end; ++e) {
        const std::uint64_t column = std::uint64_t(name(csr.indices[e])), held = value(e) * keys.value;
        print += mixed(row * keys.row + column * keys.column + held);
        turned += mixed(column * keys.row + row * keys.column + held);
      }
    }
    fetch_add(&all.print, print), fetch_add(&all.turned, turned);
  });
  signals.check();
  all.wrong = wrong.load();
  return all;
}

template <class Index, class Offset>
Inspected inspect_pattern(const Csr<Index, Offset>& csr, std::int64_t entries, std::int64_t columns, const Keys& keys,
                          Lease& lease, Signals& signals) {
  const auto itself = [](std::int64_t v) { return v; };
  return inspect(csr, entries, columns, keys, lease, signals, itself, [](std::int64_t) { return std::uint64_t{0}; });
}

}  // namespace lagbfs
