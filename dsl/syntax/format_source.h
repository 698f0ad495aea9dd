// `mpfc fmt`: the canonical form of a .mpf text.
//
// One declaration per line, two blanks per block, 100 columns. Comments stay where they are, single
// empty lines between declarations stay. Tables that do not fit a line are broken into their rows.
// Numbers are the shortest text that reads back to the same bits. Formatting twice changes nothing,
// and the formatted text has the same AST.
#pragma once

#include "dsl/source/diagnostic.h"

#include <memory>
#include <optional>
#include <string>

namespace mpf {

/// Parses `source` first: nothing when it has syntax errors, which are in `diagnostics` then.
std::optional<std::string> formatSource(std::shared_ptr<const SourceBuffer> source,
                                        Diagnostics &diagnostics);

} // namespace mpf
