// Many searches in step (Then et al., The More the Merrier, 2014). Row v of a table holds a bit for each search:
//
//   seen   whether the search has found v            visit  whether it did so at the level before
//   next⟨¬seen⟩ = visit any.pair A;   seen = seen ∪ next
//
//   push  each vertex of the frontier, that any search has, adds its row to those of its out-neighbours
//   pull  each open vertex, that some search still lacks, gathers the rows of its in-neighbours until none does
//
// Distances are kept in planes: plane p has the bit of (v, search) if the distance has 2^p. They come into being as
// levels are reached, so that no depth is too large, and are made numbers at the end (distances.hpp).
#pragma once

#include <algorithm>
#include <cstdint>
#include <utility>
#include <vector>

#include "graph.hpp"
#include "lanes.hpp"
#include "many.hpp"
#include "recycle.hpp"
#include "signals.hpp"
#include "team.hpp"
#include "tuning_many.hpp"

namespace lagbfs {

// Rows of W words, and which of them are not empty: as a bitmap, and as a list where they are few and a push made them.
template <class Index>
struct LaneFrontier {
  LaneFrontier(std::int64_t n, int width) : rows(n * width), set(words_of(n)), list(n + 1) {}
  Recycled<Word> rows, set;
  Recycled<Index> list;
  std::int64_t size = 0, edges = 0;
  bool listed = true;
};

// What searches in step leave: the planes of their distances, in the view's labels.
struct LanePlanes {
  Recycled<Word> seen;
  std::vector<Recycled<Word>> planes;
  int width = 1;
};

template <int W, class Index, class Offset>
class Together {
 public:
  Together(const View<Index, Offset>& view, Lease& lease, Signals& signals, bool keeps_planes, bool per_vertex)
      : view_(view),
        lease_(lease),
        signals_(signals),
        keeps_planes_(keeps_planes),
        seen_(view.active * W),
        front_(view.active, W),
        next_(view.active, W),
        open_(words_of(view.active)),
        sums_(per_vertex ? view.active : 0),
        depths_(per_vertex ? view.active : 0),
        tallies_(lease.wanted()),
        last_(view.in.indices + std::max<std::int64_t>(view.edges - kLaneAhead, 0)) {}

  // From up to 64 W sources, of the user's labels.
  void run(const Index* sources, std::int64_t k, const ManyWanted& wanted, PerSource& found) {
    start(sources, k, found);
    for (level_ = 1; front_.size > 0 && level_ <= wanted.max_depth; ++level_) {
      reach_plane();
      front_.edges < open_edges_ / kPushShare ? push() : pull();
      signals_.check();
      collect(k, found);
    }
  }

  void add_to(const PerVertex& out) {
    const auto add = [&](int, std::int64_t begin, std::int64_t end) {
      for (std::int64_t v = begin; v < end; ++v) {
        std::int64_t count = 0;
        for (int j = 0; j < W; ++j) count += __builtin_popcountll(seen_[v * W + j]);
        if (count) out.add(view_.to_user(Index(v)), sums_[v], count, depths_[v]);
      }
    };
    lease_.chunks(view_.active, kLaneVertices, add);
  }

  LanePlanes planes() { return {std::move(seen_), std::move(planes_), W}; }

 private:
  using Set = Lanes<W>;
  static constexpr int kTogether = W > 2 ? 2 : 4;

  // What one thread has found of a level.
  struct alignas(64) Tally {
    LaneCounts<W> counts;
    Set alive = Set::none();
    std::int64_t vertices = 0, edges = 0, open_edges = 0;
    int size = 0;
    Index found[kBatch];  // by a push, and not yet listed
  };

  void blank(Recycled<Word>& words) {
    lease_.chunks(std::int64_t(words.size()), kLaneFill, [&](int, std::int64_t begin, std::int64_t end) {
      std::fill(words.data() + begin, words.data() + end, Word{0});
    });
  }

  void start(const Index* sources, std::int64_t k, PerSource& found) {
    for (Recycled<Word>* words : {&seen_, &front_.rows, &next_.rows, &front_.set, &next_.set}) blank(*words);
    std::fill_n(sums_.data(), sums_.size(), 0), std::fill_n(depths_.data(), depths_.size(), 0);
    std::fill_n(open_.data(), open_.size(), ~Word{0});
    if (view_.active & 63) open_[view_.active >> 6] = ~(~Word{0} << (view_.active & 63));
    open_edges_ = view_.edges;
    Word alive[W] = {};
    for (std::int64_t s = 0; s < k; ++s) {
      found.add(s, 0, 1);
      const std::int64_t v = view_.to_label(sources[s]);
      if (v >= view_.active) continue;  // it has no edges
      seen_[v * W + (s >> 6)] |= bit_of(s), front_.rows[v * W + (s >> 6)] |= bit_of(s), alive[s >> 6] |= bit_of(s);
      if (!insert_alone(front_.set.data(), v)) continue;
      front_.list[front_.size++] = Index(v), front_.edges += view_.out.degree(v);
    }
    alive_ = Set::at(alive);
  }

  // The planes that the distances of this level have.
  void reach_plane() {
    written_.clear();
    if (!keeps_planes_) return;
    for (int p = 0; level_ >> p; ++p) {
      if (p == int(planes_.size())) planes_.emplace_back(seen_.size()), blank(planes_.back());
      if (level_ >> p & 1) written_.push_back(planes_[p].data());
    }
  }

  // Vertex v is found by these searches.
  void take(std::int64_t v, const Set& seen, const Set& news, Tally& tally) {
    (seen | news).to(seen_.data() + v * W);
    for (Word* const plane : written_) (Set::at(plane + v * W) | news).to(plane + v * W);
    tally.counts.add(news), tally.alive = tally.alive | news;
    ++tally.vertices, tally.edges += view_.out.degree(v);
    if (sums_.size()) note(v, news);
  }

  void note(std::int64_t v, const Set& news) {
    Word words[W];
    news.to(words);
    int count = 0;
    for (const Word word : words) count += __builtin_popcountll(word);
    sums_[v] += std::int64_t{level_} * count, depths_[v] = level_;
  }

  // Pull.

  void pull() {
    const bool probes = W >= kProbeWords && front_.edges < view_.edges / kProbeShare;
    open_edges_ = 0;
    lease_.chunks(words_of(view_.active), kLaneWords, [&](int id, std::int64_t begin, std::int64_t end) {
      if (signals_.tick(id)) return;
      for (std::int64_t w = begin; w < end; ++w)
        probes ? pull_word<true>(w, tallies_[id]) : pull_word<false>(w, tallies_[id]);
    });
    next_.listed = false;
  }

  // Rows of the frontier before, in whose memory the next one is made, are emptied where nothing is found.
  template <bool Probes>
  void pull_word(std::int64_t w, Tally& tally) {
    const Word stale = next_.set[w];
    Word open = open_[w], found = 0;
    for_bits(open_[w], w * kWordBits, [&](std::int64_t v) {
      const Set seen = Set::at(seen_.data() + v * W), unseen = alive_.without(seen);
      const Set news = unseen.any() ? gather<Probes>(v, unseen) : Set::none();
      if (unseen.any() && news.any()) {
        news.to(next_.rows.data() + v * W), take(v, seen, news, tally);
        found |= bit_of(v);
      }
      if (news.covers(unseen)) open &= ~bit_of(v);
      else tally.open_edges += view_.in.degree(v);
    });
    for_bits(stale & ~found, w * kWordBits, [&](std::int64_t v) { Set::none().to(next_.rows.data() + v * W); });
    open_[w] = open, next_.set[w] = found;
  }

  // The searches that lack v and have an in-neighbour of it in their frontier. Rows are gathered some at a time: what
  // is read beyond the one that settles v costs less than a look after each.
  template <bool Probes>
  Set gather(std::int64_t v, const Set& unseen) {
    const Word *const rows = front_.rows.data(), *const set = front_.set.data();
    const auto row = [&](const Index* e) { return Set::at(rows + std::int64_t(*e) * W); };
    const Index *e = view_.in.begin(v), *const end = view_.in.end(v);
    Set all = Set::none();
    if (Probes) {
      for (; e != end; ++e)
        if (test(set, *e) && (all = all | row(e)).covers(unseen)) break;
      return all & unseen;
    }
    for (; end - e >= kTogether; e += kTogether) {
      for (int i = 0; i < kTogether; ++i) __builtin_prefetch(rows + std::int64_t(*ahead(e + i)) * W);
      for (int i = 0; i < kTogether; ++i) all = all | row(e + i);
      if (all.covers(unseen)) return unseen;
    }
    for (; e != end; ++e) all = all | row(e);
    return all & unseen;
  }

  // The entry some way further on in the rows of pull, or their last one.
  const Index* ahead(const Index* e) const { return e < last_ ? e + kLaneAhead : e; }

  // Push.

  void push() {
    empty_next();
    lease_.use(front_.edges < kAloneEdges ? 1 : 0);
    const bool alone = front_.edges < kAloneEdges || lease_.need() == 1;
    tail_ = 0;
    each_of(front_, [&](int id, std::int64_t u) {
      alone ? push_row<true>(u, tallies_[id]) : push_row<false>(u, tallies_[id]);
    });
    for (Tally& tally : tallies_) list_found(tally);
    next_.listed = tail_ * kListShare < view_.active, next_.size = tail_;
    signals_.check();
    each_of(next_, [&](int id, std::int64_t v) {
      take(v, Set::at(seen_.data() + v * W), Set::at(next_.rows.data() + v * W), tallies_[id]);
    });
    lease_.use(0);
  }

  // f(id, v) for each vertex of a frontier.
  template <class F>
  void each_of(LaneFrontier<Index>& frontier, F&& f) {
    if (frontier.listed) {
      const Index* const list = frontier.list.data();
      lease_.chunks(frontier.size, kLaneVertices, [&](int id, std::int64_t begin, std::int64_t end) {
        if (signals_.tick(id)) return;
        for (std::int64_t i = begin; i < end; ++i) f(id, std::int64_t(list[i]));
      });
    } else {
      lease_.chunks(words_of(view_.active), kLaneWords, [&](int id, std::int64_t begin, std::int64_t end) {
        if (signals_.tick(id)) return;
        for (std::int64_t w = begin; w < end; ++w)
          for_bits(frontier.set[w], w * kWordBits, [&](std::int64_t v) { f(id, v); });
      });
    }
  }

  void empty_next() {
    each_of(next_, [&](int, std::int64_t v) { Set::none().to(next_.rows.data() + v * W); });
    if (next_.listed)
      for (std::int64_t i = 0; i < next_.size; ++i) next_.set[next_.list[i] >> 6] = 0;
    else blank(next_.set);
  }

  template <bool Alone>
  void push_row(std::int64_t u, Tally& tally) {
    const Set row = Set::at(front_.rows.data() + u * W);
    const Index *e = view_.out.begin(u), *const end = view_.out.end(u);
    for (; e != end; ++e) {
      if (end - e > kAhead) __builtin_prefetch(seen_.data() + std::int64_t(e[kAhead]) * W);
      const Set news = row.without(Set::at(seen_.data() + std::int64_t(*e) * W));
      if (news.any()) add<Alone>(*e, news, tally);
    }
  }

  // Whoever is the first to find a vertex lists it.
  template <bool Alone>
  void add(Index v, const Set& news, Tally& tally) {
    Word* const row = next_.rows.data() + std::int64_t(v) * W;
    if (Alone) (Set::at(row) | news).to(row);
    else add_shared(row, news);
    if (!(Alone ? insert_alone(next_.set.data(), v) : insert_shared(next_.set.data(), v))) return;
    tally.found[tally.size++] = v;
    if (tally.size == kBatch) list_found(tally);
  }

  void list_found(Tally& tally) {
    const std::int64_t at = fetch_add(&tail_, std::int64_t(tally.size));
    std::copy(tally.found, tally.found + tally.size, next_.list.data() + at);
    tally.size = 0;
  }

  static void add_shared(Word* row, const Set& news) {
    Word words[W];
    news.to(words);
    for (int j = 0; j < W; ++j)
      if (words[j] & ~load(row + j)) fetch_or(row + j, words[j]);
  }

  // What the threads have found becomes the frontier.
  void collect(std::int64_t k, PerSource& found) {
    std::int64_t counts[Set::kCount] = {};
    alive_ = Set::none(), next_.size = next_.edges = 0;
    for (Tally& tally : tallies_) {
      tally.counts.drain(counts);
      alive_ = alive_ | tally.alive, tally.alive = Set::none();
      next_.size += std::exchange(tally.vertices, 0), next_.edges += std::exchange(tally.edges, 0);
      open_edges_ += std::exchange(tally.open_edges, 0);
    }
    for (std::int64_t s = 0; s < k; ++s) found.add(s, level_, counts[s]);
    std::swap(front_, next_);
  }

  const View<Index, Offset>& view_;
  Lease& lease_;
  Signals& signals_;
  const bool keeps_planes_;
  std::int32_t level_ = 0;
  Recycled<Word> seen_;
  LaneFrontier<Index> front_, next_;
  Recycled<Word> open_;  // vertices that a search may still find
  Recycled<std::int64_t> sums_;
  Recycled<std::int32_t> depths_;
  std::vector<Recycled<Word>> planes_;
  std::vector<Word*> written_;
  std::vector<Tally> tallies_;
  Set alive_ = Set::none();      // searches that have found something at the level before
  std::int64_t open_edges_ = 0;  // into open vertices, when last counted
  std::int64_t tail_ = 0;        // of the list that a push makes
  const Index* const last_;      // from here on no entry is so far ahead
};

}  // namespace lagbfs
