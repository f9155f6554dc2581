// The frontier: a queue, a bitmap, or both. Whoever needs one of them asks for it, and it is made if it is not there;
// a kernel that has made the next frontier says as what.
//
//   queue        frontiers one after the other; the next one begins where this one ends
//   front, next  the bitmap, and the memory in which a kernel makes the next one
//
// A block's (block.hpp) is of sources while a level is computed, and of what the level has found until the whole
// frontier is given: as a list, which does not go to the queue, or as a bitmap of another size.
//
// For teams the queue is also cut into runs (runs.hpp), each owned by the thread that found its vertices.
#pragma once

#include <algorithm>
#include <cstdint>
#include <utility>

#include "bitmap.hpp"
#include "runs.hpp"
#include "tally.hpp"
#include "team.hpp"
#include "tuning.hpp"
#include "workspace.hpp"

namespace lagbfs {

// Appends to list, from `tail` on, the vertices of the bitmap word(0), word(1), …: those of one word side by side.
template <class Index, class F>
void append_bits(Lease& lease, std::int64_t words, std::int64_t chunk, Index* list, std::int64_t& tail, F&& word) {
  lease.chunks(words, chunk, [&](int, std::int64_t begin, std::int64_t end) {
    std::int64_t size = 0;
    for (std::int64_t w = begin; w < end; ++w) size += __builtin_popcountll(word(w));
    if (size == 0) return;
    Index* at = list + fetch_add(&tail, size);
    for (std::int64_t w = begin; w < end; ++w)
      for_bits(word(w), w * kWordBits, [&](std::int64_t v) { *at++ = Index(v); });
  });
}

template <class Index>
class Frontier {
 public:
  enum Form : int { kList, kBitmap, kBoth };  // as features have it

  Frontier(Workspace<Index>& work, std::int64_t words, Lease& lease)
      : work_(work), lease_(lease), words_(words), front_words_(words), list_(work.queue.data()) {}

  std::int64_t size() const { return tally_.vertices; }
  std::int64_t edges() const { return tally_.edges; }
  const Tally& tally() const { return tally_; }
  Form form() const { return !mapped_ ? kList : queued_ ? kBoth : kBitmap; }

  Span<const Index> as_queue() {
    if (!queued_) enqueue();
    return {list_ + head_, list_ + end_};
  }

  const Word* as_bitmap() {
    if (!mapped_) map();
    return work_.front.data();
  }

  // Adds a vertex of so many out-edges to a frontier that has a queue, and to its bitmap if it has one: that leaves out
  // vertices given twice.
  void add(Index v, std::int64_t degree) {
    if (mapped_ && !insert_alone(work_.front.data(), v)) return;
    work_.queue[tail_++] = v, end_ = tail_;
    tally_ += Tally{1, degree};
  }

  // Memory for the next frontier as a bitmap. An empty one is to be left empty, or to be made the frontier.
  Word* next_bitmap() { return work_.next.data(); }
  Word* empty_next_bitmap() {
    if (!empty_next_) clear(work_.next.data(), words_);
    empty_next_ = true;
    return work_.next.data();
  }

  // The next bitmap, written all over, holds the frontier.
  void became_bitmap(const Tally& tally) {
    work_.front.swap(work_.next);
    tally_ = tally, front_words_ = words_;
    mapped_ = true, queued_ = empty_next_ = false;
  }

  // Memory for the next frontier as a queue: room for one entry more than there can be vertices.
  Index* next_queue() { return work_.queue.data() + tail_; }

  // One thread has written the frontier to the next queue, up to `end`; the vertices have so many out-edges.
  void became_queue(const Index* end, std::int64_t edges) {
    const std::int64_t head = tail_;
    tail_ = end - work_.queue.data();
    enqueued({tail_ - head, edges}, head, false);
  }

  // For a team: deal_runs cuts the queue into runs of at most so many vertices, which threads then take; what they find
  // they append, a run at a time, and in the end that is the frontier.
  void deal_runs(std::int64_t longest) {
    runs_.turn(lease_.size(), owned_, head_, end_, longest);
    next_head_ = tail_;
  }

  bool take_run(int id, Span<const Index>& run) {
    Run taken;
    if (!runs_.take(id, taken)) return false;
    run = {list_ + taken.begin, list_ + taken.end};
    return true;
  }

  // Returns where the run stands.
  const Index* append_run(int id, const Index* vertices, std::int64_t size) {
    const std::int64_t at = fetch_add(&tail_, size);
    Index* const place = work_.queue.data() + at;
    std::copy(vertices, vertices + size, place);
    runs_.note(id, {at, at + size});
    return place;
  }

  void became_runs(const Tally& tally) { enqueued(tally, next_head_, true); }

  // Memory for a list of so many sources, and for a bitmap of them. One of them, filled in, is then given as the
  // frontier; who needs its edges counts them.
  Index* room_for(std::int64_t size) {
    if (std::int64_t(work_.given.size()) < size) work_.given = Recycled<Index>(size);
    return work_.given.data();
  }
  Word* bitmap_of_sources() { return work_.front.data(); }

  void give_list(const Tally& tally, std::int64_t words) {
    list_ = work_.given.data(), head_ = 0, end_ = tally.vertices;
    tally_ = tally, front_words_ = words;
    queued_ = true, mapped_ = owned_ = false;
  }

  void give_bitmap(const Tally& tally, std::int64_t words) {
    tally_ = tally, front_words_ = words;
    mapped_ = true, queued_ = false;
  }

 private:
  void enqueued(const Tally& tally, std::int64_t head, bool owned) {
    list_ = work_.queue.data(), head_ = head, end_ = tail_;
    tally_ = tally, owned_ = owned;
    queued_ = true, mapped_ = false;
  }

  void enqueue() {
    const std::int64_t head = tail_;
    append_bits(lease_, front_words_, kQueueWords, work_.queue.data(), tail_,
                [front = work_.front.data()](std::int64_t w) { return front[w]; });
    enqueued(tally_, head, false);
    mapped_ = true;
  }

  void map() {
    const Index* const queue = list_ + head_;
    Word* const front = work_.front.data();
    const std::int64_t size = end_ - head_;
    clear(front, front_words_);
    if (size < kMapAlone)
      for (std::int64_t i = 0; i < size; ++i) insert_alone(front, queue[i]);
    else
      lease_.chunks(size, kMapVertices, [&](int, std::int64_t begin, std::int64_t end) {
        for (std::int64_t i = begin; i < end; ++i) insert_shared(front, queue[i]);
      });
    mapped_ = true;
  }

  Workspace<Index>& work_;
  Lease& lease_;
  const std::int64_t words_;  // of the next bitmap,
  std::int64_t front_words_;  // and of this one
  const Index* list_;         // list[head … end) is the frontier, if queued: the queue, or a list that was given
  std::int64_t head_ = 0, end_ = 0;
  std::int64_t tail_ = 0, next_head_ = 0;  // of the queue, and where the next frontier begins
  bool queued_ = true, mapped_ = false;
  bool empty_next_ = false;  // the next bitmap is empty
  bool owned_ = false;       // the runs noted last are those of the queue
  Runs runs_;
  Tally tally_;
};

}  // namespace lagbfs
