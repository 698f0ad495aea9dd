// Measures whole programs that run repeatedly, computing all operations each time: the time of a
// run once kernels and plans exist.
#pragma once

#include "tools/mpf-bench/measure/time_runs.h"

namespace mpf::bench {

/// Prints a line per model and schedule: how operations are spread, the predicted time of a run,
/// and the median, fastest and slowest run. Throws like compileFile and Executor.
void benchRuns(const RunBenchOptions &options);

} // namespace mpf::bench
