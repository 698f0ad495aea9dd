// AST -> MODEL: checks the rules of the language (dsl/LANGUAGE.md) and builds the tables.
//
// One run reports the errors of all files, up to the sink's limit. A name whose declaration was
// wrong is remembered as broken, so that its uses give no further messages. Sizes are compared with
// BuildOptions::limits before memory is allocated.
#pragma once

#include "dsl/model/build/include_files.h"
#include "dsl/model/model.h"
#include "dsl/model/resolve/build_options.h"
#include "dsl/model/resolve/symbols.h"
#include "dsl/syntax/ast.h"

#include <memory>
#include <optional>

namespace mpf {

/// The names of a build and the files that it read, for programs that show them. They are also set
/// after errors.
struct BuiltNames {
  std::vector<std::unique_ptr<ast::File>> included;
  std::vector<PlacedDecl> decls; ///< of the main file and the included ones
  Symbols symbols;
  std::vector<DomainPtr> domains; ///< of each variable, by VarId
  /// Indices into Diagnostics::all() of errors about BuildOptions::limits: with greater limits the
  /// model may be right.
  std::vector<size_t> limitErrors;
};

/// Builds the Model of `file` and of the files that it includes. The result has passed verifyModel;
/// it is empty when `diagnostics` has an error. If `diagnostics` already has errors of parsing,
/// unknown names are not reported: the parser may have dropped their declarations. Warns of
/// conditional tables that are no Bayesian network (check_network.h). `names`: null, or receives
/// the names; `file` must outlive them.
std::optional<Model> buildModel(const ast::File &file, Diagnostics &diagnostics,
                                const BuildOptions &options = {}, BuiltNames *names = nullptr);

/// Parses `source` and builds the Model.
std::optional<Model> readMpf(std::shared_ptr<const SourceBuffer> source, Diagnostics &diagnostics,
                             const BuildOptions &options = {});

} // namespace mpf
