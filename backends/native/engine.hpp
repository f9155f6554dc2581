// Engine<Index, Offset>: a graph, its layout once made, and its work buffers. Any number of threads may search
// it at once.
#pragma once

#include <cstdint>
#include <memory>
#include <mutex>

#include "barren.hpp"
#include "laid.hpp"
#include "layout.hpp"
#include "start.hpp"
#include "traverse.hpp"

namespace lagbfs {

// Where a search writes (any may be null), and who works on it. `order` has the size of a workspace's queue: a search
// in order exchanges the two.
template <class Index>
struct Target {
  Index* parents = nullptr;
  std::int32_t* levels = nullptr;
  bool smallest = false;
  int threads = 0;
  bool (*ask)() = nullptr;
  Recycled<Index>* order = nullptr;
};

template <class Index, class Offset>
class Engine {
 public:
  Engine(const Csr<Index, Offset>& out, const Csr<Index, Offset>& in) : plain_(plain_view(out, in)) {}

  std::int64_t n() const { return plain_.n; }
  std::int64_t edges() const { return plain_.edges; }
  bool symmetric() const { return plain_.out.indptr == plain_.in.indptr; }

  const View<Index, Offset>& plain() const { return plain_; }

  std::shared_ptr<const Layout<Index, Offset>> layout() const {
    std::lock_guard<std::mutex> lock(mutex_);
    return layout_;
  }

  // Made once; later calls find it made. NoRoom if it would hold more than `room` bytes.
  void optimize(int threads, bool (*ask)(), std::size_t room = SIZE_MAX) {
    std::lock_guard<std::mutex> making(making_);
    if (layout()) return;
    {
      Lease lease(threads);  // given back before the layout asks for one
      prepare(lease);
    }
    auto made = std::make_shared<const Layout<Index, Offset>>(plain_, threads, ask, pool_, room);
    std::lock_guard<std::mutex> lock(mutex_);
    layout_ = made;
  }

  // A layout made before, if it is one of this graph, by these keys; without keys it is trusted. Unless there is one.
  // Its arrays have to last.
  bool adopt(const Layout<Index, Offset>& given, const Keys* keys, int threads, bool (*ask)()) {
    std::lock_guard<std::mutex> making(making_);
    if (layout()) return true;
    if (keys) {
      Lease lease(threads);
      Signals signals(ask);
      if (!lays_out(given.view, plain_, *keys, lease, signals)) return false;
    }
    auto made = std::make_shared<const Layout<Index, Offset>>(given.kind, given.depth, given.view);
    std::lock_guard<std::mutex> lock(mutex_);
    layout_ = made;
    return true;
  }

  std::size_t work_bytes() {
    std::lock_guard<std::mutex> lock(mutex_);
    return pool_.bytes() + barren_.bytes();
  }

  // From the sources, everything else unvisited; writes every element of parents and levels.
  Outcome<Index> search(const Index* sources, std::int64_t count, const Target<Index>& to,
                        const Request<Index>& request) {
    return run(sources, count, to, request, [&](State<Index, Offset>& s) { start_fresh(s, sources, count); });
  }

  // From a state that parents and levels describe.
  Outcome<Index> advance(const Index* frontier, std::int64_t count, const Target<Index>& to,
                         const Request<Index>& request) {
    return run(frontier, count, to, request,
               [&](State<Index, Offset>& s) { start_from(s, frontier, count, std::int32_t(request.features.level)); });
  }

 private:
  template <class Start>
  Outcome<Index> run(const Index* frontier, std::int64_t count, const Target<Index>& to, const Request<Index>& request,
                     Start&& start) {
    const auto layout = to.smallest || request.in_order ? nullptr : this->layout();
    const View<Index, Offset>& view = layout && fits(layout->view, frontier, count) ? layout->view : plain_;
    Lent<Index> work(pool_, plain_.n);
    Lease lease(plain_.edges < kAloneGraph ? 1 : to.threads);
    Signals signals(to.ask);
    if (view.edges > kTeamEdges && !request.in_order && request.policy->expects_team()) lease.need();
    if (&view == &plain_) prepare(lease);
    State<Index, Offset> state(view, *work, lease, signals, to.parents, to.levels, to.smallest);
    start(state);
    if (!request.in_order) return run_levels(state, request);
    Outcome<Index> outcome = run_in_order(state, request);
    if (to.order) to.order->swap(work->queue);
    return outcome;
  }

  // Before anything reads plain_ as a whole.
  void prepare(Lease& lease) {
    std::call_once(prepared_, [&] {
      Buffer<Word> barren = find_barren(plain_, lease);
      std::lock_guard<std::mutex> lock(mutex_);
      barren_ = std::move(barren);
    });
  }

  // A layout leaves vertices without edges out: a frontier with one of them is searched without it.
  static bool fits(const View<Index, Offset>& view, const Index* frontier, std::int64_t count) {
    for (std::int64_t i = 0; i < count; ++i)
      if (view.to_label(frontier[i]) >= view.active) return false;
    return true;
  }

  View<Index, Offset> plain_;
  Buffer<Word> barren_;
  std::once_flag prepared_;
  Pool<Index> pool_;
  mutable std::mutex mutex_;
  std::mutex making_;
  std::shared_ptr<const Layout<Index, Offset>> layout_;
};

}  // namespace lagbfs
