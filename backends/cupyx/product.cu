// The masked product of a sparse matrix and a vector over a semiring, computed in TYPE:
//
//   push   y<mask>[j] = sum over k with x[k] of x[k] * M[k, j]      rows of M are the summed-over k
//   pull   y<mask>[i] = sum over k with x[k] of M[i, k] * x[k]      rows of M are the results
//
// where sum and * are the semiring's `add` and `multiply`.
//
// Integers wrap; over bool plus and max are or, times and min are and. min and max pass over NaN. The values of an
// iso matrix or vector are one value, read with stride 0; values that the multiplication does not read may be null.
// mask: a byte for each result, null if all are allowed.

enum Add { ANY, MIN, MAX, PLUS };
enum Multiply { PAIR, SECONDI, VECTOR, MATRIX, TIMES, SUMMED };

template <class T>
constexpr bool is_float = false;
template <>
constexpr bool is_float<float32> = true;
template <>
constexpr bool is_float<float64> = true;
template <class T>
constexpr bool is_bool = false;
template <>
constexpr bool is_bool<bool> = true;

// What push adds up in: the least type that atomics know, and that TYPE can be cut from.
template <class T>
struct Sum {
  typedef T type;
};
template <>
struct Sum<bool> {
  typedef int32 type;
};
template <>
struct Sum<int8> {
  typedef int32 type;
};
template <>
struct Sum<int16> {
  typedef int32 type;
};
template <>
struct Sum<uint8> {
  typedef uint32 type;
};
template <>
struct Sum<uint16> {
  typedef uint32 type;
};
typedef Sum<TYPE>::type SUM;

// A value's bits, as shuffles and compare-and-swap take them.
template <int32 size>
struct Word {
  typedef uint32 type;
};
template <>
struct Word<8> {
  typedef uint64 type;
};
typedef Word<sizeof(SUM)>::type WORD;
union Bits {
  SUM sum;
  WORD word;
};

template <class T>
__device__ T plus(T a, T b) {
  if constexpr (is_float<T>)
    return a + b;
  else if constexpr (is_bool<T>)
    return a || b;
  else
    return T(uint64(a) + uint64(b));
}

template <class T>
__device__ T times(T a, T b) {
  if constexpr (is_float<T>)
    return a * b;
  else if constexpr (is_bool<T>)
    return a && b;
  else
    return T(uint64(a) * uint64(b));
}

template <class T>
__device__ bool is_nan(T a) {
  if constexpr (is_float<T>) return a != a;
  return false;
}

__device__ TYPE combine(int32 add, TYPE a, TYPE b) {
  switch (add) {
    case MIN: return b < a || is_nan(a) ? b : a;
    case MAX: return a < b || is_nan(a) ? b : a;
    case PLUS: return plus(a, b);
    default: return a;
  }
}

// Whether no further term can change the sum.
__device__ bool settled(int32 add, TYPE sum) {
  if (add == ANY) return true;
  if constexpr (is_bool<TYPE>) return add == MIN ? !sum : sum;
  return false;
}

// What leaves any term as it is; combine(add, identity, NaN) is NaN.
__device__ SUM identity(int32 add) {
  if constexpr (is_float<TYPE>) return add == PLUS ? SUM(-0.0) : SUM(nan(""));
  constexpr bool is_signed = TYPE(-1) < TYPE(0);
  constexpr uint64 top = uint64(1) << (8 * sizeof(TYPE) - 1);
  if (add == MIN) return SUM(TYPE(is_signed ? top - 1 : ~uint64(0)));
  if (add == MAX && is_signed) return SUM(TYPE(top));
  return SUM(0);
}

struct Values {
  const TYPE* values;
  int64 stride;
  __device__ TYPE operator[](int64 i) const { return values[i * stride]; }
};

__device__ TYPE term(int32 multiply, Values matrix, int64 entry, Values vector, int64 position, int64 k) {
  switch (multiply) {
    case SECONDI: return TYPE(k);
    case VECTOR: return vector[position];
    case MATRIX: return matrix[entry];
    case TIMES: return times(matrix[entry], vector[position]);
    case SUMMED: return plus(matrix[entry], vector[position]);
    default: return TYPE(1);
  }
}

__device__ bool allows(const bool* mask, int32 complement, int64 i) { return !mask || mask[i] != bool(complement); }

// Adds t to the sum, for terms that only a compare-and-swap can add.
__device__ void swap_in(int32 add, SUM* sum, TYPE t) {
  WORD* const place = reinterpret_cast<WORD*>(sum);
  Bits old, next;
  for (old.word = __ldcg(place);; old.word = next.word) {
    next.sum = SUM(combine(add, TYPE(old.sum), t));
    if (next.word == old.word) return;
    const WORD desired = next.word;
    next.word = atomicCAS(place, old.word, desired);
    if (next.word == old.word) return;
  }
}

// Integers of either sign add up alike.
template <class S>
__device__ void add_to(S* sum, S t) {
  atomicAdd(reinterpret_cast<WORD*>(sum), WORD(t));
}
__device__ void add_to(float32* sum, float32 t) { atomicAdd(sum, t); }
__device__ void add_to(float64* sum, float64 t) { atomicAdd(sum, t); }

__device__ void accumulate(int32 add, SUM* sum, TYPE t) {
  if (add == ANY)
    atomicExch(reinterpret_cast<WORD*>(sum), Bits{SUM(t)}.word);
  else if (add == PLUS && !is_bool<TYPE>)
    add_to(sum, SUM(t));
  else
    swap_in(add, sum, t);
}

// Before product_push: no entries.
KERNEL void product_fill(int64 n, int32 add, bool* present, SUM* sums) {
  if (thread() >= n) return;
  present[thread()] = false;
  sums[thread()] = identity(add);
}

// By edge, as push_edges. list: the positions of x's entries; vector[i] belongs to list[i]. TYPE(sums) is the result.
KERNEL void product_push(const INDEX* list, int64 size, const int64* offsets, const int64* prefix, int64 edges,
                         const int64* indptr, const INDEX* indices, const TYPE* matrix, int64 matrix_stride,
                         const TYPE* vector, int64 vector_stride, const bool* mask, int32 complement, int32 add,
                         int32 multiply, bool* present, SUM* sums) {
  __shared__ int64 span[2];
  const Scanned begin{offsets, prefix};
  const int64 first = blockIdx.x * TILE, last = (first + TILE < edges ? first + TILE : edges) - 1;
  narrow(begin, size, first, last, span);
  for (int64 edge = first + threadIdx.x; edge <= last; edge += BLOCK) {
    const int64 row = row_of(begin, edge, span[0], span[1] + 1), k = list[row];
    const int64 entry = indptr[k] + edge - begin(row), j = indices[entry];
    uint8* const flag = reinterpret_cast<uint8*>(&present[j]);
    const bool is_new = !__ldcg(flag);
    if (!allows(mask, complement, j) || (add == ANY && !is_new)) continue;
    accumulate(add, &sums[j], term(multiply, {matrix, matrix_stride}, entry, {vector, vector_stride}, row, k));
    if (is_new) __stcg(flag, uint8(1));
  }
}

// The sum over a group of `width` threads, in its first. Reached by all of the warp.
__device__ void fold(int32 add, int32 width, TYPE& sum, int32& found) {
  for (int32 distance = width / 2; distance; distance /= 2) {
    Bits other{SUM(sum)};
    other.word = __shfl_down_sync(FULL, other.word, distance, width);
    const int32 other_found = __shfl_down_sync(FULL, found, distance, width);
    if (other_found) sum = found ? combine(add, sum, TYPE(other.sum)) : TYPE(other.sum);
    found |= other_found;
  }
}

// By row: `width` threads take one, 1 (terms in ascending order), 2, 4, 8, 16 or 32. Every result is written.
KERNEL void product_pull(int64 rows, int32 width, const int64* indptr, const INDEX* indices, const TYPE* matrix,
                         int64 matrix_stride, const bool* vector_present, const TYPE* vector, int64 vector_stride,
                         const bool* mask, int32 complement, int32 add, int32 multiply, bool* present, TYPE* values) {
  const int64 row = thread() / width;
  const int32 member = threadIdx.x % width;
  int32 found = false;
  TYPE sum = TYPE(0);
  if (row < rows && allows(mask, complement, row)) {
    const int64 end = indptr[row + 1];
    for (int64 entry = indptr[row] + member; entry < end && !(found && settled(add, sum)); entry += width) {
      const int64 k = indices[entry];
      if (vector_present && !vector_present[k]) continue;
      const TYPE t = term(multiply, {matrix, matrix_stride}, entry, {vector, vector_stride}, k, k);
      sum = found ? combine(add, sum, t) : t;
      found = true;
    }
  }
  fold(add, width, sum, found);
  if (row >= rows || member) return;
  present[row] = found;
  values[row] = found ? sum : TYPE(0);
}
