// What the caller says of columns, by their names, and of cells.
#pragma once

#include "dsl/model/state_numbers.h"

#include <string>
#include <vector>

namespace mpf {

struct ColumnChoice {
  std::vector<std::string> ignored; ///< they say nothing, whatever they are called
  /// Their text goes on beside the answers, in this order. One that is called like nothing in the
  /// model says nothing else.
  std::vector<std::string> kept;
  bool keepsAll = false; ///< all columns, in their order
  /// How numbers stand for the states of variables whose labels look like numbers.
  NumberReading numbers = NumberReading::Both;
  /// Cells of a CSV with one of these texts say what empty cells say.
  std::vector<std::string> missing;
};

/// How the caller says which reading of numbers counts, for messages about lists and evidence
/// files.
inline constexpr const char *kStatesHint =
    "--states labels reads numbers of lists and evidence files as labels, --states numbers as the "
    "numbers of states";

} // namespace mpf
