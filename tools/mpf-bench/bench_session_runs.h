// Measures sessions that run very often, with new values in turn: whether the process grows, and
// whether the same values give the same bits.
#pragma once

#include "tools/mpf-bench/measure/time_runs.h"

namespace mpf::bench {

/// Prints a line per model and schedule: the time of a run of the session, what the process has of
/// memory, threads and open files after the first hundredth of the runs and after the last, and how
/// many results differ. Returns for how many of them one of these grew or a result differed. Throws
/// Error as compileFile and Session do.
size_t benchSessionRuns(const RunBenchOptions &options);

} // namespace mpf::bench
