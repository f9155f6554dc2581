// Blocks of memory that are kept for the next.
#pragma once

#include <algorithm>

#include "common.hpp"
#include "recycle.hpp"

static void test_recycled() {
  Recycler& recycler = Recycler::instance();
  recycler.clear();
  constexpr std::size_t kSize = 4 * kLeastKept;
  const void* first = nullptr;
  {
    Recycled<char> block(kSize);
    first = block.data();
  }
  CHECK(recycler.bytes() == kSize);
  {
    Recycled<char> larger(kSize + 1), smaller(kSize / 4 * 3);  // neither fits
    CHECK(larger.data() != first && smaller.data() != first && recycler.bytes() == kSize);
    Recycled<char> fits(kSize - kSize / 8);
    CHECK(fits.data() == first && fits.size() == kSize - kSize / 8 && recycler.bytes() == 0);
    Recycled<char> moved(std::move(fits));
    CHECK(moved.data() == first && !fits && fits.size() == 0);
  }
  {
    Recycled<char> shrunk(kSize);
    std::fill(shrunk.begin(), shrunk.end(), 'x');
    shrunk.shrink(kSize / 2 + 1);
    CHECK(shrunk.size() == kSize / 2 + 1 && std::count(shrunk.begin(), shrunk.end(), 'x') == kSize / 2 + 1);
    first = shrunk.data();
  }
  CHECK(Recycled<char>(kSize).data() == first);  // as long as it was
  for (std::size_t k = 0; k < 2 * kKeptBlocks; ++k) Recycled<char> block(kSize << (k % 3));
  CHECK(recycler.bytes() <= kMostKept);
  {
    Recycled<char> most(kMostKept), small(kLeastKept - 1);
  }
  CHECK(recycler.bytes() == kMostKept);  // all that was given back before had to go, and small blocks are not kept
  recycler.clear();
  CHECK(recycler.bytes() == 0);
}
