// The states of a variable, as cells of a text name them: by labels and by numbers
// (dsl/model/state_numbers.h). Marks of the caller (ColumnChoice::missing) and the empty text say
// that the variable is not observed.
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

/// Immutable and safe to read from several threads. All decisions that hold for every cell are
/// made in the constructor: find() is called for cells that the lookup does not know.
class CellStates {
public:
  CellStates(const Variable &variable, const ColumnChoice &choice);

  const StateLookup &lookup() const { return lookup_; }
  /// The code of a cell without blanks around it: a state, or the extent. Nothing: no state.
  std::optional<uint32_t> find(std::string_view cell) const;
  /// Why find() gives nothing. `variable`: its name.
  CellProblem problem(std::string_view variable, std::string_view cell) const;

private:
  std::vector<std::string> labels_;
  uint32_t extent_;
  StateNumbers numbers_;
  NumberReading reading_;
  StateLookup lookup_;
};

/// What a mark for a missing value looks like (NA, ?, NaN) gets a hint that names --missing; any
/// other text none.
std::string missingHint(std::string_view cell);

/// A mark that is a label or a number of a state of the variable; null: none is.
const std::string *markOfState(const Variable &variable, const ColumnChoice &choice);

} // namespace mpf
