// Finds expressions whose form excludes negative values for all parameters.
#pragma once

#include "dsl/support/expression/table_formula.h"

namespace mpf {

/// True if the form of the expression rules out values below 0. These are never negative: exp,
/// sqrt, abs, comparisons, states, constants that are not. Neither are sums, products, quotients,
/// minima and choices of such, nor floor, ceil, round and erf of one. The same holds for powers of
/// one, remainders by one and a maximum with one. Even powers and products of two equal forms, such
/// as `p * p`, are so too. NaN is no negative value. The answer is false for other forms, though
/// their values may never be negative. Takes n log n steps for n instructions.
bool isNeverNegative(const Expression &expression);

/// Whether all entries that the formula's parts give are never negative by their form.
bool isNeverNegative(const TableFormula &formula);

} // namespace mpf
