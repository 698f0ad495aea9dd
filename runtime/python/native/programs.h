// Queries compiled for cases.
#pragma once

#include <nanobind/nanobind.h>

namespace mpf::python {

/// Defines the class Program and the functions that compile and load one.
void definePrograms(nanobind::module_ &module);

} // namespace mpf::python
