// Orders of the vertices. Each writes user[new label] and label[user's label] and returns the number
// of active labels: vertices without edges come last.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "bitmap.hpp"
#include "graph.hpp"
#include "memory.hpp"
#include "tuning.hpp"

namespace lagbfs {

struct Degrees {
  std::int64_t largest = 0, largest_vertex = 0, connected = 0, edges = 0;
  bool skewed() const { return largest * connected > kSkew * edges; }  // largest > kSkew × mean
};

template <class Index, class Offset>
Degrees degrees_of(const Csr<Index, Offset>& csr) {
  Degrees d;
  d.edges = csr.edges();
  for (std::int64_t v = 0; v < csr.rows; ++v) {
    const std::int64_t degree = csr.degree(v);
    d.connected += degree > 0;
    if (degree > d.largest) d.largest = degree, d.largest_vertex = v;
  }
  return d;
}

// The kMaxHubs vertices of highest out-degree (no more than one in kHubShare), ties in the user's order.
template <class Index, class Offset>
std::vector<Index> highest(const Csr<Index, Offset>& out, const Degrees& degrees) {
  const std::int64_t wanted = std::min(kMaxHubs, degrees.connected / kHubShare);
  std::vector<std::int64_t> having(std::min(degrees.largest, kToldApart) + 2);
  for (std::int64_t v = 0; v < out.rows; ++v) ++having[std::min(out.degree(v), kToldApart)];
  std::int64_t least = std::int64_t(having.size()) - 1, found = 0;
  while (least > 1 && found + having[least - 1] <= wanted) found += having[--least];
  std::vector<Index> hubs;
  for (std::int64_t v = 0; v < out.rows; ++v)
    if (out.degree(v) >= least) hubs.push_back(Index(v));
  std::stable_sort(hubs.begin(), hubs.end(), [&](Index a, Index b) { return out.degree(a) > out.degree(b); });
  return hubs;
}

// After the labels below `from`, the vertices not yet labelled, in the user's order: first those with edges.
template <class Index, class Offset>
std::int64_t append_rest(const View<Index, Offset>& plain, std::int64_t from, Index* user, Index* label) {
  const auto has_edges = [&](std::int64_t v) { return plain.out.degree(v) || plain.in.degree(v); };
  std::int64_t active = from, count = 0;
  for (std::int64_t v = 0; v < plain.n; ++v) count += label[v] < 0 && has_edges(v);
  std::int64_t isolated = from + count;
  for (std::int64_t v = 0; v < plain.n; ++v)
    if (label[v] < 0) user[label[v] = Index(has_edges(v) ? active++ : isolated++)] = Index(v);
  return active;
}

// `hubs` becomes the number of hubs.
template <class Index, class Offset>
std::int64_t hubs_first(const View<Index, Offset>& plain, const Degrees& degrees, Index* user, Index* label,
                        std::int64_t& hubs) {
  std::fill(label, label + plain.n, Index(-1));
  std::int64_t next = 0;
  for (Index v : highest(plain.out, degrees)) user[label[v] = Index(next++)] = v;
  hubs = next;
  return append_rest(plain, next, user, label);
}

// Meshes are cut into patches; chains, where a frontier is thin, are one.
inline std::int64_t patch_of(const Degrees& d) {
  constexpr std::int64_t kWhole = std::int64_t{1} << 60;
  return d.edges > kMeshDegree * d.connected ? kPatch : kWhole;
}

// In patches: up to `patch` vertices that a breadth-first walk from one of them finds, then the next patch,
// begun where an earlier one had to stop. A frontier passing through meets a patch's vertices within a few levels
// of each other, and their rows lie together.
template <class Index, class Offset>
std::int64_t patch_order(const View<Index, Offset>& plain, std::int64_t patch, Index* user, Index* label) {
  std::fill(label, label + plain.n, Index(-1));
  std::vector<Index> seeds;
  std::vector<Word> known(words_of(plain.n));  // labelled, or among the seeds
  std::int64_t next = 0, first_seed = 0;
  const auto grow = [&](Index seed) {
    std::int64_t head = next;
    const std::int64_t full = next + patch;
    user[label[seed] = Index(next++)] = seed;
    for (; head < next; ++head)
      for (const Index *e = plain.out.begin(user[head]), *end = plain.out.end(user[head]); e != end; ++e) {
        if (label[*e] >= 0) continue;
        if (next < full) insert_alone(known.data(), *e), user[label[*e] = Index(next++)] = *e;
        else if (insert_alone(known.data(), *e)) seeds.push_back(*e);
      }
  };
  for (std::int64_t root = 0; root < plain.n; ++root) {
    if (label[root] >= 0 || !plain.out.degree(root)) continue;
    insert_alone(known.data(), root), grow(Index(root));
    for (; first_seed < std::int64_t(seeds.size()); ++first_seed)
      if (label[seeds[first_seed]] < 0) grow(seeds[first_seed]);
  }
  return append_rest(plain, next, user, label);
}

}  // namespace lagbfs
