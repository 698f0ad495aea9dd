// The memory bound of a plan's tables. run, explain, emit and build all use this function, so that
// explain describes what run does.
#pragma once

#include "runtime/choose/jit_memory.h"
#include "tools/mpfc/options/options.h"

namespace mpf::driver {

/// Returns the options with maxMemoryBytes and memorySource set: from --max-memory if given,
/// otherwise as for host programs (completeForMachine, runtime/choose/jit_memory.h). Call it after
/// the model, plan or bundle is loaded, so that their memory is subtracted already. Options that
/// have a bound stay as they are.
Options withMemoryBound(Options options, RunFacts facts);

/// Sets the memory bound for the queries of a model that the options select.
Options withMemoryBound(const Options &options, const Model &model);

/// Returns the options with streamedBytes set from the memory that is left now, for a list of
/// cases. Call it before the first engine is made.
Options withStreamMemory(Options options);

} // namespace mpf::driver
