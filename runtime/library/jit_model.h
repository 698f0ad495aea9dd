// Helpers of the functions that compile models for host programs.
#pragma once

#include "codegen/pipeline/compile_settings.h"
#include "dsl/model/model.h"
#include "dsl/source/diagnostic.h"
#include "runtime/api/session.h"

#include <optional>
#include <set>
#include <string>
#include <string_view>

namespace mpf {

/// Throws Error(BadInput) with all reports as its message.
[[noreturn]] void failWith(const Diagnostics &diagnostics);

/// Appends the warnings among `diagnostics` to CompileOptions::warnings, where the caller asked.
void reportWarnings(const Diagnostics &diagnostics, const CompileOptions &options);

/// Returns the only query of a model that was read for CompileOptions. Throws Error(Usage) if the
/// model has none or several.
const Query &onlyQuery(const Model &model);

/// Converts a host program's options to the settings that mpfc's command line uses too. Throws
/// Error(Usage) for options without a meaning.
CompileSettings settingsOf(const CompileOptions &options);

/// Reads a model and adds the evidence of the options. If the options name a query, the model has
/// that query alone. Cases set the params `varying`. Throws as compileText and compileFile.
Model readTextFor(std::string_view text, const CompileOptions &options,
                  const std::set<std::string> &varying = {});
Model readFileFor(const std::string &path, const CompileOptions &options,
                  const std::set<std::string> &varying = {});

/// Compiles a model that compileText or compileFile has read.
Program compileModel(const Model &model, const CompileOptions &options);

} // namespace mpf
