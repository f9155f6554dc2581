// The semirings of `product`: an additive monoid and what is added up for one matrix entry.
//
// Term<kX> is the vector's value and Term<kA> the matrix entry's: `first` and `second` are one or the
// other, depending on which side of the expression the vector stands. kK is secondi: the index of the
// summed-over dimension, on either side. Integers wrap; bool is 0 or 1, where plus and max are or, times and
// min are and. min and max pass over NaN.
#pragma once

#include <cstdint>
#include <stdexcept>
#include <string>
#include <type_traits>

namespace lagbfs {

struct Bool {
  std::uint8_t value;
};

enum class Add { kAny, kMin, kMax, kPlus };
enum class Mul { kOne, kK, kX, kA, kTimes, kPlus };

struct Semiring {
  Add add;
  Mul mul;
  bool boolean = false;  // lor_land
};

inline Semiring semiring_of(const std::string& name, bool first_is_matrix) {
  const Mul first = first_is_matrix ? Mul::kA : Mul::kX, second = first_is_matrix ? Mul::kX : Mul::kA;
  if (name == "any_pair") return {Add::kAny, Mul::kOne};
  if (name == "any_secondi") return {Add::kAny, Mul::kK};
  if (name == "min_secondi") return {Add::kMin, Mul::kK};
  if (name == "lor_land") return {Add::kPlus, Mul::kTimes, true};
  if (name == "plus_pair") return {Add::kPlus, Mul::kOne};
  if (name == "plus_times") return {Add::kPlus, Mul::kTimes};
  if (name == "plus_first") return {Add::kPlus, first};
  if (name == "plus_second") return {Add::kPlus, second};
  if (name == "min_plus") return {Add::kMin, Mul::kPlus};
  if (name == "min_first") return {Add::kMin, first};
  if (name == "min_second") return {Add::kMin, second};
  if (name == "max_first") return {Add::kMax, first};
  if (name == "max_second") return {Add::kMax, second};
  throw std::invalid_argument("no such semiring: " + name);
}

template <class T>
inline T plus(T a, T b) {
  if constexpr (std::is_integral_v<T>)
    return T(std::make_unsigned_t<T>(a) + std::make_unsigned_t<T>(b));
  else
    return a + b;
}
template <class T>
inline T times(T a, T b) {
  if constexpr (std::is_integral_v<T>) {
    using U = std::make_unsigned_t<T>;
    return T(U(a) * U(b));
  } else {
    return a * b;
  }
}
template <class T>
inline T least(T a, T b) { return b < a || a != a ? b : a; }
template <class T>
inline T greatest(T a, T b) { return a < b || a != a ? b : a; }

inline Bool plus(Bool a, Bool b) { return {std::uint8_t(a.value | b.value)}; }
inline Bool times(Bool a, Bool b) { return {std::uint8_t(a.value & b.value)}; }
inline Bool least(Bool a, Bool b) { return times(a, b); }
inline Bool greatest(Bool a, Bool b) { return plus(a, b); }

template <Add A, class T>
inline T combine(T a, T b) {
  if constexpr (A == Add::kAny) return a;
  if constexpr (A == Add::kMin) return least(a, b);
  if constexpr (A == Add::kMax) return greatest(a, b);
  if constexpr (A == Add::kPlus) return plus(a, b);
}

// Whether no further term can change the sum.
template <Add A, class T>
inline bool settled([[maybe_unused]] T sum) {
  if constexpr (A == Add::kAny) return true;
  if constexpr (std::is_same_v<T, Bool> && A == Add::kMin) return !sum.value;
  if constexpr (std::is_same_v<T, Bool> && (A == Add::kPlus || A == Add::kMax)) return sum.value;
  return false;
}

template <class T>
inline T one() {
  if constexpr (std::is_same_v<T, Bool>)
    return Bool{1};
  else
    return T(1);
}

}  // namespace lagbfs
