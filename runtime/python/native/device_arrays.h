// Arrays in the memory of a GPU: those of other packages, read through DLPack, and those of mpf.
#pragma once

#include <nanobind/nanobind.h>

namespace mpf::python {

/// Defines the classes ArrayView and DeviceArray.
void defineDeviceArrays(nanobind::module_ &module);

} // namespace mpf::python
