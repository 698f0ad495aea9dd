// What the functions that compile models for host programs share.
#pragma once

#include "codegen/pipeline/compile_settings.h"
#include "dsl/model/model.h"
#include "dsl/source/diagnostic.h"
#include "runtime/api/mpf.h"

#include <optional>
#include <string>
#include <string_view>

namespace mpf {

/// Throws Error(BadInput) with all that was reported as its message.
[[noreturn]] void failWith(const Diagnostics &diagnostics);

/// The query of this name, or the only one for an empty name; else Error(Usage).
const Query &selectQuery(const Model &model, const std::string &name);

/// What the host program says, in the words that mpfc's command line shares. Throws Error(Usage)
/// for options without a meaning.
CompileSettings settingsOf(const CompileOptions &options);

/// A model and its evidence file; errors as compileText and compileFile.
Model readTextFor(std::string_view text, const CompileOptions &options);
Model readFileFor(const std::string &path, const CompileOptions &options);

/// What compileText and compileFile do with the model that they have read.
Program compileModel(const Model &model, const CompileOptions &options);

} // namespace mpf
