// Text of a .mpf file -> AST.
//
// Recursive descent; the grammar is in dsl/README.md. The parser checks the form only: it looks up
// no name and compares no size with a domain.
#pragma once

#include "dsl/source/diagnostic.h"
#include "dsl/syntax/ast.h"

#include <memory>

namespace mpf {

/// Parses the whole text. After a syntax error reading goes on at the next declaration, so that one
/// run reports all errors, up to the sink's limit. Never null: the result holds the declarations
/// without errors. Depth and size of the result are bounded (token_stream.h). Thread-safe for
/// distinct sinks.
std::unique_ptr<ast::File> parseFile(std::shared_ptr<const SourceBuffer> source,
                                     Diagnostics &diagnostics);

} // namespace mpf
