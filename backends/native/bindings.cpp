#include "bindings.hpp"

#include "bindings_algorithms.hpp"
#include "recycle.hpp"
#include "team.hpp"

namespace {

// Whether this processor can run the module built for AVX2 (its flags are in CMakeLists.txt).
bool has_avx2() {
#if defined(__x86_64__) && defined(__GNUC__)
  return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("bmi") && __builtin_cpu_supports("bmi2") &&
         __builtin_cpu_supports("popcnt");
#else
  return false;
#endif
}

// An attribute of NumPy, for as long as the process runs.
nanobind::handle of_numpy(const char* name) {
  return nanobind::object(nanobind::module_::import_("numpy").attr(name)).release();
}

}  // namespace

namespace lagbfs {

void bind_many(nb::module_& m);
void bind_neighbors(nb::module_& m);

nb::handle numpy_dtype(char kind, std::size_t bytes) {
  return nb::object(of_numpy("dtype")((kind + std::to_string(bytes)).c_str())).release();
}

Fresh::Fresh(std::int64_t size, nb::handle dtype) {
  static const nb::handle empty = of_numpy("empty");
  array = empty(size, dtype);
  Py_buffer view;
  if (PyObject_GetBuffer(array.ptr(), &view, PyBUF_WRITABLE) != 0) throw nb::python_error();
  data_ = view.buf;  // stays where it is for as long as the array has no other holder
  PyBuffer_Release(&view);
}

}  // namespace lagbfs

NB_MODULE(LAGBFS_MODULE, m) {
  using namespace lagbfs;
  nb::set_leak_warnings(false);  // a thread still searching when the process ends holds what it uses
  m.doc() = "The kernels of the native engine. The annotations are in _kernels.pyi.";
  m.def("has_avx2", &has_avx2, "Whether this processor can run the module built for AVX2.");
  m.def(
      "max_threads", [] { return team_size(0); },
      "The team size that threads=0 stands for; OMP_NUM_THREADS and threadpoolctl set it.");
  m.def(
      "kept_bytes", [] { return Recycler::instance().bytes(); },
      "Memory of released results and work buffers kept for the next ones.");
  bind_features(m);
  bind_policy(m);
  bind_graph(m);
  bind_block(m);
  bind_build(m);
  bind_lists(m);
  bind_many(m);
  bind_matrix_product(m);
  bind_merge(m);
  bind_neighbors(m);
  bind_parse(m);
  bind_product(m);
  bind_random(m);
  bind_verify(m);
  bind_algorithms(m);
}
