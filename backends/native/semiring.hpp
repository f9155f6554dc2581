// The semirings of `product`: a monoid ⊕ and a binary operator ⊗, found by name, in any combination.
//
// Of a term x ⊗ a, x is the vector's value and a the matrix's, both of type T; k is the index of the summed-over
// dimension. S is the type of the sum. It is that of the terms (T; Bool for what compares or is logical; int64 for
// pair and secondi), but Bool for lor and land, of any terms, and int64 where plus or times meets terms of Bool.
//
// Integers wrap; min and max pass over NaN; whatever is not 0, NaN too, is true. Over Bool, lor is max and land is
// min, as operators and as monoids: the tables say so, and beyond them lor and land do not exist.
#pragma once

#include <cstdint>
#include <stdexcept>
#include <string>
#include <type_traits>

namespace lagbfs {

struct Bool {
  std::uint8_t value;
};

enum class Add { kAny, kMin, kMax, kPlus, kTimes };
enum class Mul {
  kOne,
  kK,
  kX,
  kA,
  kMin,
  kMax,
  kPlus,
  kTimes,
  kMinus,
  kRMinus,
  kDiv,
  kRDiv,
  kEq,
  kNe,
  kLt,
  kLe,
  kGt,
  kGe
};

// Which T an operator has, and what its terms are:
//   kPosition    none is read; int64         kChoice      any; T
//   kArithmetic  all but Bool; T             kDivision    floats; T
//   kComparison  any; Bool                   kLogic       Bool; Bool
enum class Rule { kPosition, kChoice, kArithmetic, kDivision, kComparison, kLogic };

struct Monoid {
  const char* name;
  Add add;
  bool logic;
};

struct Binary {
  const char* name;
  Mul mul;
  Rule rule;
  const char* reads;  // operands: x, a
};

constexpr Monoid kMonoids[] = {
    {"any", Add::kAny, false},     {"min", Add::kMin, false}, {"max", Add::kMax, false}, {"plus", Add::kPlus, false},
    {"times", Add::kTimes, false}, {"lor", Add::kMax, true},  {"land", Add::kMin, true},
};

constexpr Binary kBinary[] = {
    {"plus", Mul::kPlus, Rule::kArithmetic, "xa"},
    {"minus", Mul::kMinus, Rule::kArithmetic, "xa"},
    {"rminus", Mul::kRMinus, Rule::kArithmetic, "xa"},
    {"times", Mul::kTimes, Rule::kArithmetic, "xa"},
    {"truediv", Mul::kDiv, Rule::kDivision, "xa"},
    {"rtruediv", Mul::kRDiv, Rule::kDivision, "xa"},
    {"min", Mul::kMin, Rule::kChoice, "xa"},
    {"max", Mul::kMax, Rule::kChoice, "xa"},
    {"any", Mul::kX, Rule::kChoice, "x"},
    {"first", Mul::kX, Rule::kChoice, "x"},
    {"second", Mul::kA, Rule::kChoice, "a"},
    {"pair", Mul::kOne, Rule::kPosition, ""},
    {"secondi", Mul::kK, Rule::kPosition, ""},
    {"land", Mul::kMin, Rule::kLogic, "xa"},
    {"lor", Mul::kMax, Rule::kLogic, "xa"},
    {"eq", Mul::kEq, Rule::kComparison, "xa"},
    {"ne", Mul::kNe, Rule::kComparison, "xa"},
    {"lt", Mul::kLt, Rule::kComparison, "xa"},
    {"le", Mul::kLe, Rule::kComparison, "xa"},
    {"gt", Mul::kGt, Rule::kComparison, "xa"},
    {"ge", Mul::kGe, Rule::kComparison, "xa"},
};

template <class Operators>
const auto& named(const Operators& operators, const std::string& name) {
  for (const auto& op : operators)
    if (name == op.name) return op;
  throw std::invalid_argument("no such operator: " + name);
}

struct Semiring {
  Add add;
  Mul mul;
  bool logic;  // ⊕ is lor or land
  Rule rule;
  bool reads_x, reads_a;
};

inline Semiring semiring_of(const std::string& add, const std::string& multiply) {
  const Monoid& monoid = named(kMonoids, add);
  const Binary& binary = named(kBinary, multiply);
  const std::string reads = binary.reads;
  return {
      monoid.add, binary.mul, monoid.logic, binary.rule, reads.find('x') != reads.npos, reads.find('a') != reads.npos};
}

template <class T>
constexpr bool kIsBool = std::is_same_v<T, Bool>;

template <class T>
bool exists_over(const Semiring& s) {
  switch (s.rule) {
    case Rule::kArithmetic:
      return !kIsBool<T>;
    case Rule::kDivision:
      return std::is_floating_point_v<T>;
    case Rule::kLogic:
      return kIsBool<T>;
    default:
      return true;
  }
}

// Calls f with a value of the type of the sum.
template <class T, class F>
auto with_sum(const Semiring& s, F&& f) {
  if (!exists_over<T>(s)) throw std::invalid_argument("the operator does not exist over this dtype");
  const bool counts = s.add == Add::kPlus || s.add == Add::kTimes;
  if (s.logic) return f(Bool{});
  if (s.rule == Rule::kPosition) return f(std::int64_t{});
  if (kIsBool<T> || s.rule == Rule::kComparison) return counts ? f(std::int64_t{}) : f(Bool{});
  return f(T{});
}

// What to compute in: unsigned integers wrap.
template <class T, bool = std::is_integral_v<T>>
struct Wrapping {
  using type = T;
};
template <class T>
struct Wrapping<T, true> {
  using type = std::make_unsigned_t<T>;
};

template <class T>
inline T plus(T a, T b) {
  using U = typename Wrapping<T>::type;
  return T(U(a) + U(b));
}
template <class T>
inline T minus(T a, T b) {
  using U = typename Wrapping<T>::type;
  return T(U(a) - U(b));
}
template <class T>
inline T times(T a, T b) {
  using U = typename Wrapping<T>::type;
  return T(U(a) * U(b));
}
template <class T>
inline T least(T a, T b) {
  return b < a || a != a ? b : a;
}
template <class T>
inline T greatest(T a, T b) {
  return a < b || a != a ? b : a;
}

inline Bool least(Bool a, Bool b) { return {std::uint8_t(a.value & b.value)}; }
inline Bool greatest(Bool a, Bool b) { return {std::uint8_t(a.value | b.value)}; }

inline std::uint8_t number(Bool a) { return a.value; }
template <class T>
inline T number(T a) {
  return a;
}

// A term as part of a sum.
template <class S, class T>
inline S summand(T term) {
  if constexpr (std::is_same_v<S, T>) return term;
  else if constexpr (kIsBool<S>) return {std::uint8_t(number(term) != 0)};
  else return S(number(term));
}

// x ⊗ a, as a summand. The operator is known when compiling or is not, and then is switched on for each term; both
// are this one function. Only what exists over T and sums to S is compiled; the rest is not reached.
template <class S, class T>
[[gnu::always_inline]] inline S term(Mul mul, T x, T a, std::int64_t k) {
  if constexpr (kIsBool<S> || std::is_same_v<S, std::int64_t>) {
    switch (mul) {
      case Mul::kOne:
        return summand<S>(std::int64_t(1));
      case Mul::kK:
        return summand<S>(k);
      case Mul::kEq:
        return summand<S>(number(x) == number(a));
      case Mul::kNe:
        return summand<S>(number(x) != number(a));
      case Mul::kLt:
        return summand<S>(number(x) < number(a));
      case Mul::kLe:
        return summand<S>(number(x) <= number(a));
      case Mul::kGt:
        return summand<S>(number(x) > number(a));
      case Mul::kGe:
        return summand<S>(number(x) >= number(a));
      default:
        break;
    }
  }
  if constexpr (std::is_same_v<S, T> || kIsBool<S> || kIsBool<T>) {
    switch (mul) {
      case Mul::kX:
        return summand<S>(x);
      case Mul::kA:
        return summand<S>(a);
      case Mul::kMin:
        return summand<S>(least(x, a));
      case Mul::kMax:
        return summand<S>(greatest(x, a));
      default:
        break;
    }
    if constexpr (!kIsBool<T>) {
      switch (mul) {
        case Mul::kPlus:
          return summand<S>(plus(x, a));
        case Mul::kTimes:
          return summand<S>(times(x, a));
        case Mul::kMinus:
          return summand<S>(minus(x, a));
        case Mul::kRMinus:
          return summand<S>(minus(a, x));
        default:
          break;
      }
    }
    if constexpr (std::is_floating_point_v<T>) {
      if (mul == Mul::kDiv) return summand<S>(x / a);
      if (mul == Mul::kRDiv) return summand<S>(a / x);
    }
  }
  return S{};
}

template <class S>
[[gnu::always_inline]] inline S combine(Add add, S a, S b) {
  if (add == Add::kAny) return a;
  if (add == Add::kMin) return least(a, b);
  if (add == Add::kMax) return greatest(a, b);
  if constexpr (!kIsBool<S>) {
    if (add == Add::kPlus) return plus(a, b);
    if (add == Add::kTimes) return times(a, b);
  }
  return a;
}

// Whether no further term can change the sum.
template <class S>
[[gnu::always_inline]] inline bool settled(Add add, [[maybe_unused]] S sum) {
  if (add == Add::kAny) return true;
  if constexpr (kIsBool<S>) return bool(sum.value) == (add == Add::kMax);
  return false;
}

// A pair of operators known when compiling; a Semiring is one known when running.
template <Add A, Mul M>
struct Fixed {
  static constexpr Add add = A;
  static constexpr Mul mul = M;
};

template <class... Rings>
struct List {};
template <class... A, class... B>
constexpr List<A..., B...> joined(List<A...>, List<B...>) {
  return {};
}

// The pairs that are compiled apart, because algorithms spend their time in them.
template <class S, class T>
constexpr auto compiled_apart() {
  using Positions = List<Fixed<Add::kAny, Mul::kOne>, Fixed<Add::kPlus, Mul::kOne>, Fixed<Add::kAny, Mul::kK>,
                         Fixed<Add::kMin, Mul::kK>>;
  using Arithmetic = List<Fixed<Add::kPlus, Mul::kTimes>, Fixed<Add::kMin, Mul::kPlus>>;
  using Counts = List<Fixed<Add::kPlus, Mul::kX>, Fixed<Add::kPlus, Mul::kA>>;
  using Choices =
      List<Fixed<Add::kMin, Mul::kX>, Fixed<Add::kMin, Mul::kA>, Fixed<Add::kMax, Mul::kX>, Fixed<Add::kMax, Mul::kA>>;
  using Logic = List<Fixed<Add::kMax, Mul::kMin>>;
  constexpr bool same = std::is_same_v<S, T>, counts = std::is_same_v<S, std::int64_t>;
  if constexpr (kIsBool<T>) {
    if constexpr (same) return joined(Logic{}, Choices{});
    else return Counts{};
  } else if constexpr (same) {
    const auto numbers = joined(Arithmetic{}, joined(Counts{}, Choices{}));
    if constexpr (counts) return joined(Positions{}, numbers);
    else return numbers;
  } else {
    return List<>{};
  }
}

// x ⊗ a in the ring. Switches are not inlined, which keeps compile time down.
template <class S, Add A, Mul M, class T>
[[gnu::always_inline]] inline S term_in(Fixed<A, M>, T x, T a, std::int64_t k) {
  return term<S>(M, x, a, k);
}
template <class S, class T>
[[gnu::noinline]] S term_in(const Semiring& ring, T x, T a, std::int64_t k) {
  return term<S>(ring.mul, x, a, k);
}

// Calls f with the pair of the list that the semiring is, or with the semiring.
template <class F>
auto with_ring(const Semiring& s, List<>, F&& f) {
  return f(s);
}
template <class F, class Ring, class... Rings>
auto with_ring(const Semiring& s, List<Ring, Rings...>, F&& f) {
  return s.add == Ring::add && s.mul == Ring::mul ? f(Ring{}) : with_ring(s, List<Rings...>{}, f);
}

}  // namespace lagbfs
