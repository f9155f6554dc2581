// Whether a square matrix has each entry both ways: compared with its transpose, which is not stored.
#pragma once

#include <algorithm>
#include <cstdint>

#include "build.hpp"

namespace lagbfs {

// Whether the first entries have their way back: few matrices that are not symmetric pass.
template <class Index, class Offset>
bool looks_symmetric(const Csr<Index, Offset>& csr) {
  for (std::int64_t u = 0; u < csr.rows && csr.indptr[u] < kGlance; ++u)
    for (const Index *e = csr.begin(u), *const end = csr.end(u); e != end && e - csr.indices < kGlance; ++e)
      if (!std::binary_search(csr.begin(*e), csr.end(*e), Index(u))) return false;
  return true;
}

template <class Index, class Offset>
bool is_symmetric(const Csr<Index, Offset>& csr, int threads, bool (*ask)() = nullptr) {
  if (!looks_symmetric(csr)) return false;
  Lease lease(threads);
  Signals signals(ask);
  Turned<Index, Offset> turned(csr, csr.rows, lease);
  Buffer<Offset> indptr(csr.rows + 1);
  turned.place(indptr.data());
  signals.tick(0), signals.check();
  if (!std::equal(indptr.begin(), indptr.end(), csr.indptr)) return false;
  bool differs = false;
  turned.each(lease, signals, [&](Offset to, std::int64_t r, std::int64_t) {
    if (csr.indices[to] != Index(r)) store(&differs, true);
  });
  return !differs;
}

}  // namespace lagbfs
