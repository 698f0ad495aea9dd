// The stages of lists of cases that are answered in lanes. These are the lane program of a query,
// its elimination order, its kernel for a GPU, and the C++ text that may be compiled for a CPU.
#pragma once

#include "codegen/bundle/forms/program_form.h"
#include "dsl/model/model.h"
#include "tools/mpfc/options/options.h"
#include "tools/mpfc/process/refusals.h"

#include <string>

namespace mpf::driver {

/// Whether lanes have a separate text of `stage`, or a reason for having none. That is any stage
/// after the model and its simplification.
bool isOfLanes(Stage stage);

/// Returns the text of `stage` for the selected queries of the model, which must list cases, or for
/// the lane programs of -x lanes. A kernel is for the values of the tables and the device of
/// --target. Kernels and orders are printed for one query only. Throws Error(Usage) if there is no
/// list of cases, and Error(Unsupported) with the reason for a stage that lanes do not have. Throws
/// as planning in lanes and the compiler do.
std::string emitLaneStages(const Options &options, Stage stage, Refusals &refusals);
/// Returns the text for a model that is loaded already.
std::string emitLaneStages(const Model &model, const Options &options, Stage stage,
                           Refusals &refusals);

/// Returns the self-contained C++ text that would be compiled for this machine's CPU, for any
/// number of cases.
std::string compiledStripsText(const LaneProgram &program);
/// The same for a loaded program that answers lists of cases.
std::string compiledStripsText(const StoredProgram &program);

} // namespace mpf::driver
