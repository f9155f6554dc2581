// classes Block and Part (block.hpp, part.hpp), and the arrays that parts write.
#include <memory>
#include <variant>

#include "bindings.hpp"
#include "part.hpp"
#include "recycle.hpp"

namespace lagbfs {
namespace {

template <template <class, class> class Of>
using Any =
    std::variant<std::shared_ptr<Of<std::int32_t, std::int32_t>>, std::shared_ptr<Of<std::int32_t, std::int64_t>>,
                 std::shared_ptr<Of<std::int64_t, std::int64_t>>>;

// A block and the arrays that it points to.
struct BlockOfArrays {
  Any<Block> block;
  std::vector<ConstArray> kept;
};

struct BlockOptions {
  std::int64_t columns, offset, results;
  int threads;
};

template <class Index, class Offset>
std::shared_ptr<Block<Index, Offset>> block_of(const ConstArray& indptr, const ConstArray& indices,
                                               const ConstArray& degrees, const ConstArray& user, bool named,
                                               const BlockOptions& o) {
  const auto out = csr_of<Index, Offset>(indptr, indices);
  if (out.indptr[0] != 0 || out.edges() < 0 || out.edges() > std::int64_t(indices.size()))
    throw std::invalid_argument("indptr does not describe indices");
  if (o.columns < 0 || o.offset < 0 || o.columns > out.rows || o.offset > out.rows - o.columns)
    throw std::invalid_argument("offset: the own vertices are not among the sources");
  Owned<Index> owned{o.columns, o.offset, data_of<const Index>(degrees, "degrees", o.columns), nullptr, o.results};
  if (named) {
    owned.user = data_of<const Index>(user, "user", out.rows);
    for (std::int64_t v = o.offset; v < o.offset + o.columns; ++v)
      if (owned.user[v] < 0 || owned.user[v] >= o.results) throw std::invalid_argument("user: out of range");
  }
  return without_gil([&] { return std::make_shared<Block<Index, Offset>>(out, owned, o.threads, ask_python); });
}

void make_block(BlockOfArrays* self, ConstArray indptr, ConstArray indices, std::int64_t columns, std::int64_t offset,
                ConstArray degrees, nb::object user, std::int64_t results, int threads) {
  const bool named = !user.is_none();
  BlockOfArrays made{{}, {indptr, indices, degrees}};
  if (named) made.kept.push_back(nb::cast<ConstArray>(user));
  with_widths(indptr, indices, [&](auto index, auto start) {
    made.block = block_of<decltype(index), decltype(start)>(indptr, indices, degrees, made.kept.back(), named,
                                                            {columns, offset, results, threads});
  });
  new (self) BlockOfArrays(std::move(made));
}

// A part, what it writes, and the block, whose arrays it reads.
struct PartOfBlock {
  Any<Part> part;
  nb::object block, parents, levels;

  explicit PartOfBlock(nb::object of) : block(of) {
    std::visit(
        [&](const auto& made) {
          const auto make = [&](auto& block) { return part_of(block); };
          part = make(made);
        },
        nb::cast<BlockOfArrays&>(of).block);
  }

  template <class Index, class Offset>
  static std::shared_ptr<Part<Index, Offset>> part_of(const std::shared_ptr<Block<Index, Offset>>& block) {
    return std::make_shared<Part<Index, Offset>>(block);
  }
};

nb::tuple pair_of(const Tally& tally) { return nb::make_tuple(tally.vertices, tally.edges); }

template <class Index, class Offset>
nb::tuple begin_part(Part<Index, Offset>& part, nb::handle frontier, const nb::object& parents,
                     const nb::object& levels, bool fresh, std::int32_t level, int threads) {
  const std::int64_t results = part.block().results();
  const std::vector<Index> own = vertices_of<Index>(frontier, part.block().view().n, "frontier");
  Index* const to = parents.is_none() ? nullptr : data_of<Index>(nb::cast<Array>(parents), "parents", results);
  std::int32_t* const at =
      levels.is_none() ? nullptr : data_of<std::int32_t>(nb::cast<Array>(levels), "levels", results);
  if (!to && !at) throw std::invalid_argument("neither parents nor levels are given");
  return pair_of(without_gil([&] { return part.begin(own, to, at, fresh, level, threads, ask_python); }));
}

template <class Index, class Offset>
nb::tuple step_part(Part<Index, Offset>& part, const ConstArray& frontier, bool bitmap, int arm, int threads) {
  if (arm < 0 || arm >= kArmCount) throw std::invalid_argument("arm: no such arm");
  Given<Index> given{};
  if (bitmap) given.bitmap = data_of<const Word>(frontier, "frontier", words_of(part.block().sources()));
  else given = {data_of<const Index>(frontier, "frontier"), nullptr, std::int64_t(frontier.size())};
  return pair_of(without_gil([&] { return part.step(given, arm, threads, ask_python); }));
}

template <class Index, class Offset>
nb::object found_by(Part<Index, Offset>& part, bool bitmap) {
  if (bitmap) {
    const Fresh words(words_of(part.block().view().n), dtype_of<Word>());
    return part.found_words(words.as<Word>()), words.array;
  }
  nb::object list;
  part.found([&](std::int64_t size) {
    const Fresh labels(size, dtype_of<Index>());
    list = labels.array;
    return labels.template as<Index>();
  });
  return list;
}

// All -1, in memory that is kept for the next.
template <class T>
nb::object blank_array(std::int64_t size, int threads) {
  auto made = std::make_unique<Recycled<T>>();
  without_gil([&] {
    *made = Recycled<T>(std::size_t(size));
    Lease lease(size < kBlankLeast ? 1 : threads);
    return blank(lease, made->data(), size), 0;
  });
  T* const data = made->data();
  nb::capsule owner(made.release(), [](void* p) noexcept { delete static_cast<Recycled<T>*>(p); });
  return to_numpy(data, std::size_t(size), owner);
}

template <class F>
auto with_part(PartOfBlock& p, F&& f) {
  return std::visit([&](const auto& part) { return f(*part); }, p.part);
}

}  // namespace

void bind_block(nb::module_& m) {
  using namespace nb::literals;
  nb::class_<BlockOfArrays>(m, "Block")
      .def("__init__", &make_block, "indptr"_a, "indices"_a, "columns"_a, "offset"_a, "degrees"_a,
           "user"_a = nb::none(), "results"_a = 0, "threads"_a = 0)
      .def_prop_ro("bytes", [](const BlockOfArrays& b) {
        return std::visit([](const auto& block) { return block->bytes(); }, b.block);
      });
  nb::class_<PartOfBlock>(m, "Part")
      .def(
          "__init__", [](PartOfBlock* self, nb::object block) { new (self) PartOfBlock(block); }, "block"_a)
      .def(
          "begin",
          [](PartOfBlock& p, nb::object frontier, nb::object parents, nb::object levels, bool fresh, std::int32_t level,
             int threads) {
            if (level < 0) throw std::invalid_argument("level: negative");
            const auto begin = [&](auto& part) {
              return begin_part(part, frontier, parents, levels, fresh, level, threads);
            };
            nb::tuple found = with_part(p, begin);
            p.parents = parents, p.levels = levels;
            return found;
          },
          "frontier"_a, "parents"_a.none(), "levels"_a.none(), "fresh"_a = true, "level"_a = 0, "threads"_a = 0)
      .def(
          "step",
          [](PartOfBlock& p, ConstArray frontier, bool bitmap, int arm, int threads) {
            return with_part(p, [&](auto& part) { return step_part(part, frontier, bitmap, arm, threads); });
          },
          "frontier"_a, "bitmap"_a, "arm"_a, "threads"_a = 0)
      .def(
          "found",
          [](PartOfBlock& p, bool bitmap) { return with_part(p, [&](auto& part) { return found_by(part, bitmap); }); },
          "bitmap"_a)
      .def(
          "settle",
          [](PartOfBlock& p, int threads) {
            with_part(p, [&](auto& part) { without_gil([&] { return part.settle(threads), 0; }); });
          },
          "threads"_a = 0);
  m.def(
      "blank",
      [](std::int64_t size, bool wide, int threads) {
        if (size < 0) throw std::invalid_argument("size: negative");
        return wide ? blank_array<std::int64_t>(size, threads) : blank_array<std::int32_t>(size, threads);
      },
      "size"_a, "wide"_a = false, "threads"_a = 0);
}

}  // namespace lagbfs
