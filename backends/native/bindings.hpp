// What the binding files share: arrays in, arrays out, signals.
#pragma once

#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>

#include <chrono>
#include <cstdint>
#include <memory>
#include <stdexcept>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "features.hpp"
#include "graph.hpp"
#include "memory.hpp"
#include "recycle.hpp"
#include "signals.hpp"

namespace lagbfs {

namespace nb = nanobind;

using Array = nb::ndarray<nb::ndim<1>, nb::c_contig, nb::device::cpu>;
using ConstArray = nb::ndarray<nb::ro, nb::ndim<1>, nb::c_contig, nb::device::cpu>;

// A thread that asks for the GIL while Python shuts down is ended by unwinding its stack, which not all frames here
// allow. It waits for the end of the process instead, as Python itself has it do from 3.14 on.
template <class F>
auto or_wait_for_the_end(F&& take_gil) {
  try {
    return take_gil();
  } catch (...) {
    for (;;) std::this_thread::sleep_for(std::chrono::hours(1));
  }
}

class WithGil {
 public:
  WithGil() : state_(or_wait_for_the_end([] { return PyGILState_Ensure(); })) {}
  ~WithGil() { PyGILState_Release(state_); }
  WithGil(const WithGil&) = delete;
  WithGil& operator=(const WithGil&) = delete;

 private:
  PyGILState_STATE state_;
};

class WithoutGil {
 public:
  WithoutGil() : state_(PyEval_SaveThread()) {}
  ~WithoutGil() {
    or_wait_for_the_end([this] { return PyEval_RestoreThread(state_), 0; });
  }
  WithoutGil(const WithoutGil&) = delete;
  WithoutGil& operator=(const WithoutGil&) = delete;

 private:
  PyThreadState* state_;
};

// Whether to stop: a signal handler raised. Its exception stays set.
inline bool ask_python() {
  WithGil gil;
  return PyErr_CheckSignals() != 0;
}

// f() without the GIL; a stop becomes the exception that caused it.
template <class F>
auto without_gil(F&& f) {
  try {
    WithoutGil released;
    return f();
  } catch (const Interrupted&) {
    throw nb::python_error();
  }
}

template <class T, class A>
T* data_of(const A& array, const char* name, std::int64_t size = -1) {
  if (array.dtype() != nb::dtype<std::remove_const_t<T>>())
    throw std::invalid_argument(std::string(name) + ": unexpected dtype");
  if (size >= 0 && std::int64_t(array.size()) != size)
    throw std::invalid_argument(std::string(name) + ": unexpected length");
  return static_cast<T*>(array.data());
}

template <class T>
bool is(const ConstArray& array) {
  return array.dtype() == nb::dtype<T>();
}

// f(index, offset): zeros of the types that the arrays of a matrix have, of the pairs that the kernels know.
template <class F>
auto with_widths(bool wide_indices, bool wide_offsets, F&& f) {
  if (wide_indices) return f(std::int64_t{}, std::int64_t{});
  return wide_offsets ? f(std::int32_t{}, std::int64_t{}) : f(std::int32_t{}, std::int32_t{});
}

template <class F>
auto with_widths(const ConstArray& indptr, const ConstArray& indices, F&& f) {
  return with_widths(is<std::int64_t>(indices), is<std::int64_t>(indptr), f);
}

template <class Index, class Offset>
Csr<Index, Offset> csr_of(const ConstArray& indptr, const ConstArray& indices) {
  if (indptr.size() == 0) throw std::invalid_argument("indptr: unexpected length");
  return {data_of<const Offset>(indptr, "indptr"), data_of<const Index>(indices, "indices"),
          std::int64_t(indptr.size()) - 1};
}

template <class T>
nb::object to_numpy(T* data, std::size_t size, nb::handle owner) {
  return nb::cast(nb::ndarray<nb::numpy, T, nb::ndim<1>>(data, {size}, owner));
}

// Hands the buffer over to NumPy. `size` elements of it are the array.
template <class T>
nb::object to_numpy(Buffer<T> buffer, std::size_t size) {
  T* data = buffer.data();
  nb::capsule owner(data, [](void* p) noexcept { std::free(p); });
  buffer.release().release();
  return to_numpy(data, size, owner);
}

// The same; once the array is gone, the next result may have the memory. Of elements that NumPy knows as `Shown`.
template <class T, class Shown = T>
nb::object to_numpy(Recycled<T> array, std::size_t size) {
  auto own = std::make_unique<Recycled<T>>(std::move(array));
  auto* const data = static_cast<Shown*>(static_cast<void*>(own->data()));
  nb::capsule owner(own.get(), [](void* p) noexcept { delete static_cast<Recycled<T>*>(p); });
  own.release();
  return to_numpy(data, size, owner);
}

// A new array of NumPy's own, and where its elements are: for results of any dtype, and the quickest for small ones.
class Fresh {
 public:
  Fresh(std::int64_t size, nb::handle dtype);
  template <class T>
  T* as() const {
    return static_cast<T*>(data_);
  }
  nb::object array;

 private:
  void* data_ = nullptr;
};

// NumPy's dtype of a kind (b, i, u, f) and so many bytes; kept by the caller for as long as the process runs.
nb::handle numpy_dtype(char kind, std::size_t bytes);

template <class T>
nb::handle dtype_of() {
  constexpr char kKind = std::is_same_v<T, bool>       ? 'b'
                         : std::is_floating_point_v<T> ? 'f'
                         : std::is_signed_v<T>         ? 'i'
                                                       : 'u';
  static const nb::handle dtype = numpy_dtype(kKind, sizeof(T));
  return dtype;
}

// An int, or an array of int32 or int64, as vertices of 0 … n - 1.
template <class Index>
std::vector<Index> vertices_of(nb::handle given, std::int64_t n, const char* name) {
  std::vector<Index> vertices;
  const auto add = [&](std::int64_t v) {
    if (v < 0 || v >= n) throw std::invalid_argument(std::string(name) + ": no vertex " + std::to_string(v));
    vertices.push_back(Index(v));
  };
  if (given.is_none()) return vertices;
  if (PyIndex_Check(given.ptr()) && !PySequence_Check(given.ptr())) {
    const Py_ssize_t v = PyNumber_AsSsize_t(given.ptr(), PyExc_ValueError);
    if (v == -1 && PyErr_Occurred()) throw nb::python_error();
    add(v);
    return vertices;
  }
  ConstArray array;
  if (!nb::try_cast(given, array) || !(is<std::int32_t>(array) || is<std::int64_t>(array)))
    throw std::invalid_argument(std::string(name) + ": expected an int or an int32 or int64 array");
  vertices.reserve(array.size());
  for (std::size_t i = 0; i < array.size(); ++i)
    add(is<std::int32_t>(array) ? static_cast<const std::int32_t*>(array.data())[i]
                                : static_cast<const std::int64_t*>(array.data())[i]);
  return vertices;
}

template <std::size_t N>
nb::object names(const char* const (&list)[N]) {
  nb::list out;
  for (const char* name : list) out.append(name);
  return nb::tuple(out);
}

// Features from outside: ValueError unless they have a level and an arm that policies can take for one.
const Features& checked(const Features& f);

void bind_features(nb::module_& m);
void bind_policy(nb::module_& m);
void bind_graph(nb::module_& m);
void bind_block(nb::module_& m);
void bind_build(nb::module_& m);
void bind_lists(nb::module_& m);
void bind_matrix_product(nb::module_& m);
void bind_merge(nb::module_& m);
void bind_parse(nb::module_& m);
void bind_product(nb::module_& m);
void bind_random(nb::module_& m);
void bind_verify(nb::module_& m);

}  // namespace lagbfs
