// Errors of C++ as exceptions of the module mpf.errors.
#pragma once

#include <nanobind/nanobind.h>

namespace mpf::python {

/// Makes every mpf::Error that leaves a bound function an exception of mpf.errors, by its kind.
void translateErrors();

} // namespace mpf::python
