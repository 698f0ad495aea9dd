// The rows that a file gives of a noisy-max (`property function max;` in BIF): that of its leak,
// with all causes absent, and one for each other state of each cause while the others are absent.
// Each row is one of the conditional table, so it holds the leak: what a cause does alone is the
// quotient of the two (Henrion 1987; Diez 1993 section 4).
#pragma once

#include "dsl/formats/network_builder.h"

namespace mpf {

/// One row: a state of each parent, a number for each state of the child.
struct ListedRow {
  std::vector<uint32_t> states;
  std::vector<double> numbers;
  SourceRange place;
};

/// Adds P(child | parents) as a noisy-max. Reports, at `place` or at a row: rows that are missing
/// or too many, a row that does not sum to 1, and a row that no maximum with the leak has.
/// claimTable was called for the child.
bool addNoisyRows(NetworkBuilder &network, VarId child, const std::vector<VarId> &parents,
                  std::span<const ListedRow> rows, SourceRange place);

} // namespace mpf
