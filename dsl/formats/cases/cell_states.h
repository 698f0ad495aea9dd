// Finds the states that cells of a text name, by label or by number (dsl/model/state_numbers.h). An
// empty cell, or a mark of the caller (ColumnChoice::missing), means that the variable is not
// observed.
#pragma once

#include "dsl/formats/cases/columns/column_choice.h"
#include "dsl/formats/cases/state_lookup.h"
#include "dsl/model/model.h"
#include "dsl/model/state_numbers.h"

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace mpf {

struct CellProblem {
  std::string message;
  std::string hint; ///< may be empty
};

/// The states of one variable. Immutable and safe to read from several threads. Callers try
/// lookup() first and call the slower find() for cells that it does not contain.
class CellStates {
public:
  CellStates(const Variable &variable, const ColumnChoice &choice);

  const StateLookup &lookup() const { return lookup_; }
  /// Returns the code of a cell without blanks around it: a state, or the extent if the cell means
  /// "not observed". Returns nothing if the cell names no state.
  std::optional<uint32_t> find(std::string_view cell) const;
  /// Explains why find() returns nothing. `variable` is the variable's name.
  CellProblem problem(std::string_view variable, std::string_view cell) const;

private:
  std::vector<std::string> labels_;
  uint32_t extent_;
  StateNumbers numbers_;
  NumberReading reading_;
  StateLookup lookup_;
};

/// Returns a hint that names --missing if the cell looks like a mark for a missing value (NA, ?,
/// NaN); otherwise an empty text.
std::string missingHint(std::string_view cell);

/// Returns a mark that is also a label or a number of a state of the variable; null: no mark is.
const std::string *markOfState(const Variable &variable, const ColumnChoice &choice);

} // namespace mpf
