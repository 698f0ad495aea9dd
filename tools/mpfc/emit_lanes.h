// --emit=lanes, and --emit=cuda and --emit=compiled of lists of cases: the lane program of a query,
// its kernel for a GPU, and the text that a CPU may have compiled.
#pragma once

#include "dsl/model/model.h"
#include "tools/mpfc/options/options.h"
#include "tools/mpfc/process/refusals.h"

#include <string>

namespace mpf::driver {

/// Returns the text of `stage`, Lanes (as a bundle has it, too), Cuda or CompiledCpp, for the
/// selected queries of the model, which must list cases, or for the lane programs of -x lanes. A
/// kernel is for the values of the tables and the device of --target; there must be one query.
/// Throws Error(Usage) where there is no list of cases, and as planning in lanes.
std::string emitLanePrograms(const Options &options, Stage stage, Refusals &refusals);
/// The same for a model that is loaded already.
std::string emitLanePrograms(const Model &model, const Options &options, Stage stage,
                             Refusals &refusals);

/// The C++ text that this machine's CPU would have compiled for any number of cases; it compiles as
/// it is.
std::string compiledStripsText(const LaneProgram &program);

} // namespace mpf::driver
