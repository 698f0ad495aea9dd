// Models: read, built from arrays, written, compiled.
#pragma once

#include <nanobind/nanobind.h>

namespace mpf::python {

/// Defines the class Network and the functions that compile one.
void defineNetworks(nanobind::module_ &module);

} // namespace mpf::python
