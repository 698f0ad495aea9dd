// DIAGONALS: a scope may name a variable several times, `factor f(x, x, y)`. The table in the text
// has an axis for each name. The factor is over the distinct variables. It has the entries for
// which all axes of a variable have the same state: the diagonal, like einsum("iij->ij").
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

/// Returns, for each axis, the position of its variable among the distinct ones; empty if no axis
/// repeats a variable.
std::vector<uint32_t> placesOfAxes(const WrittenScope &scope);

/// Returns the extents of the distinct variables. `extents` are those of the axes, `places` is the
/// result of placesOfAxes, here and below.
std::vector<uint32_t> diagonalExtents(std::span<const uint32_t> extents,
                                      std::span<const uint32_t> places);

/// Returns the entries of the diagonal, row-major over the distinct variables. `values` are
/// row-major over the axes. Both have the form of StoredValues (wide_table.h).
std::vector<double> diagonalValues(std::span<const double> values,
                                   std::span<const uint32_t> extents,
                                   std::span<const uint32_t> places);

/// Returns the parts of the diagonal that depend on params. `parts` and the result are ascending
/// and disjoint. The result numbers states by the distinct variables.
std::vector<FormulaPart> diagonalParts(std::span<const FormulaPart> parts,
                                       std::span<const uint32_t> extents,
                                       std::span<const uint32_t> places);

} // namespace mpf
