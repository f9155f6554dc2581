// The product of two matrices over a semiring, at the positions that a mask names and nowhere else:
//
//   C<mask>[i, j] = sum over k of left[i, k] * right[k, j]
//
// Each is the dot product of row i of `left` and row j of the transpose of `right`, which is what is passed as `right`.
// Indices ascend within each row. Values as in products with vectors: `left` is the vector's side.

// What is left of a row: from `at` to before `end`.
struct Row {
  const INDEX* indices;
  int64 at, end;
  __device__ int64 size() const { return end - at; }
};

__device__ Row row_at(const int64* indptr, const INDEX* indices, int64 i) {
  return {indices, indptr[i], indptr[i + 1]};
}

// Goes on to the first index that is not before k; returns whether it is k.
__device__ bool advance(Row& row, INDEX k) {
  for (int64 high = row.end; row.at < high;) {
    const int64 middle = row.at + (high - row.at) / 2;
    if (row.indices[middle] < k)
      row.at = middle + 1;
    else
      high = middle;
  }
  return row.at < row.end && row.indices[row.at] == k;
}

// By entry of the mask, a warp for each: its lanes take the shorter of the two rows and search in the longer one. As a
// lane's indices ascend, it never looks behind what it has found. Every result is written.
KERNEL void product_dots(const int64* mask_indptr, const INDEX* mask_indices, int64 rows, int64 entries,
                         const int64* left_indptr, const INDEX* left_indices, const TYPE* left, int64 left_stride,
                         const int64* right_indptr, const INDEX* right_indices, const TYPE* right, int64 right_stride,
                         int32 add, int32 multiply, bool* present, TYPE* values) {
  const int64 entry = thread() / 32;
  if (entry >= entries) return;  // the whole warp
  Row few = row_at(left_indptr, left_indices, row_by_warp(Indptr{mask_indptr}, entry, 0, rows));
  Row many = row_at(right_indptr, right_indices, mask_indices[entry]);
  const bool swapped = few.size() > many.size();
  if (swapped) {
    const Row other = few;
    few = many;
    many = other;
  }
  int32 found = false;
  TYPE sum = TYPE(0);
  for (; few.at < few.end; few.at += 32) {
    const int64 at = few.at + lane();
    if (at < few.end && advance(many, few.indices[at])) {
      const int64 in_left = swapped ? many.at : at, in_right = swapped ? at : many.at;
      const TYPE t = term(multiply, {right, right_stride}, in_right, {left, left_stride}, in_left, few.indices[at]);
      sum = found ? combine(add, sum, t) : t;
      found = true;
    }
    if (__any_sync(FULL, found && settled(add, sum))) break;
  }
  fold(add, 32, sum, found);
  if (lane()) return;
  present[entry] = found;
  values[entry] = found ? sum : TYPE(0);
}
