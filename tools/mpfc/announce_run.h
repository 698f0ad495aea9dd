// Says before a long run how long it is predicted to take.
#pragma once

#include "runtime/api/mpf.h"
#include "tools/mpfc/options/options.h"

namespace mpf::driver {

/// Prints the predicted time of a run above 10 s to stderr. Throws Error(TimeLimit) for one above a
/// day, unless --yes or --time-limit agrees to it. Predicts nothing for a run that is shorter by a
/// generous price.
void announceRun(const Program &program, const Options &options);

} // namespace mpf::driver
