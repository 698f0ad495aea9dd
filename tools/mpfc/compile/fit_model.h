// Posteriors observed (`observe x ~ posterior [...]`) -> likelihoods, as the command line bounds
// it.
#pragma once

#include "dsl/model/model.h"
#include "tools/mpfc/options/options.h"

namespace mpf::driver {

/// The model with fitted likelihoods (runtime/library/jit_fit.h), and a note on stderr that says
/// so. The fit is planned and run as the options say, with their limits (own_runs.h), and is
/// announced where it takes long (announce_work.h). Throws as fitted, compileQuery and
/// announceWork.
Model fittedModel(Model model, const Options &options);

} // namespace mpf::driver
