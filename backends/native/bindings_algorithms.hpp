// Whole algorithms: see bindings_algorithms.cpp.
#pragma once

#include <nanobind/nanobind.h>

namespace lagbfs {

void bind_algorithms(nanobind::module_& m);

}  // namespace lagbfs
