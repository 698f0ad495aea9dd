// Fits likelihoods to observed posteriors (`observe x ~ posterior [...]`), within the limits of the
// command line.
#pragma once

#include "dsl/model/model.h"
#include "tools/mpfc/options/options.h"

namespace mpf::driver {

/// Returns the model with fitted likelihoods (runtime/library/jit_fit.h); a note on stderr says so.
/// The fit is planned and run as the options say, with their limits (own_runs.h). It is announced
/// if it takes long (announce_work.h). Throws as fitted, compileQuery and announceWork.
Model fittedModel(Model model, const Options &options);

} // namespace mpf::driver
