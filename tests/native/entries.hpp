// Lists of entries against sets: see lists.hpp of the kernels.
#pragma once

#include <map>
#include <set>
#include <vector>

#include "common.hpp"
#include "lists.hpp"

inline std::vector<std::int64_t> some_indices(Random& random, std::int64_t n) {
  std::set<std::int64_t> chosen;
  for (std::int64_t k = 0, size = below(random, below(random, 3) ? 12 : 300); k < size; ++k)
    chosen.insert(std::int64_t(below(random, n)));
  return {chosen.begin(), chosen.end()};
}

inline void test_lists(Random& random) {
  const std::int64_t n = 1 + below(random, below(random, 2) ? 40 : 4000);
  const auto u = some_indices(random, n), v = some_indices(random, n), named = some_indices(random, n);
  const Indices a{u.data(), u.data() + u.size()}, b{v.data(), v.data() + v.size()};
  const std::set<std::int64_t> in_u(u.begin(), u.end()), in_v(v.begin(), v.end()), inside(named.begin(), named.end());
  std::vector<std::int64_t> all, both;
  unite_lists(a, b, [&](std::int64_t i, std::int64_t at, std::int64_t other) {
    CHECK((at >= 0) == bool(in_u.count(i)) && (other >= 0) == bool(in_v.count(i)));
    CHECK((at < 0 || u[at] == i) && (other < 0 || v[other] == i) && (all.empty() || all.back() < i));
    all.push_back(i);
  });
  meet_lists(a, b, [&](std::int64_t at, std::int64_t other) {
    CHECK(u[at] == v[other] && (both.empty() || both.back() < u[at]));
    both.push_back(u[at]);
  });
  CHECK(all.size() + both.size() == u.size() + v.size());
  const bool listed = below(random, 2), complement = below(random, 2), replace = below(random, 2);
  std::vector<std::uint8_t> bytes(n);
  for (const std::int64_t i : named) bytes[i] = 1;
  const ListMask mask = listed ? ListMask(Indices(named.data(), named.data() + named.size()), complement)
                               : ListMask(Span<const std::uint8_t>(bytes.data(), bytes.data() + n), complement);
  std::map<std::int64_t, bool> want, found;  // whether an entry is new
  for (const std::int64_t i : u)
    if (!replace && bool(inside.count(i)) == complement) want[i] = false;
  for (const std::int64_t i : v)
    if (bool(inside.count(i)) != complement) want[i] = true;
  write_list(a, b, mask, replace, [&](std::int64_t i, std::int64_t old, std::int64_t fresh) {
    CHECK((old >= 0) != (fresh >= 0) && (old >= 0 ? u[old] : v[fresh]) == i);
    CHECK(found.empty() || found.rbegin()->first < i);
    found[i] = fresh >= 0;
  });
  CHECK(found == want);
}
