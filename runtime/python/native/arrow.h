// Columns of Arrow tables, read through the C stream interface without a copy.
#pragma once

#include <nanobind/nanobind.h>

namespace mpf::python {

/// Defines the classes ArrowStream and ArrowBatch.
void defineArrow(nanobind::module_ &module);

} // namespace mpf::python
