// Parts of a split graph: any share of the vertices each, none of them maybe, whose levels together are the search.
#pragma once

#include <memory>
#include <vector>

#include "common.hpp"
#include "part.hpp"
#include "paths.hpp"
#include "search.hpp"

// Labels for the vertices that have an edge: windows that begin at multiples of 64, in which they stand in any order.
template <class Index>
struct Labels {
  std::vector<Index> user, label;
  std::vector<std::int64_t> offsets{0}, sizes;
};

template <class Index, class Offset>
Labels<Index> split(Random& random, const Matrix<Index, Offset>& a, const Matrix<Index, Offset>& at, int parts) {
  Labels<Index> s;
  const std::int64_t n = a.csr().rows;
  std::vector<std::vector<Index>> owned(parts);
  for (std::int64_t v = 0; v < n; ++v)
    if (a.csr().degree(v) || at.csr().degree(v)) owned[below(random, 1 + below(random, parts))].push_back(Index(v));
  s.label.assign(n, -1);
  for (auto& own : owned) {
    std::shuffle(own.begin(), own.end(), random);
    for (const Index v : own) s.label[v] = Index(s.user.size()), s.user.push_back(v);
    s.user.resize(words_of(std::int64_t(s.user.size())) * kWordBits, -1);
    s.offsets.push_back(std::int64_t(s.user.size())), s.sizes.push_back(std::int64_t(own.size()));
  }
  return s;
}

// A part, with all that its block points to.
template <class Index, class Offset>
struct Member {
  Matrix<Index, Offset> rows;
  std::vector<Index> degrees, user, parents;
  std::vector<std::int32_t> levels;
  std::int64_t offset, size;
  std::shared_ptr<const Block<Index, Offset>> block;
  std::unique_ptr<Part<Index, Offset>> part;

  Member(const Matrix<Index, Offset>& a, const Edges& edges, const Labels<Index>& s, std::size_t p, bool named)
      : user(s.user), offset(s.offsets[p]), size(s.sizes[p]) {
    Edges own;
    for (const auto& [u, v] : edges)
      if (s.label[v] >= offset && s.label[v] < s.offsets[p + 1]) own.emplace(s.label[u], s.label[v] - offset);
    rows = matrix_of<Index, Offset>(own, std::int64_t(s.user.size()), size);
    for (std::int64_t v = 0; v < size; ++v) degrees.push_back(Index(a.csr().degree(s.user[offset + v])));
    const Owned<Index> owned{size, offset, degrees.data(), named ? user.data() : nullptr, a.csr().rows};
    block = std::make_shared<const Block<Index, Offset>>(rows.csr(), owned, 3, nullptr);
    part = std::make_unique<Part<Index, Offset>>(block);
    CHECK(block->sources() == std::int64_t(s.user.size()) && block->results() == (named ? a.csr().rows : size));
  }
};

// What the caller does between two levels, in the open: which vertices all parts have found.
template <class Index, class Offset>
struct Search {
  std::vector<std::unique_ptr<Member<Index, Offset>>> members;
  std::vector<Index> found;
  std::vector<Word> words;
  Tally tally;

  // Both forms of what the parts have found are the same, and as many as they say.
  void gather() {
    found.clear(), words.assign(members[0]->user.size() / kWordBits, Word{0});
    for (const auto& m : members) {
      std::vector<Index> own;
      m->part->found([&](std::int64_t size) { return own.resize(size), own.data(); });
      std::vector<Word> bits(words_of(m->size));
      m->part->found_words(bits.data());
      std::size_t count = 0;
      for (const Word w : bits) count += std::size_t(__builtin_popcountll(w));
      CHECK(count == own.size());
      for (const Index v : own) {
        CHECK(v >= m->offset && v < m->offset + m->size && test(bits.data(), v - m->offset));
        words[v >> 6] |= bit_of(v), found.push_back(v);
      }
    }
    CHECK(std::int64_t(found.size()) == tally.vertices);
  }
};

static void check_edges_of(const Tally& tally, std::int64_t vertices, std::int64_t edges) {
  CHECK(tally.vertices == vertices && tally.edges == edges);
}

// Whole searches of one split: any arms and threads, either form, results by label or by name, in one go or taken up
// again from what was found.
template <class Index, class Offset>
void test_parts(Random& random) {
  const std::int64_t n = 1 + below(random, below(random, 10) ? 300 : 9000);
  const Edges edges = random_edges(random, n, below(random, 2));
  const auto a = matrix_of<Index, Offset>(edges, n, n), at = matrix_of<Index, Offset>(flipped(edges), n, n);
  const int parts = 1 + int(below(random, 4));
  const Labels<Index> s = split(random, a, at, parts);
  if (s.user.empty()) return;
  for (const bool named : {false, true}) {
    Search<Index, Offset> search;
    for (int p = 0; p < parts; ++p)
      search.members.push_back(std::make_unique<Member<Index, Offset>>(a, edges, s, p, named));
    for (int times = 0; times < 4; ++times) search_parts(random, search, a, s, named);
    refuse_labels(search);
  }
}

template <class Index, class Offset>
void search_parts(Random& random, Search<Index, Offset>& search, const Matrix<Index, Offset>& a, const Labels<Index>& s,
                  bool named) {
  const std::int64_t n = a.csr().rows;
  std::vector<Index> sources;
  for (std::int64_t k = 1 + below(random, 3); k > 0; --k) {
    const Index u = s.user[below(random, std::int64_t(s.user.size()))];
    if (u >= 0) sources.push_back(u);
  }
  std::vector<std::int32_t> want;
  std::vector<Index> smallest;
  plain_bfs(a, sources, want, smallest, 1 << 30);
  const std::int64_t which = below(random, 3);
  std::vector<Index> parents(n, -1);
  std::vector<std::int32_t> levels(n, -1);
  const auto begin = [&](const std::vector<Index>& frontier, bool fresh, std::int32_t level) {
    search.tally = {};
    for (const auto& m : search.members) {
      std::vector<Index> own;
      for (const Index v : frontier)
        if (v >= m->offset && v < m->offset + m->size) own.push_back(Index(v - m->offset));
      if (fresh) m->parents.assign(m->size, -1), m->levels.assign(m->size, -1);
      search.tally += m->part->begin(own,
                                     which == 1 ? nullptr
                                     : named    ? parents.data()
                                                : m->parents.data(),
                                     which == 0 ? nullptr
                                     : named    ? levels.data()
                                                : m->levels.data(),
                                     fresh, level, 1 + int(below(random, 3)), nullptr);
    }
    search.gather();
  };
  std::vector<Index> first;
  for (const Index u : sources) first.push_back(s.label[u]);
  begin(first, true, 0);
  std::int32_t level = 0;
  for (; search.tally.vertices > 0; ++level) {
    if (below(random, 6) == 0) {
      for (const auto& m : search.members) m->part->settle(2);
      begin(std::vector<Index>(search.found), false, level);
    }
    std::int64_t vertices = 0, out = 0;
    for (std::int64_t v = 0; v < n; ++v)
      if (want[v] == level) ++vertices, out += a.csr().degree(v);
    check_edges_of(search.tally, vertices, out);
    const bool listed = below(random, 2);
    std::shuffle(search.found.begin(), search.found.end(), random);
    const Given<Index> given{search.found.data(), listed ? nullptr : search.words.data(),
                             std::int64_t(search.found.size())};
    search.tally = {};
    for (const auto& m : search.members)
      search.tally += m->part->step(given, int(below(random, kArmCount)), 1 + int(below(random, 4)), nullptr);
    search.gather();
  }
  for (const auto& m : search.members) {
    m->part->settle(3);
    for (std::int64_t v = 0; v < m->size && !named; ++v) {
      parents[s.user[m->offset + v]] = m->parents[v] < 0 ? Index(-1) : s.user[m->parents[v]];
      levels[s.user[m->offset + v]] = m->levels[v];
    }
  }
  check_result(a, want, smallest, which == 1 ? nullptr : parents.data(), which == 0 ? nullptr : levels.data(), false);
}

// Labels out of range end a search; a step before one has begun is refused; bits past the last source are nobody's.
template <class Index, class Offset>
void refuse_labels(Search<Index, Offset>& search) {
  Member<Index, Offset>& m = *search.members[0];
  const auto refused = [&](Index label) {
    try {
      m.part->step(Given<Index>{&label, nullptr, 1}, kPushQueue, 1, nullptr);
    } catch (const std::invalid_argument&) {
      return true;
    }
    return false;
  };
  m.parents.assign(m.block->results(), -1);
  m.part->begin({}, m.parents.data(), nullptr, true, 0, 1, nullptr);
  CHECK(!refused(Index(m.block->sources() - 1)));
  CHECK(refused(Index(m.block->sources())) && refused(0));
  m.part->begin({}, m.parents.data(), nullptr, true, 0, 1, nullptr);
  CHECK(refused(-1) && refused(0));
}

// Of sources that do not fill a word, as a caller may have them who does not pad: 3 here, all of which lead to vertex
// 0.
static void test_bits_past_the_sources() {
  const auto rows = matrix_of<std::int32_t>({{0, 0}, {2, 0}}, 3, 1);
  const std::int32_t degree = 1;
  const auto block = std::make_shared<const Block<std::int32_t, std::int32_t>>(
      rows.csr(), Owned<std::int32_t>{1, 1, &degree, nullptr, 0}, 1, nullptr);
  for (int arm = 0; arm < kArmCount; ++arm) {
    Part<std::int32_t, std::int32_t> part(block);
    std::int32_t parent = -1;
    part.begin({}, &parent, nullptr, true, 0, 1, nullptr);
    const Word past = ~Word{7}, third = ~Word{3};
    CHECK(part.step({nullptr, &past, 0}, arm, 1, nullptr).vertices == 0);
    CHECK(part.step({nullptr, &third, 0}, arm, 1, nullptr).vertices == 1);
    part.settle(1);
    CHECK(parent == 2);
  }
}

// The second look is in the level: nothing can go on after it.
template <class Index, class Offset>
void test_stopping_parts(Random& random) {
  Edges edges;
  const std::int64_t n = 640;
  for (std::int64_t v = 1; v < n; ++v) edges.emplace(v % 100, v);
  const auto a = matrix_of<Index, Offset>(edges, n, n), at = matrix_of<Index, Offset>(flipped(edges), n, n);
  const Labels<Index> s = split(random, a, at, 1);
  for (int arm = 0; arm < kArmCount; ++arm) {
    Member<Index, Offset> m(a, edges, s, 0, false);
    m.parents.assign(m.size, -1);
    std::vector<Index> sources;
    for (Index v = 0; v < 100; ++v) sources.push_back(s.label[v]);
    m.part->begin(sources, m.parents.data(), nullptr, true, 0, 1, nullptr);
    const Given<Index> given{sources.data(), nullptr, std::int64_t(sources.size())};
    patience = 0;
    CHECK(stops([&] { patience = 0, m.part->step(given, arm, 1, impatient); }));
    bool refused = false;
    try {
      m.part->step(given, arm, 1, nullptr);
    } catch (const std::invalid_argument&) {
      refused = true;
    }
    CHECK(refused);
  }
}
