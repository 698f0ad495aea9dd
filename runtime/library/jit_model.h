// Helpers of the functions that compile models for host programs.
#pragma once

#include "codegen/pipeline/compile_settings.h"
#include "dsl/model/model.h"
#include "dsl/source/diagnostic.h"
#include "runtime/api/session.h"

namespace mpf {

/// Appends the warnings among `diagnostics` to CompileOptions::warnings, where the caller asked.
void reportWarnings(const Diagnostics &diagnostics, const CompileOptions &options);

/// Returns the only query of a model. Throws Error(Usage) if the model has none or several.
const Query &onlyQuery(const Model &model);

/// Converts a host program's options to the settings that mpfc's command line uses too. Throws
/// Error(Usage) for options without a meaning.
CompileSettings settingsOf(const CompileOptions &options);

/// Returns the model of a network with the evidence and the query of the options.
Model modelFor(Network network, const CompileOptions &options);

/// Compiles the only query of a model.
Program compileModel(const Model &model, const CompileOptions &options);

} // namespace mpf
