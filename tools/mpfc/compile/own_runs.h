// The options of runs that mpfc makes by itself on the way to an answer.
#pragma once

#include "tools/mpfc/options/options.h"

namespace mpf::driver {

/// Returns the options without those for the query of the user: its plan, its kernels, its type,
/// its printed stages. The limits, the order, the search and the threads stay; searches end when a
/// small share of the remaining time is over. Runs are in f64. A command other than `run` names
/// devices of other machines, so these runs are then on the CPU.
Options forOwnRuns(Options options);

} // namespace mpf::driver
