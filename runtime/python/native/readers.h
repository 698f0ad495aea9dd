// Cells of columns as states of one variable, for Python: numbers, labels, objects.
#pragma once

#include <nanobind/nanobind.h>

namespace mpf::python {

/// Defines the class Reader.
void defineReaders(nanobind::module_ &module);

} // namespace mpf::python
