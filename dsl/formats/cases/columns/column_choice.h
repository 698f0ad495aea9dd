// The caller's options for columns, by their names, and for cells.
#pragma once

#include "dsl/model/state_numbers.h"

#include <string>
#include <vector>

namespace mpf {

struct ColumnChoice {
  std::vector<std::string> ignored; ///< names of columns without effect
  /// Names of columns whose text is written beside the answers, in this order. Such a column may
  /// have a name without a meaning in the model.
  std::vector<std::string> kept;
  bool keepsAll = false; ///< keep all columns, in the order of the list
  /// The meaning of numbers for variables whose labels look like numbers.
  NumberReading numbers = NumberReading::Both;
  /// Cells of a CSV with one of these texts mean the same as empty cells.
  std::vector<std::string> missing;
  /// Names of the columns of an array without names; empty: the variables, in their order.
  std::vector<std::string> unnamed;
};

/// The hint that names the option for the meaning of numbers, in messages about lists and evidence
/// files.
inline constexpr const char *kStatesHint =
    "--states labels reads numbers of lists and evidence files as labels, --states numbers as the "
    "numbers of states";

} // namespace mpf
