// AST -> MODEL: checks everything that dsl/README.md says must hold and builds the tables.
//
// Reports all errors of all files in one run (up to the sink's limit). A name whose declaration was
// wrong is known from then on, so that one mistake gives one message. All sizes are held against
// BuildOptions::limits before memory is taken.
#pragma once

#include "dsl/model/model.h"
#include "dsl/model/resolve/build_options.h"
#include "dsl/syntax/ast.h"

#include <memory>
#include <optional>

namespace mpf {

/// Nothing when anything is wrong, with errors in `diagnostics` then; the Model has passed
/// verifyModel otherwise. When `diagnostics` holds errors already (from parsing the file), what
/// depends on declarations that may be missing is not reported.
std::optional<Model> buildModel(const ast::File &file, Diagnostics &diagnostics,
                                const BuildOptions &options = {});

/// Parses and builds.
std::optional<Model> readMpf(std::shared_ptr<const SourceBuffer> source, Diagnostics &diagnostics,
                             const BuildOptions &options = {});

} // namespace mpf
