// Names of the entries of a table: theta[a=yes,b=2], theta[yes,2], theta[yes][2].
//
// The table's name is followed by states of its variables in brackets. A comma or a new pair of
// brackets separates variables; a cell of a CSV can hold brackets without quotes. Either no index
// names its variable, and they are in the order of the scope, or each does. A state is a label or a
// number (dsl/model/state_numbers.h). Labels are in backquotes if they contain brackets, commas or
// blanks, or look like a number.
#pragma once

#include "dsl/formats/cases/columns/state_name.h"
#include "dsl/model/model.h"

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>

namespace mpf {

/// The name of a column, split behind the factor's name.
struct EntryName {
  FactorId factor;
  std::string_view indices; ///< "[yes][2]"; empty: the whole table
};

/// Splits `name` behind its shortest start that is a factor's name and is followed by brackets or
/// by nothing. `factorNamed` returns nothing for other names.
std::optional<EntryName>
splitEntryName(std::string_view name,
               const std::function<std::optional<FactorId>(std::string_view)> &factorNamed);

/// Returns the number of the entry, row-major over the factor's scope. `numbers` is the meaning of
/// numbers if labels look like numbers (stateNamed). Returns nothing, and sets `problem`, for these
/// faults: unclosed brackets, a wrong number of indices, an unknown state, a variable outside of
/// the scope.
std::optional<uint64_t> entryNumber(const EntryName &name, const Model &model, StateNames &states,
                                    std::string &problem);

/// Returns the entry's name, without commas: "theta[yes][2]".
std::string entryName(const Model &model, const Factor &factor, uint64_t entry);

/// Returns the name of a row over the last variable: "theta[yes]".
std::string rowName(const Model &model, const Factor &factor, uint64_t row);

} // namespace mpf
