// --emit=answer: the candidates of an answer, their predicted times and memory, and the choice that
// a run makes on this machine. With --target, the machine has that GPU instead.
#pragma once

#include "codegen/bundle/bundle.h"
#include "dsl/model/model.h"
#include "tools/mpfc/options/options.h"
#include "tools/mpfc/process/refusals.h"

#include <string>
#include <vector>

namespace mpf::driver {

/// Returns the plans of single results. `bundles` were compiled as for a run.
std::string emitAnswers(const std::vector<Bundle> &bundles, const Options &options);

/// Returns the plans of lists of cases, one for each selected query.
std::string emitListAnswers(const Model &model, const Options &options, Refusals &refusals);

} // namespace mpf::driver
