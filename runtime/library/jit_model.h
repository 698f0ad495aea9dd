// What the functions that compile models for host programs share.
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

/// Throws Error(BadInput) with all that was reported as its message.
[[noreturn]] void failWith(const Diagnostics &diagnostics);

/// Appends the warnings among `diagnostics` to CompileOptions::warnings, where the caller asked.
void reportWarnings(const Diagnostics &diagnostics, const CompileOptions &options);

/// The only query of a model that was read for CompileOptions; else Error(Usage).
const Query &onlyQuery(const Model &model);

/// What the host program says, in the words that mpfc's command line shares. Throws Error(Usage)
/// for options without a meaning.
CompileSettings settingsOf(const CompileOptions &options);

/// A model, whose params `varying` cases set, with the evidence of the options and, where they name
/// one, with their query alone; errors as compileText and compileFile.
Model readTextFor(std::string_view text, const CompileOptions &options,
                  const std::set<std::string> &varying = {});
Model readFileFor(const std::string &path, const CompileOptions &options,
                  const std::set<std::string> &varying = {});

/// What compileText and compileFile do with the model that they have read.
Program compileModel(const Model &model, const CompileOptions &options);

} // namespace mpf
