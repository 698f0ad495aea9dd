// Reads formulas in conjunctive normal form: the format of DIMACS 1993 with the weights and
// projections of the model counting competitions (Fichte, Hecher and Hamiti 2021), and the weights
// of Cachet and MiniC2D.
#pragma once

#include "dsl/formats/network/model_read_options.h"
#include "dsl/model/model.h"
#include "dsl/source/diagnostic.h"

#include <memory>
#include <optional>
#include <string_view>

namespace mpf {

/// Reads a whole text. The variable 7 is called x7 and has the states 0 and 1. The query is the
/// (weighted) count of models, in whole numbers where all weights are such: u64 below 64 variables,
/// else u128. With a projection the query is called `count`, and adds over the variables of the
/// projection the maximum over the others. Returns nothing when an error was reported. Wide clauses
/// add variables (clause_factors.h). The memory is proportional to the text.
std::optional<Model> readCnf(std::shared_ptr<const SourceBuffer> buffer, Diagnostics &diagnostics,
                             const ModelReadOptions &options = {});

/// Whether the first line that is no comment starts as the header of a formula: `p cnf`, `p wcnf`
/// or `p pcnf`.
bool startsAsCnf(std::string_view text);

} // namespace mpf
