// What the tables of a plan may take: the one place that decides it, for run, explain, emit and
// build alike, so that what explain tells is what run does.
#pragma once

#include "tools/mpfc/options.h"

namespace mpf::driver {

/// The options with maxMemoryBytes and memorySource set: --max-memory, if given; otherwise as for
/// host programs (runtime/api/jit_memory.h), largerMemory with them.
Options withMemoryBound(Options options);

} // namespace mpf::driver
