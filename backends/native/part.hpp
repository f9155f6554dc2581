// A part of a search of a split graph: what one block (block.hpp) adds to each level. Levels begin with the frontier of
// all parts, which somebody brings, and end with what was found here; all else stays here in between.
#pragma once

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <exception>
#include <memory>
#include <optional>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "block.hpp"
#include "start.hpp"
#include "traverse.hpp"

namespace lagbfs {

// A frontier of all parts: labels of sources, or the bitmap of them.
template <class Index>
struct Given {
  const Index* list;
  const Word* bitmap;  // null if it is a list
  std::int64_t size;   // of the list
};

// Whoever calls, it is one at a time: another is refused. So is a step after one that failed.
template <class Index, class Offset>
class Part {
 public:
  explicit Part(std::shared_ptr<const Block<Index, Offset>> block) : block_(std::move(block)) {}
  ~Part() {
    if (state_) block_->pool().give(std::move(work_));
  }
  Part(const Part&) = delete;
  Part& operator=(const Part&) = delete;

  const Block<Index, Offset>& block() const { return *block_; }

  // From own vertices, which become the frontier at `level`. The results, of which either may be null, hold what has
  // been found so far; or, if it is `fresh`, nothing but -1.
  Tally begin(const std::vector<Index>& frontier, Index* parents, std::int32_t* levels, bool fresh, std::int32_t level,
              int threads, bool (*ask)()) {
    return alone([&] {
      drop();
      const View<Index, Offset>& view = block_->view();
      work_ = block_->pool().take(view.n, view.out.rows);
      lease_.emplace(threads), signals_.emplace(ask);
      state_.emplace(view, *work_, *lease_, *signals_, parents, levels, false);
      const std::int64_t size = std::int64_t(frontier.size());
      fresh ? start_blank(*state_, frontier.data(), size) : start_from(*state_, frontier.data(), size, level);
      state_->level = level;
      lease_.reset();
      return state_->frontier.tally();
    });
  }

  Tally step(const Given<Index>& frontier, int arm, int threads, bool (*ask)()) {
    return alone([&] {
      need_begun();
      const bool small = block_->view().out.edges() < kAloneGraph;
      lease_.emplace(small ? 1 : threads), signals_.emplace(ask);
      if (block_->view().out.edges() > kTeamEdges) lease_->need();
      give(frontier, arm);
      run_level(*state_, arm);
      lease_.reset();
      return state_->frontier.tally();
    });
  }

  // The own vertices found last, as labels: list(size) is where they go.
  template <class List>
  void found(List&& list) {
    alone([&] {
      need_begun();
      Frontier<Index>& frontier = state_->frontier;
      Index* at = list(frontier.size());
      const Index offset = block_->view().offset;
      if (frontier.form() != Frontier<Index>::kBitmap)
        for (const Index v : frontier.as_queue()) *at++ = v + offset;
      else
        for (std::int64_t w = 0; w < state_->words(); ++w)
          for_bits(frontier.as_bitmap()[w], w * kWordBits, [&](std::int64_t v) { *at++ = Index(v) + offset; });
    });
  }

  // The same as words of the window.
  void found_words(Word* to) {
    alone([&] {
      need_begun();
      Frontier<Index>& frontier = state_->frontier;
      if (frontier.form() != Frontier<Index>::kList)
        return void(std::copy_n(frontier.as_bitmap(), state_->words(), to));
      std::fill_n(to, state_->words(), Word{0});
      for (const Index v : frontier.as_queue()) insert_alone(to, v);
    });
  }

  // Writes what waits to be written.
  void settle(int threads) {
    alone([&] {
      need_begun();
      lease_.emplace(threads);
      state_->claims.settle();
      lease_.reset();
    });
  }

 private:
  // f(), after which the search can go on unless f throws.
  template <class F>
  auto alone(F&& f) {
    if (busy_.exchange(true)) throw std::runtime_error("the part is at work already");
    struct Leave {
      Part& part;
      int exceptions = std::uncaught_exceptions();
      ~Leave() {
        part.lease_.reset();
        if (std::uncaught_exceptions() > exceptions) part.state_.reset(), part.work_.reset();
        part.busy_.store(false);
      }
    } leave{*this};
    return f();
  }

  void drop() {
    if (state_) state_.reset(), block_->pool().give(std::move(work_));
  }

  void need_begun() const {
    if (!state_) throw std::invalid_argument("the search has not begun");
  }

  void give(const Given<Index>& given, int arm) {
    given.bitmap ? give_bitmap(given.bitmap, arm) : give_list(given, direction_of(arm) == 0);
  }
  void give_list(const Given<Index>& given, bool pushes);
  void give_bitmap(const Word* bitmap, int arm);

  const std::shared_ptr<const Block<Index, Offset>> block_;
  typename Pool<Index>::Item work_;
  std::optional<Lease> lease_;  // for as long as a call takes
  std::optional<Signals> signals_;
  std::optional<State<Index, Offset>> state_;
  std::atomic<bool> busy_{false};
};

// Pushes have to know the edges here, and ask for the rows; pulls do not. What is given is read once: others may write
// to it meanwhile.
template <class Index, class Offset>
void Part<Index, Offset>::give_list(const Given<Index>& given, bool pushes) {
  const Csr<Index, Offset> out = state_->view.out;
  Index* const list = state_->frontier.room_for(given.size);
  Sum sum;
  lease_->chunks(given.size, kGivenVertices, [&](int, std::int64_t begin, std::int64_t end) {
    Tally tally{end - begin, 0};
    for (std::int64_t i = begin; i < end; ++i) {
      const Index u = load(given.list + i);
      if (u < 0 || u >= out.rows) throw std::invalid_argument("frontier: no vertex labelled " + std::to_string(u));
      list[i] = u;
      if (pushes) tally.edges += out.degree(u), __builtin_prefetch(out.begin(u));
    }
    sum.add(tally);
  });
  state_->frontier.give_list(sum.total(), words_of(out.rows));
}

template <class Index, class Offset>
void Part<Index, Offset>::give_bitmap(const Word* bitmap, int arm) {
  const Csr<Index, Offset> out = state_->view.out;
  const std::int64_t words = words_of(out.rows);
  Frontier<Index>& frontier = state_->frontier;
  Word* const front = frontier.bitmap_of_sources();
  Sum sum;
  lease_->chunks(words, kGivenWords, [&](int, std::int64_t begin, std::int64_t end) {
    Tally tally;
    for (std::int64_t w = begin; w < end; ++w) {
      const std::int64_t last = out.rows - w * kWordBits;  // bits from there on are nobody's
      front[w] = load(bitmap + w) & (last < kWordBits ? ~(~Word{0} << last) : ~Word{0});
      if (direction_of(arm) != 0) continue;
      tally.vertices += __builtin_popcountll(front[w]);
      for_bits(front[w], w * kWordBits, [&](std::int64_t u) { tally.edges += out.degree(u); });
    }
    sum.add(tally);
  });
  if (arm != kPushQueue) return frontier.give_bitmap(sum.total(), words);
  std::int64_t size = 0;
  Index* const list = frontier.room_for(sum.total().vertices);
  append_bits(*lease_, words, kQueueWords, list, size, [&](std::int64_t w) { return front[w]; });
  frontier.give_list(sum.total(), words);
}

}  // namespace lagbfs
