// Measures sessions that run very often, with new values in turn: whether the process grows, and
// whether the same values give the same bits.
#pragma once

#include "tools/mpf-bench/measure/time_runs.h"

namespace mpf::bench {

/// Prints a line per model and schedule:
/// - the time of a run of the session;
/// - memory, threads and open files of the process, after the first hundredth of the runs and after
///   the last;
/// - how many results differ.
///
/// Returns the number of lines with growth or with a result that differs. Throws like compileFile
/// and Session.
size_t benchSessionRuns(const RunBenchOptions &options);

} // namespace mpf::bench
