// Graph: an engine over the arrays of a matrix, which it keeps, whatever their types.
#pragma once

#include <memory>
#include <variant>

#include "bindings.hpp"
#include "engine.hpp"

namespace lagbfs {

class Graph {
 public:
  Graph(ConstArray indptr, ConstArray indices, nb::object t_indptr, nb::object t_indices) : kept_{indptr, indices} {
    if (t_indptr.is_none() != t_indices.is_none()) throw std::invalid_argument("t_indptr and t_indices go together");
    ConstArray tp = indptr, ti = indices;
    if (!t_indptr.is_none()) tp = nb::cast<ConstArray>(t_indptr), ti = nb::cast<ConstArray>(t_indices);
    kept_.push_back(tp), kept_.push_back(ti);
    with_widths(indptr, indices, [&](auto index, auto offset) { make<decltype(index), decltype(offset)>(); });
  }

  // Keeps an array for as long as the graph is there.
  const ConstArray& keep(ConstArray array) { return kept_.emplace_back(std::move(array)); }

  template <class F>
  auto visit(F&& f) {
    return std::visit([&](auto& engine) { return f(*engine); }, engine_);
  }

 private:
  template <class Index, class Offset>
  void make() {
    if (kept_[2].size() != kept_[0].size()) throw std::invalid_argument("indptr: unexpected length");
    const auto csr = [&](int i) {
      const auto c = csr_of<Index, Offset>(kept_[i], kept_[i + 1]);
      if (c.indptr[0] != 0 || c.edges() < 0 || c.edges() > std::int64_t(kept_[i + 1].size()))
        throw std::invalid_argument("indptr does not describe indices");
      return c;
    };
    engine_ = std::make_unique<Engine<Index, Offset>>(csr(0), csr(2));
  }

  std::vector<ConstArray> kept_;
  template <class Index, class Offset>
  using Owned = std::unique_ptr<Engine<Index, Offset>>;
  std::variant<Owned<std::int32_t, std::int32_t>, Owned<std::int32_t, std::int64_t>, Owned<std::int64_t, std::int64_t>>
      engine_;
};

}  // namespace lagbfs
