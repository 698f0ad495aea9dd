// Measures runs of a session whose values and results stay in the memory of a GPU, and runs that
// copy the same values and results from and to the host.
#pragma once

#include "tools/mpf-bench/measure/time_runs.h"

namespace mpf::bench {

/// Prints a line per model: the time of a run from the host, that of a device run among many on one
/// stream, and the host's part of the latter. It also has the launches of the device run. All runs
/// get new values for every factor with values. Throws like compileFile and Session::runOnDevice,
/// and Error(Device) in an mpf-bench without CUDA.
void benchDeviceRuns(const RunBenchOptions &options);

} // namespace mpf::bench
