// unite_lists, meet_lists, write_list and pick: see lists.hpp.
#include "bindings.hpp"
#include "lists.hpp"

namespace lagbfs {
namespace {

constexpr std::int64_t kQuick = 1 << 12;  // entries for which the GIL is not worth releasing

template <class F>
void run(std::int64_t entries, F&& f) {
  if (entries < kQuick) return f();
  without_gil([&] { return f(), 0; });
}

Indices indices_of(const ConstArray& array, const char* name) {
  const auto* data = data_of<const std::int64_t>(array, name);
  return {data, data + array.size()};
}

struct Entries {
  Indices indices;
  const void* values;
};

Entries entries_of(const ConstArray& indices, const ConstArray& values, const char* name) {
  if (indices.size() != values.size()) throw std::invalid_argument(std::string(name) + ": unexpected length");
  return {indices_of(indices, name), values.data()};
}

// f(zero) of an unsigned integer as wide as the values.
template <class F>
nb::object with_word(const ConstArray& x, const ConstArray& y, F&& f) {
  if (x.dtype() != y.dtype()) throw std::invalid_argument("values: of one dtype");
  switch (x.dtype().bits) {
    case 8:
      return f(std::uint8_t{});
    case 16:
      return f(std::uint16_t{});
    case 32:
      return f(std::uint32_t{});
    case 64:
      return f(std::uint64_t{});
    default:
      throw std::invalid_argument("values: unexpected dtype");
  }
}

nb::object unite(ConstArray u_indices, ConstArray u_values, ConstArray v_indices, ConstArray v_values,
                 nb::handle dtype) {
  const Entries u = entries_of(u_indices, u_values, "u"), v = entries_of(v_indices, v_values, "v");
  const std::int64_t all = u.indices.size() + v.indices.size();
  return with_word(u_values, v_values, [&](auto zero) {
    using Word = decltype(zero);
    const Word *x = static_cast<const Word*>(u.values), *y = static_cast<const Word*>(v.values);
    std::int64_t shared = 0;
    run(all, [&] { meet_lists(u.indices, v.indices, [&](std::int64_t, std::int64_t) { ++shared; }); });
    const nb::handle wide = dtype_of<std::int64_t>();
    Fresh indices(all - shared, wide), values(all - shared, dtype);
    Fresh both(shared, wide), u_at(shared, wide), v_at(shared, wide);
    auto *i = indices.as<std::int64_t>(), *there = both.as<std::int64_t>();
    auto *a_at = u_at.as<std::int64_t>(), *b_at = v_at.as<std::int64_t>();
    auto* z = values.as<Word>();
    run(all, [&] {
      std::int64_t size = 0, met = 0;
      unite_lists(u.indices, v.indices, [&](std::int64_t index, std::int64_t a, std::int64_t b) {
        if (a >= 0 && b >= 0) there[met] = size, a_at[met] = a, b_at[met++] = b;
        i[size] = index, z[size++] = b >= 0 ? y[b] : x[a];
      });
    });
    return nb::object(nb::make_tuple(indices.array, values.array, both.array, u_at.array, v_at.array));
  });
}

nb::object meet(ConstArray u_indices, ConstArray v_indices) {
  const Indices u = indices_of(u_indices, "u_indices"), v = indices_of(v_indices, "v_indices");
  const std::int64_t all = u.size() + v.size();
  std::int64_t shared = 0;
  run(all, [&] { meet_lists(u, v, [&](std::int64_t, std::int64_t) { ++shared; }); });
  Fresh indices(shared, dtype_of<std::int64_t>()), u_at(shared, dtype_of<std::int64_t>()),
      v_at(shared, dtype_of<std::int64_t>());
  auto *i = indices.as<std::int64_t>(), *a_at = u_at.as<std::int64_t>(), *b_at = v_at.as<std::int64_t>();
  run(all, [&] {
    std::int64_t size = 0;
    meet_lists(u, v, [&](std::int64_t a, std::int64_t b) { i[size] = u[a], a_at[size] = a, b_at[size++] = b; });
  });
  return nb::make_tuple(indices.array, u_at.array, v_at.array);
}

nb::object write(ConstArray w_indices, ConstArray w_values, ConstArray z_indices, ConstArray z_values, ConstArray mask,
                 bool complement, bool replace, nb::handle dtype) {
  const Entries w = entries_of(w_indices, w_values, "w"), z = entries_of(z_indices, z_values, "z");
  const bool listed = is<std::int64_t>(mask);
  if (!listed && mask.dtype().bits != 8) throw std::invalid_argument("mask: expected int64 or a byte per element");
  const auto* bytes = static_cast<const std::uint8_t*>(mask.data());
  const ListMask allowed = listed ? ListMask(indices_of(mask, "mask"), complement)
                                  : ListMask(Span<const std::uint8_t>(bytes, bytes + mask.size()), complement);
  const std::int64_t all = w.indices.size() + z.indices.size();
  return with_word(w_values, z_values, [&](auto zero) {
    using Word = decltype(zero);
    const Word *x = static_cast<const Word*>(w.values), *y = static_cast<const Word*>(z.values);
    std::int64_t count = 0;
    run(all, [&] {
      write_list(w.indices, z.indices, allowed, replace, [&](std::int64_t, std::int64_t, std::int64_t) { ++count; });
    });
    Fresh indices(count, dtype_of<std::int64_t>()), values(count, dtype);
    auto* i = indices.as<std::int64_t>();
    auto* out = values.as<Word>();
    run(all, [&] {
      std::int64_t size = 0;
      write_list(w.indices, z.indices, allowed, replace, [&](std::int64_t index, std::int64_t a, std::int64_t b) {
        i[size] = index, out[size++] = a >= 0 ? x[a] : y[b];
      });
    });
    return nb::object(nb::make_tuple(indices.array, values.array));
  });
}

nb::object pick_any(ConstArray flags, ConstArray x, ConstArray y, nb::handle dtype) {
  const std::int64_t size = std::int64_t(flags.size());
  if (flags.dtype().bits != 8) throw std::invalid_argument("flags: expected a byte per element");
  if (std::int64_t(x.size()) != size || std::int64_t(y.size()) != size)
    throw std::invalid_argument("values: unexpected length");
  return with_word(x, y, [&](auto zero) {
    using Word = decltype(zero);
    Fresh out(size, dtype);
    run(size, [&] {
      pick(static_cast<const std::uint8_t*>(flags.data()), static_cast<const Word*>(x.data()),
           static_cast<const Word*>(y.data()), size, out.as<Word>());
    });
    return out.array;
  });
}

}  // namespace

void bind_lists(nb::module_& m) {
  using namespace nb::literals;
  m.def("unite_lists", &unite, "u_indices"_a, "u_values"_a, "v_indices"_a, "v_values"_a, "dtype"_a);
  m.def("meet_lists", &meet, "u_indices"_a, "v_indices"_a);
  m.def("pick", &pick_any, "flags"_a, "x"_a, "y"_a, "dtype"_a);
  m.def("write_list", &write, "w_indices"_a, "w_values"_a, "z_indices"_a, "z_values"_a, "mask"_a, "complement"_a,
        "replace"_a, "dtype"_a);
}

}  // namespace lagbfs
