// Text of a .mpf file -> AST.
//
// Recursive descent; the grammar is in dsl/README.md. The parser checks the form only: it looks up
// no name and compares no size with a domain.
#pragma once

#include "dsl/source/diagnostic.h"
#include "dsl/syntax/ast.h"

#include <memory>
#include <optional>
#include <vector>

namespace mpf {

/// Parses the whole text. After a syntax error reading goes on at the next declaration, so that one
/// run reports all errors, up to the sink's limit. Never null: the result holds the declarations
/// without errors. Depth and size of the result are bounded (token_stream.h). Thread-safe for
/// distinct sinks.
std::unique_ptr<ast::File> parseFile(std::shared_ptr<const SourceBuffer> source,
                                     Diagnostics &diagnostics);

/// Texts that stand on a command line or in a host program, in the words of the language. Each is
/// read to its end. Nothing after reporting an error, at a place in `source`.

/// What stands behind `observe`: wet = yes, rain ~ [0.3, 0.7]
std::optional<std::vector<ast::ObserveItem>>
parseObservations(std::shared_ptr<const SourceBuffer> source, Diagnostics &diagnostics);
/// Variables: wet, x[3], x
std::optional<std::vector<ast::VarRef>> parseVariables(std::shared_ptr<const SourceBuffer> source,
                                                       Diagnostics &diagnostics);
/// What stands behind `query`, with conditions: P(rain | wet = yes), best | wet = yes
std::optional<ast::Question> parseQuestion(std::shared_ptr<const SourceBuffer> source,
                                           Diagnostics &diagnostics);

} // namespace mpf
