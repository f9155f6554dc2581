// What CuPy's own kernels use of CUDA beyond what ours do, and CuPy's headers.
#include <algorithm>
#include <cassert>
#include <cstddef>
#include <limits>

#define __CUDA_ARCH__ 800
#define __host__
#define __forceinline__ inline
#define __noinline__ __attribute__((noinline))
#define __syncwarp() shim::meet_warp(0xffffffff, 0, __LINE__)

using std::isfinite, std::isinf, std::isnan, std::max, std::min, std::signbit;

template <class To, class From>
To same_bits(From from) {
  static_assert(sizeof(To) == sizeof(From));
  To to;
  std::memcpy(&to, &from, sizeof to);
  return to;
}
inline float __int_as_float(int bits) { return same_bits<float>(bits); }
inline int __float_as_int(float value) { return same_bits<int>(value); }
inline double __longlong_as_double(long long bits) { return same_bits<double>(bits); }
inline long long __double_as_longlong(double value) { return same_bits<long long>(value); }

#include <cupy/math_constants.h>

#include <cupy/atomics.cuh>
#include <cupy/carray.cuh>
#include <cupy/complex.cuh>
