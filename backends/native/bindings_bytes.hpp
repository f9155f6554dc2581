// Values of any dtype, in and out, for kernels that know them by name and width.
#pragma once

#include <nanobind/stl/string.h>

#include <string>
#include <utility>

#include "bindings.hpp"
#include "values.hpp"

namespace lagbfs {

// No values: a width of 0. One value where there are other than one entries: a stride of 0.
struct Bytes {
  const void* data = nullptr;
  int width = 0;
  std::int64_t stride = 1;
  std::string dtype;
};

inline std::string name_of(const nb::dlpack::dtype& dtype) {
  const auto code = nb::dlpack::dtype_code(dtype.code);
  if (code == nb::dlpack::dtype_code::Bool) return "bool";
  const char* const kind = code == nb::dlpack::dtype_code::Float ? "float"
                           : code == nb::dlpack::dtype_code::Int ? "int"
                                                                 : "uint";
  return kind + std::to_string(dtype.bits);
}

inline Bytes bytes_of(const nb::object& given, std::int64_t size, const char* name, bool iso = false) {
  if (given.is_none()) return {};
  const auto array = nb::cast<ConstArray>(given);
  if (std::int64_t(array.size()) != size && !(iso && array.size() == 1))
    throw std::invalid_argument(std::string(name) + ": unexpected length");
  const std::string dtype = name_of(array.dtype());
  if (!width_of(dtype)) throw std::invalid_argument(std::string(name) + ": unexpected dtype");
  return {array.data(), width_of(dtype), std::int64_t(array.size()) == size, dtype};
}

// As unsigned integers of that width: whoever knows the dtype takes a view.
inline nb::object bytes_to_numpy(Recycled<char> values, std::size_t size, int width) {
  nb::object array;
  with_bytes(width, [&](auto zero) { array = to_numpy<char, decltype(zero)>(std::move(values), size); });
  return array;
}

// choose_band, choose_flagged, fold_groups and fold_columns: bind_merge binds them with its own.
void bind_fold(nb::module_& m);

}  // namespace lagbfs
