// The memory bound of a plan's tables. run, explain, emit and build all use this function, so that
// explain describes what run does.
#pragma once

#include "runtime/api/jit_memory.h"
#include "tools/mpfc/options/options.h"

namespace mpf::driver {

/// Returns the options with maxMemoryBytes and memorySource set: from --max-memory if given,
/// otherwise as for host programs, with largerMemory (runtime/api/jit_memory.h). Call it after the
/// model, plan or bundle is loaded, so that their memory is subtracted already. Options that have a
/// bound stay as they are.
Options withMemoryBound(Options options, const RunFacts &facts);

/// The same for the queries of a model that the options select.
Options withMemoryBound(const Options &options, const Model &model);

} // namespace mpf::driver
