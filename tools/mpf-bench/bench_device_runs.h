// Measures runs of a session whose values and results stay in the memory of a GPU, beside runs that
// take the same values from the host and bring their results there.
#pragma once

#include "tools/mpf-bench/measure/time_runs.h"

namespace mpf::bench {

/// Prints a line per model: a run from the host, a run from the device in a row of them on one
/// stream, and the host's part of the latter, all with new values of every factor that has some;
/// and the launches of the latter. Throws Error as compileFile and Session::runOnDevice do, and
/// Error(Device) in an mpf-bench without CUDA.
void benchDeviceRuns(const RunBenchOptions &options);

} // namespace mpf::bench
