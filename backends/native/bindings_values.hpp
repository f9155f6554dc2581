// What the bindings of products share: values in, values out, and the types to compute in.
#pragma once

#include <cstring>

#include "bindings.hpp"
#include "product.hpp"

namespace lagbfs {

template <class T>
struct Storage {
  using type = T;
};
template <>
struct Storage<Bool> {
  using type = bool;
};

// An array of `size` values, or one value for all of them.
template <class T>
Values<T> values_of(nb::handle given, std::int64_t size, bool needed, const char* name) {
  if (!needed) return {};
  if (given.is_none()) throw std::invalid_argument(std::string(name) + ": the semiring reads them");
  const auto array = nb::cast<ConstArray>(given);
  if (std::int64_t(array.size()) != size && array.size() != 1)
    throw std::invalid_argument(std::string(name) + ": unexpected length");
  const void* data = data_of<const typename Storage<T>::type>(array, name);
  return {static_cast<const T*>(data), std::int64_t(array.size()) == size};
}

// Hands a buffer over to NumPy as an array of `Stored`. A small one is copied, which is quicker than to make an array
// around it.
template <class Stored, class T>
nb::object handed_over(Buffer<T> buffer, std::size_t size) {
  static_assert(sizeof(Stored) == sizeof(T), "the same bytes");
  constexpr std::size_t kCopied = 1 << 15;
  if (size * sizeof(T) <= kCopied) {
    Fresh fresh(std::int64_t(size), dtype_of<Stored>());
    std::memcpy(fresh.as<void>(), buffer.data(), size * sizeof(T));
    return fresh.array;
  }
  Stored* data = static_cast<Stored*>(static_cast<void*>(buffer.data()));
  nb::capsule owner(data, [](void* p) noexcept { std::free(p); });
  buffer.release().release();
  return to_numpy(data, size, owner);
}

template <class S>
nb::object values_to_numpy(Buffer<S> values, std::size_t size) {
  return handed_over<typename Storage<S>::type>(std::move(values), size);
}

// Calls f with a value of the type to compute in.
template <class F>
nb::object with_value(const std::string& dtype, const Semiring& semiring, F&& f) {
  if (dtype == "int64" || semiring.rule == Rule::kPosition) return f(std::int64_t{});
  if (dtype == "bool") return f(Bool{});
  if (dtype == "int32") return f(std::int32_t{});
  if (dtype == "float32") return f(float{});
  if (dtype == "float64") return f(double{});
  throw std::invalid_argument("no such dtype: " + dtype);
}

}  // namespace lagbfs
