// Values of matrices: moved by their width in bytes, whatever they are, or combined by an operator that is found by
// name.
//
// Integers wrap; min and max pass over NaN. What only moves or wraps is compiled by width, the rest by type. bool, one
// byte of 0 or 1, has land (min), lor (max) and what moves.
#pragma once

#include <cstdint>
#include <cstring>
#include <limits>
#include <string>
#include <type_traits>

namespace lagbfs {

// Value `from` of one array becomes value `to` of another. A width of 0: there are none.
inline void move_value(int width, void* values, std::int64_t to, const void* others, std::int64_t from) {
  const auto move = [&](auto zero) {
    using T = decltype(zero);
    static_cast<T*>(values)[to] = static_cast<const T*>(others)[from];
  };
  if (width == 8) move(std::uint64_t{});
  else if (width == 4) move(std::uint32_t{});
  else if (width == 2) move(std::uint16_t{});
  else if (width == 1) move(std::uint8_t{});
}

// The same for `size` values side by side, which may overlap.
inline void move_values(int width, void* values, std::int64_t to, const void* others, std::int64_t from,
                        std::int64_t size) {
  if (width && size)
    std::memmove(static_cast<char*>(values) + to * width, static_cast<const char*>(others) + from * width,
                 std::size_t(size * width));
}

// Those that are folded with have an identity: any value can be added to it, and is what it was, to the last bit.
struct First {
  template <class T>
  T operator()(T a, T) const {
    return a;
  }
};
struct Second {
  template <class T>
  T operator()(T, T b) const {
    return b;
  }
};
// Of integers these three are computed without sign, in 64 bits, and cut: nothing overflows.
struct Plus {
  template <class T>
  static T identity() {
    if constexpr (std::is_floating_point_v<T>) return T(-0.0);
    else return T(0);
  }
  template <class T>
  T operator()(T a, T b) const {
    if constexpr (std::is_floating_point_v<T>) return a + b;
    else return T(std::uint64_t(a) + std::uint64_t(b));
  }
};
struct Minus {
  template <class T>
  T operator()(T a, T b) const {
    if constexpr (std::is_floating_point_v<T>) return a - b;
    else return T(std::uint64_t(a) - std::uint64_t(b));
  }
};
struct Times {
  template <class T>
  static T identity() {
    return T(1);
  }
  template <class T>
  T operator()(T a, T b) const {
    if constexpr (std::is_floating_point_v<T>) return a * b;
    else return T(std::uint64_t(a) * std::uint64_t(b));
  }
};
struct Quotient {
  template <class T>
  T operator()(T a, T b) const {
    return a / b;
  }
};
struct Least {
  template <class T>
  static T identity() {
    if constexpr (std::is_floating_point_v<T>) return std::numeric_limits<T>::quiet_NaN();
    else return std::numeric_limits<T>::max();
  }
  template <class T>
  T operator()(T a, T b) const {
    return b < a || a != a ? b : a;
  }
};
struct Greatest {
  template <class T>
  static T identity() {
    if constexpr (std::is_floating_point_v<T>) return std::numeric_limits<T>::quiet_NaN();
    else return std::numeric_limits<T>::min();
  }
  template <class T>
  T operator()(T a, T b) const {
    return a < b || a != a ? b : a;
  }
};

inline int width_of(const std::string& dtype) {
  if (dtype == "bool" || dtype == "int8" || dtype == "uint8") return 1;
  if (dtype == "int16" || dtype == "uint16") return 2;
  if (dtype == "int32" || dtype == "uint32" || dtype == "float32") return 4;
  if (dtype == "int64" || dtype == "uint64" || dtype == "float64") return 8;
  return 0;
}

// Calls f with a zero of that many bytes.
template <class F>
bool with_bytes(int width, F&& f) {
  if (width == 1) return f(std::uint8_t{}), true;
  if (width == 2) return f(std::uint16_t{}), true;
  if (width == 4) return f(std::uint32_t{}), true;
  if (width == 8) return f(std::uint64_t{}), true;
  return false;
}

template <class F>
bool with_float(const std::string& dtype, F&& f) {
  if (dtype == "float64") return f(double{}), true;
  if (dtype == "float32") return f(float{}), true;
  return false;
}

template <class F>
bool with_ordered(const std::string& dtype, F&& f) {
  if (dtype == "int64") return f(std::int64_t{}), true;
  if (dtype == "int32") return f(std::int32_t{}), true;
  if (dtype == "int16") return f(std::int16_t{}), true;
  if (dtype == "int8") return f(std::int8_t{}), true;
  return with_float(dtype, f) || with_bytes(width_of(dtype), f);
}

// Calls f(op, zero) with the operator and the type that it is computed in over `dtype`, if it is a number's.
template <class Op, class F>
bool with_number(Op op, const std::string& dtype, F&& f) {
  const auto over = [&](auto zero) { f(op, zero); };
  if (with_float(dtype, over)) return true;
  return dtype.find("int") != dtype.npos && with_bytes(width_of(dtype), over);
}

// Calls f(op, zero) with the operator of that name, of those that values are folded by, and the type that it is
// computed in over `dtype`, if there is one.
template <class F>
bool with_monoid(const std::string& name, const std::string& dtype, F&& f) {
  const bool logic = dtype == "bool";
  if (name == "plus") return with_number(Plus{}, dtype, f);
  if (name == "times") return with_number(Times{}, dtype, f);
  if (name == "min" || (name == "land" && logic)) return with_ordered(dtype, [&](auto zero) { f(Least{}, zero); });
  if (name == "max" || (name == "lor" && logic)) return with_ordered(dtype, [&](auto zero) { f(Greatest{}, zero); });
  return false;
}

// The same of all operators.
template <class F>
bool with_operator(const std::string& name, const std::string& dtype, F&& f) {
  if (name == "minus") return with_number(Minus{}, dtype, f);
  if (name == "truediv") return with_float(dtype, [&](auto zero) { f(Quotient{}, zero); });
  const auto width = width_of(dtype);
  if (name == "first" || name == "any") return with_bytes(width, [&](auto zero) { f(First{}, zero); });
  if (name == "second") return with_bytes(width, [&](auto zero) { f(Second{}, zero); });
  return with_monoid(name, dtype, f);
}

}  // namespace lagbfs
