// class Features and the quantities that follow from them: see features.hpp.
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <cstdint>
#include <string>
#include <vector>

#include "bindings.hpp"

namespace lagbfs {

const Features& checked(const Features& f) {
  if (!(f.arm >= kOtherPull && f.arm < kArmCount && f.arm == int(f.arm)))
    throw std::invalid_argument("features: no such arm");
  if (!(f.level >= 0 && f.level <= INT32_MAX)) throw std::invalid_argument("features: level out of range");
  return f;
}

namespace {

double& field_of(Features& f, nb::handle name) {
  const std::string wanted = nb::cast<std::string>(name);
  for (int i = 0; i < Features::kCount; ++i)
    if (wanted == kFeatures[i]) return f.*kFeatureFields[i];
  throw nb::type_error(("Features: no field '" + wanted + "'").c_str());
}

double number_of(nb::handle value) {
  const double number = PyFloat_AsDouble(value.ptr());
  if (number == -1 && PyErr_Occurred()) throw nb::python_error();
  return number;
}

void make(Features* self, const nb::kwargs& fields) {
  Features f;
  for (auto [name, value] : fields) field_of(f, name) = number_of(value);
  new (self) Features(f);
}

std::vector<double> quantities(const Features& f, double cache) {
  const Quantities q = quantities_of(f, cache);
  return {q.of, q.of + Quantities::kCount};
}

}  // namespace

void bind_features(nb::module_& m) {
  using namespace nb::literals;
  m.attr("FEATURES") = names(kFeatures);
  m.attr("QUANTITIES") = names(kQuantities);
  nb::class_<Features> type(m, "Features");
  type.def("__init__", &make);
#define X(name, initial) type.def_rw(#name, &Features::name);
  LAGBFS_FEATURES(X)
#undef X
  m.def("quantities", &quantities, "features"_a, "cache"_a);
}

}  // namespace lagbfs
