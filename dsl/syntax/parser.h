// Turns the text of a .mpf file into an AST.
//
// Recursive descent; the grammar is in dsl/LANGUAGE.md. The parser checks the form only: it looks
// up no name and compares no size with a domain.
#pragma once

#include "dsl/source/diagnostic.h"
#include "dsl/syntax/ast.h"

#include <memory>
#include <optional>
#include <vector>

namespace mpf {

/// Parses the whole text. After a syntax error it goes on at the next declaration, so that one run
/// reports all errors, up to the sink's limit. The result is never null and holds the declarations
/// without errors. Its depth and size are bounded (token_stream.h). Thread-safe for distinct sinks.
std::unique_ptr<ast::File> parseFile(std::shared_ptr<const SourceBuffer> source,
                                     Diagnostics &diagnostics);

/// The functions below parse texts from a command line or a host program, in the notation of the
/// language. Each text is read to its end. After an error, which is reported at a place in
/// `source`, they return nothing.

/// Parses the text after `observe`: wet = yes, rain ~ [0.3, 0.7]
std::optional<std::vector<ast::ObserveItem>>
parseObservations(std::shared_ptr<const SourceBuffer> source, Diagnostics &diagnostics);
/// Parses variables: wet, x[3], x
std::optional<std::vector<ast::VarRef>> parseVariables(std::shared_ptr<const SourceBuffer> source,
                                                       Diagnostics &diagnostics);
/// Parses the text after `query`, with conditions: P(rain | wet = yes), best | wet = yes
std::optional<ast::QueryDecl> parseQuestion(std::shared_ptr<const SourceBuffer> source,
                                            Diagnostics &diagnostics);

/// Parses what a param gets from outside: n = 2 * k, w = [1, 2], w = file("w.npy"), b in 0..10,
/// b = linspace(0, 1, 9).
std::optional<ast::ParamItem> parseGivenParam(std::shared_ptr<const SourceBuffer> source,
                                              Diagnostics &diagnostics);

} // namespace mpf
