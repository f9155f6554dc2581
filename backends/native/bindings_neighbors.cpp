// Neighbours in the order in which they were added: read from a dictionary of dictionaries, and searched.
#include <algorithm>
#include <cstring>
#include <limits>

#include "bindings.hpp"

namespace lagbfs {
namespace {

// What is no plain dictionary, or no plain number, is left to Python, which knows all of them.
struct NotPlain {};

constexpr Py_ssize_t kRefers = std::numeric_limits<std::int32_t>::max();

// The vertex of a node: itself if it is an int and no numbers are given, else what `numbers` has for it.
class Numbering {
 public:
  Numbering(nb::handle numbers, Py_ssize_t n) : numbers_(numbers.is_none() ? nullptr : numbers.ptr()), n_(n) {
    if (numbers_ && !PyDict_CheckExact(numbers_)) throw NotPlain{};
  }

  std::int32_t operator()(PyObject* node) const {
    PyObject* number = node;
    if (numbers_) {
      const nb::object kept = nb::borrow(node);  // comparing nodes may run Python
      number = PyDict_GetItemWithError(numbers_, node);
      if (!number && PyErr_Occurred()) throw nb::python_error();
    }
    if (!number || !PyLong_Check(number)) throw NotPlain{};
    const long long v = PyLong_AsLongLong(number);
    if (v == -1 && PyErr_Occurred()) PyErr_Clear();
    if (v < 0 || v >= n_) throw NotPlain{};
    return std::int32_t(v);
  }

 private:
  PyObject* numbers_;
  Py_ssize_t n_;
};

// Numbers one by one: int64 for as long as all are ints, float64 from the first float on.
class Numbers {
 public:
  explicit Numbers(Py_ssize_t size) : words_(std::size_t(size)) {}

  void add(PyObject* number) {
    if (PyFloat_CheckExact(number)) {
      if (!floats_) widen();
      put(size_++, PyFloat_AS_DOUBLE(number));
      return;
    }
    if (!PyLong_CheckExact(number) && !PyBool_Check(number)) throw NotPlain{};
    int overflow = 0;
    const long long whole = PyLong_AsLongLongAndOverflow(number, &overflow);
    if (overflow) throw NotPlain{};
    if (floats_) put(size_++, double(whole));
    else words_[size_++] = whole;
  }

  nb::object take() {
    const std::size_t size = size_;
    if (!floats_) return to_numpy(std::move(words_), size);
    Buffer<double> reals(size);
    if (size) std::memcpy(reals.data(), words_.data(), size * sizeof(double));
    return to_numpy(std::move(reals), size);
  }

 private:
  void put(std::size_t i, double value) { std::memcpy(words_.data() + i, &value, sizeof value); }
  void widen() {
    for (std::size_t i = 0; i < size_; ++i) put(i, double(words_[i]));
    floats_ = true;
  }

  Buffer<std::int64_t> words_;
  std::size_t size_ = 0;
  bool floats_ = false;
};

PyObject* plain_dict(PyObject* object) {
  if (!PyDict_CheckExact(object)) throw NotPlain{};
  return object;
}

// What an edge's dictionary has under a name; `missing` if it has nothing.
PyObject* looked_up(PyObject* data, PyObject* name, PyObject* missing) {
  if (PyDict_GET_SIZE(plain_dict(data)) == 0) return missing;
  PyObject* found = PyDict_GetItemWithError(data, name);
  if (!found && PyErr_Occurred()) throw nb::python_error();
  return found ? found : missing;
}

nb::object read(nb::handle adjacency, nb::handle numbers, nb::handle name, nb::handle missing) {
  const Py_ssize_t n = PyDict_GET_SIZE(plain_dict(adjacency.ptr()));
  if (n >= kRefers) throw NotPlain{};
  Buffer<std::int64_t> starts(std::size_t(n + 1));
  Py_ssize_t place = 0, row = 0;
  PyObject *key, *neighbors;
  starts[0] = 0;
  while (PyDict_Next(adjacency.ptr(), &place, &key, &neighbors)) {
    starts[row + 1] = starts[row] + PyDict_GET_SIZE(plain_dict(neighbors));
    ++row;
  }
  const Numbering vertex(numbers, n);
  const bool weighted = !name.is_none();
  const std::int64_t size = starts[n];
  Buffer<std::int32_t> ends{std::size_t(size)};
  Numbers values(weighted ? size : 0);
  std::int64_t at = 0;
  for (place = 0; PyDict_Next(adjacency.ptr(), &place, &key, &neighbors);) {
    const nb::object kept = nb::borrow(neighbors);  // comparing nodes may run Python, which may take it out
    Py_ssize_t inner = 0;
    PyObject *node, *data;
    while (PyDict_Next(neighbors, &inner, &node, &data)) {
      if (at == size) throw NotPlain{};  // it grew meanwhile
      if (weighted) values.add(looked_up(data, name.ptr(), missing.ptr()));
      ends[at++] = vertex(node);
    }
  }
  if (at != size) throw NotPlain{};
  nb::object found = weighted ? values.take() : nb::none();
  return nb::make_tuple(to_numpy(std::move(starts), n + 1), to_numpy(std::move(ends), size), found);
}

nb::object neighbors(nb::handle adjacency, nb::handle numbers, nb::handle name, nb::handle missing) {
  try {
    return read(adjacency, numbers, name, missing);
  } catch (const NotPlain&) {
    return nb::none();
  }
}

// A search with one queue. Rows need not be sorted, and what their order is vertices are found in.
nb::object search_as_given(ConstArray indptr, ConstArray indices, ConstArray sources, std::int64_t depth) {
  const auto csr = csr_of<std::int32_t, std::int64_t>(indptr, indices);
  const std::int64_t n = std::int64_t(indptr.size()) - 1, count = std::int64_t(sources.size());
  const auto* from = data_of<const std::int64_t>(sources, "sources");
  Buffer<std::int32_t> order(std::size_t(n + count)), parents { std::size_t(n) };
  std::int64_t tail = 0;
  without_gil([&] {
    std::fill(parents.begin(), parents.end(), -1);
    for (; tail < count; ++tail) {
      if (from[tail] < 0 || from[tail] >= n) throw std::invalid_argument("sources: no such vertex");
      order[tail] = parents[from[tail]] = std::int32_t(from[tail]);
    }
    std::int64_t head = 0, looked = 0;
    for (std::int64_t level = 0; head < tail && level < depth; ++level) {
      for (const std::int64_t end = tail; head < end; ++head) {
        const std::int32_t u = order[head];
        for (const std::int32_t* v = csr.begin(u); v != csr.end(u); ++v)
          if (parents[*v] < 0) parents[*v] = u, order[tail++] = *v;
        if ((++looked & 0xffff) == 0 && ask_python()) throw Interrupted{};
      }
    }
  });
  return nb::make_tuple(to_numpy(std::move(order), tail), to_numpy(std::move(parents), n));
}

}  // namespace

void bind_neighbors(nb::module_& m) {
  using namespace nb::literals;
  m.def("neighbors", &neighbors, "adjacency"_a, "numbers"_a.none(), "name"_a.none(), "missing"_a.none());
  m.def("search_as_given", &search_as_given, "indptr"_a, "indices"_a, "sources"_a, "depth"_a);
}

}  // namespace lagbfs
