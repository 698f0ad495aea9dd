// The options of runs that mpfc makes by itself on the way to what was asked.
#pragma once

#include "tools/mpfc/options/options.h"

namespace mpf::driver {

/// The options without what they say of the query that was asked: its plan, its kernels, its type,
/// what is printed of it. The limits, the order, the search and the threads stay; searches end when
/// a small share of the time that is left is over. Runs are in f64. A command that runs nothing
/// itself names devices of other machines, so its own runs are on the CPU.
Options forOwnRuns(Options options);

} // namespace mpf::driver
