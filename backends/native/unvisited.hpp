// The unvisited: the bitmap of the visited vertices, which every kernel keeps, and for pull:list a list of the others,
// kept from level to level for as long as nobody else visits any.
//
// A barren vertex's bit is set from the start: no search looks for it (graph.hpp).
#pragma once

#include <algorithm>
#include <cstdint>

#include "frontier.hpp"
#include "graph.hpp"
#include "settle.hpp"
#include "tally.hpp"

namespace lagbfs {

template <class Index, class Offset>
class Unvisited {
 public:
  // The list has its memory from the claims: the scratch of the workspace.
  Unvisited(const View<Index, Offset>& view, Workspace<Index>& work, Lease& lease, Claims<Index>& claims)
      : view_(view), work_(work), lease_(lease), claims_(claims) {}

  std::int64_t size() const { return view_.n - visited_.vertices; }
  std::int64_t edges() const { return view_.edges - visited_.edges; }

  Word* visited() { return work_.visited.data(); }

  // So many vertices more have their bits set.
  void count_visited(const Tally& found) { visited_ += found; }

  // All of them but the barren.
  void reset() {
    const std::int64_t words = words_of(view_.active);
    if (view_.barren) std::copy(view_.barren, view_.barren + words, visited());
    else clear_visited(visited(), view_.active);
  }

  // Those of one word of the bitmap side by side.
  Span<Index> as_list() {
    if (!listed_) list();
    return {work_.scratch.data(), work_.scratch.data() + listed_size_};
  }

  // What has been visited is taken off the list: so many, in order, are left of it.
  void became_list(std::int64_t size) { listed_size_ = size; }

  // Some may have been visited and not been taken off.
  void forget_list() { listed_ = false; }

 private:
  void list() {
    claims_.settle();
    work_.reserve_scratch();
    listed_size_ = 0;
    append_bits(lease_, words_of(view_.active), kListWords, work_.scratch.data(), listed_size_,
                [visited = visited()](std::int64_t w) { return ~visited[w]; });
    listed_ = true;
  }

  const View<Index, Offset>& view_;
  Workspace<Index>& work_;
  Lease& lease_;
  Claims<Index>& claims_;
  bool listed_ = false;
  std::int64_t listed_size_ = 0;
  Tally visited_;
};

}  // namespace lagbfs
