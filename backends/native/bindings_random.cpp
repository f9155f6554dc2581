// rmat_edges and attach: see random.hpp.
#include <nanobind/stl/optional.h>

#include <limits>
#include <optional>

#include "bindings.hpp"
#include "random.hpp"

namespace lagbfs {
namespace {

template <class Index>
nb::object draw_as(const Rmat& rmat, nb::handle names, const Scramble* scramble, std::int64_t first, std::int64_t size,
                   int threads) {
  ConstArray given;
  const Index* renamed = nullptr;
  if (!names.is_none()) {
    given = nb::cast<ConstArray>(names);
    renamed = data_of<const Index>(given, "names", std::int64_t(1) << rmat.scale);
  }
  Buffer<Index> src{std::size_t(size)}, dst{std::size_t(size)};
  without_gil([&] { draw_edges(rmat, renamed, scramble, first, size, src.data(), dst.data(), threads, ask_python); });
  nb::object from = to_numpy(std::move(src), std::size_t(size));
  return nb::make_tuple(from, to_numpy(std::move(dst), std::size_t(size)));
}

nb::object rmat_edges(int scale, std::int64_t size, std::uint64_t a, std::uint64_t b, std::uint64_t c,
                      std::uint64_t seed, std::uint64_t stream, nb::object names, std::optional<std::uint64_t> scramble,
                      std::int64_t first, int threads) {
  if (scale < 0 || scale > 62 || size < 0 || first < 0)
    throw std::invalid_argument("scale, size or first out of range");
  const Rmat rmat{Stream(seed, stream), scale, {a, b, c}};
  const Scramble renaming(Stream(seed, scramble.value_or(0)), scale);
  const Scramble* const renamed = scramble ? &renaming : nullptr;
  return scale < 32 ? draw_as<std::int32_t>(rmat, names, renamed, first, size, threads)
                    : draw_as<std::int64_t>(rmat, names, renamed, first, size, threads);
}

template <class Index>
nb::object attach_as(const Stream& words, std::int64_t n, std::int64_t m) {
  const std::size_t size = std::size_t(m * (n - m));
  Buffer<Index> ends(size);
  without_gil([&] { attach(words, n, m, ends.data(), ask_python); });
  return to_numpy(std::move(ends), size);
}

nb::object attach_any(std::int64_t n, std::int64_t m, std::uint64_t seed, std::uint64_t stream) {
  if (m < 1 || n <= m || n > std::numeric_limits<std::int64_t>::max() / 2 / m)
    throw std::invalid_argument("n or m out of range");
  const Stream words(seed, stream);
  return n <= std::numeric_limits<std::int32_t>::max() ? attach_as<std::int32_t>(words, n, m)
                                                       : attach_as<std::int64_t>(words, n, m);
}

}  // namespace

void bind_random(nb::module_& m) {
  using namespace nb::literals;
  m.def("rmat_edges", &rmat_edges, "scale"_a, "size"_a, "a"_a, "b"_a, "c"_a, "seed"_a, "stream"_a,
        "names"_a = nb::none(), "scramble"_a = nb::none(), "first"_a = 0, "threads"_a = 0);
  m.def("attach", &attach_any, "n"_a, "m"_a, "seed"_a, "stream"_a);
}

}  // namespace lagbfs
