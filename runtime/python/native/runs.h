// Queries that are run again and again with new values of their factors.
#pragma once

#include <nanobind/nanobind.h>

namespace mpf::python {

/// Defines the class Run: one query of a network, for arrays of its inputs. A Run may be called
/// from several threads: each call waits for the one before, without the GIL.
void defineRuns(nanobind::module_ &module);

} // namespace mpf::python
