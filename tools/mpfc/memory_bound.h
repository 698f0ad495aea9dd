// What the tables of a plan may take: the one place that decides it, for run, explain, emit and
// build alike, so that what explain tells is what run does.
#pragma once

#include "tools/mpfc/options.h"

namespace mpf::driver {

/// The options with maxMemoryBytes and memorySource set:
/// - --max-memory, if given;
/// - --device gpu: the free memory of this machine's GPU; without one, that of the --target;
/// - otherwise the memory that the host has available. Under --device auto too: a plan that fits
///   there can run here, whichever device it is worth.
/// Machine figures are rounded down (host_memory.h: steadyBytes). Asking a GPU opens it.
Options withMemoryBound(Options options);

} // namespace mpf::driver
