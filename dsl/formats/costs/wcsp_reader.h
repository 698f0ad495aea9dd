// Reads weighted constraint satisfaction problems in the format .wcsp of toulbar2 (its manual,
// "wcsp format").
#pragma once

#include "dsl/formats/network/model_read_options.h"
#include "dsl/model/model.h"
#include "dsl/source/diagnostic.h"

#include <memory>
#include <optional>
#include <string_view>

namespace mpf {

/// Reads a whole text. The variables are x0, x1, ..., the functions f0, f1, ... The query `cost` is
/// the least sum of costs and an assignment that has it (cost_functions.h). Returns nothing when an
/// error was reported; global cost functions are reported by name. The memory is proportional to
/// the text, and to the tuples without a cost of their own.
std::optional<Model> readWcsp(std::shared_ptr<const SourceBuffer> buffer, Diagnostics &diagnostics,
                              const ModelReadOptions &options = {});

/// Whether the first line has five words: a name that is no number, and four counts.
bool startsAsWcsp(std::string_view text);

} // namespace mpf
