// DIAGONALS: a scope may name a variable several times, `factor f(x, x, y)`. The table in the text
// has an axis for each name. The factor is over the distinct variables, and has those entries whose
// axes of one variable are at the same state: the diagonal, as einsum takes it for "iij->ij".
#pragma once

#include "dsl/support/expression/table_formula.h"
#include "dsl/support/format_id.h"

#include <cstdint>
#include <span>
#include <vector>

namespace mpf {

/// A scope as a text writes it.
struct WrittenScope {
  std::vector<VarId> axes;      ///< a variable for each name, outermost first
  std::vector<VarId> variables; ///< each variable once, in the order of their first axes

  bool repeats() const { return axes.size() != variables.size(); }
};

/// By axis: the place of its variable among the distinct ones. Empty if no axis repeats a variable.
std::vector<uint32_t> placesOfAxes(const WrittenScope &scope);

/// The extents of the distinct variables. `extents` and `places` are by axis, as below.
std::vector<uint32_t> diagonalExtents(std::span<const uint32_t> extents,
                                      std::span<const uint32_t> places);

/// Entries of the diagonal, row-major over the distinct variables, from those of a table over
/// `extents`, row-major over the axes. Both are as StoredValues reads them (wide_table.h).
std::vector<double> diagonalValues(std::span<const double> values,
                                   std::span<const uint32_t> extents,
                                   std::span<const uint32_t> places);

/// The same for the parts of a table that depend on params: `parts` are ascending and disjoint, and
/// so is the result, in which states are numbered by place.
std::vector<FormulaPart> diagonalParts(std::span<const FormulaPart> parts,
                                       std::span<const uint32_t> extents,
                                       std::span<const uint32_t> places);

} // namespace mpf
