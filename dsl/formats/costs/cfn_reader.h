// Reads cost function networks in the format .cfn of toulbar2 (its manual, "cfn format").
#pragma once

#include "dsl/formats/network/model_read_options.h"
#include "dsl/model/model.h"
#include "dsl/source/diagnostic.h"

#include <memory>
#include <optional>
#include <string_view>

namespace mpf {

/// Reads a whole text. The query `cost` is the least sum of costs, or the greatest if the text
/// maximises, and an assignment that has it (cost_functions.h). Returns nothing when an error was
/// reported; global cost functions are reported by name. Costs are read in full: toulbar2 cuts the
/// digits that `mustbe` lacks, and a warning says that. The memory is proportional to the text, and
/// to the tuples without a cost of their own.
std::optional<Model> readCfn(std::shared_ptr<const SourceBuffer> buffer, Diagnostics &diagnostics,
                             const ModelReadOptions &options = {});

/// Whether the text begins with a bracket and the word `problem`, after comments.
bool startsAsCfn(std::string_view text);

} // namespace mpf
