// `mpfc fmt`: the canonical form of a .mpf text.
//
// Each declaration starts a line, blocks are indented by two blanks, lines have at most 100
// columns. Comments and single empty lines between declarations are kept. If a table does not fit a
// line, each of its rows takes a line. A number is the shortest text that reads back to the same
// bits. Formatting twice changes nothing, and the formatted text has the same AST.
#pragma once

#include "dsl/source/diagnostic.h"

#include <memory>
#include <optional>
#include <string>

namespace mpf {

/// Returns the formatted text. Returns nothing if `source` has syntax errors, which are reported.
std::optional<std::string> formatSource(std::shared_ptr<const SourceBuffer> source,
                                        Diagnostics &diagnostics);

} // namespace mpf
