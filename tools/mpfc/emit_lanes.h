// The stages of lists of cases that are answered in lanes: the lane program of a query, the order
// in which it eliminates, its kernel for a GPU, the text that a CPU may have compiled.
#pragma once

#include "dsl/model/model.h"
#include "tools/mpfc/options/options.h"
#include "tools/mpfc/process/refusals.h"

#include <string>

namespace mpf::driver {

/// Whether lanes have a text of `stage` of their own, or can say why they have none: any stage
/// behind the model and its simplification.
bool isOfLanes(Stage stage);

/// Returns the text of `stage` for the selected queries of the model, which must list cases, or for
/// the lane programs of -x lanes. A kernel is for the values of the tables and the device of
/// --target; of kernels and orders there must be one query. Throws Error(Usage) where there is no
/// list of cases, Error(Unsupported) with the reason for a stage that lanes do not have, and as
/// planning in lanes and the compiler do.
std::string emitLanePrograms(const Options &options, Stage stage, Refusals &refusals);
/// The same for a model that is loaded already.
std::string emitLanePrograms(const Model &model, const Options &options, Stage stage,
                             Refusals &refusals);

/// The C++ text that this machine's CPU would have compiled for any number of cases; it compiles as
/// it is.
std::string compiledStripsText(const LaneProgram &program);

} // namespace mpf::driver
