// Sessions that answer cases: one case, or a block of them.
#pragma once

#include <nanobind/nanobind.h>

namespace mpf::python {

/// Defines the class Session. A session may be called from several threads: each call
/// waits for the one before. The GIL is given back before a call waits.
void defineSessions(nanobind::module_ &module);

} // namespace mpf::python
