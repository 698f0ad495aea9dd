// Names of the entries of a table: theta[a=yes,b=2], theta[yes,2], theta[yes][2].
//
// Behind the table's name stand its variables' states, in brackets: a comma or a new pair of
// brackets (which a cell of a CSV can hold without quotes) goes on to the next variable. Either no
// index has the name of its variable, and they are in the order of the scope, or each has. A state
// is a label or a number (dsl/model/state_numbers.h); what brackets, commas or blanks are part of,
// and a label that looks like a number, stands in backquotes.
#pragma once

#include "dsl/formats/cases/columns/state_name.h"
#include "dsl/model/model.h"

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>

namespace mpf {

/// A column's name, cut behind a factor's name.
struct EntryName {
  FactorId factor;
  std::string_view indices; ///< "[yes][2]"; empty: the whole table
};

/// The shortest start of `name` that is a factor's name and that brackets, or nothing, follow.
/// `factorNamed` gives nothing for names that no factor has.
std::optional<EntryName>
splitEntryName(std::string_view name,
               const std::function<std::optional<FactorId>(std::string_view)> &factorNamed);

/// The number of the entry, row-major over the factor's scope. `states`: those of the model.
/// Nothing, and the reason in `problem`: brackets that do not close, a number of indices that the
/// scope does not have, an unknown state, a name of another variable.
std::optional<uint64_t> entryNumber(const EntryName &name, const Model &model, StateNames &states,
                                    std::string &problem);

/// The entry's name, without commas: "theta[yes][2]".
std::string entryName(const Model &model, const Factor &factor, uint64_t entry);

/// Its row over the last variable: "theta[yes]".
std::string rowName(const Model &model, const Factor &factor, uint64_t row);

} // namespace mpf
