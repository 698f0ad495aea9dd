// Text of a .mpf file -> AST.
//
// Recursive descent; the grammar is in dsl/README.md and above each method of the parser classes.
// Checks form only: no name is looked up, no size compared with a domain.
#pragma once

#include "dsl/source/diagnostic.h"
#include "dsl/syntax/ast.h"

#include <memory>

namespace mpf {

/// Parses the whole text and reports every syntax error found in it (up to the sink's limit):
/// after an error, reading goes on at the next declaration. Never null; with errors reported,
/// the file holds the declarations that were well formed. Bounded in depth and size whatever the
/// input. Thread-safe for distinct sinks.
std::unique_ptr<ast::File> parseFile(std::shared_ptr<const SourceBuffer> source,
                                     Diagnostics &diagnostics);

} // namespace mpf
