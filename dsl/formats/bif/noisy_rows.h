// Reads a noisy-max from the rows of a file (`property function max;` in BIF). One row is the leak,
// with all causes absent. Each other row has one cause in one other state. Rows are those of the
// conditional table and thus include the leak: the effect of a cause alone is the quotient of
// cumulative probabilities (Henrion 1987; Diez 1993 section 4).
#pragma once

#include "dsl/formats/network/network_builder.h"

namespace mpf {

/// One row: a state of each parent, a number for each state of the child.
struct ListedRow {
  std::vector<uint32_t> states;
  std::vector<double> numbers;
  SourceRange place;
};

/// Adds P(child | parents) as a noisy-max; claimTable was called for the child. Reports missing and
/// superfluous rows, a row that does not sum to 1, and a row that no cause can have with this leak.
/// Errors are at `place` or at a row.
bool addNoisyRows(NetworkBuilder &network, VarId child, const std::vector<VarId> &parents,
                  std::span<const ListedRow> rows, SourceRange place);

} // namespace mpf
