// `mpfc fmt`: the canonical form of a .mpf text.
//
// Each declaration starts a line, blocks are indented by two blanks, lines have at most 100
// columns. Comments and single empty lines between declarations are kept. A table that does not fit
// a line has its rows on lines of their own. A number is the shortest text that reads back to the
// same bits; a whole number that is spelled otherwise (01, 1.0), as labels may be, keeps its text.
// Formatting twice changes nothing, and the formatted text has the same AST.
#pragma once

#include "dsl/source/diagnostic.h"

#include <memory>
#include <optional>
#include <string>

namespace mpf {

/// The formatted text. Nothing when `source` has syntax errors, which are reported.
std::optional<std::string> formatSource(std::shared_ptr<const SourceBuffer> source,
                                        Diagnostics &diagnostics);

} // namespace mpf
