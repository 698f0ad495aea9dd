// What the tables of a plan may take: the one place that decides it, for run, explain, emit and
// build alike, so that what explain tells is what run does.
#pragma once

#include "runtime/api/jit_memory.h"
#include "tools/mpfc/options/options.h"

namespace mpf::driver {

/// The options completed for this machine, maxMemoryBytes and memorySource set: --max-memory, if
/// given; otherwise as for host programs (runtime/api/jit_memory.h), largerMemory with them. Asked
/// when the model, plan or bundle is loaded: what that takes is gone by then. Options that have a
/// bound stay as they are.
Options withMemoryBound(Options options, const RunFacts &facts);

/// The same for the queries of a model that the options select.
Options withMemoryBound(const Options &options, const Model &model);

} // namespace mpf::driver
