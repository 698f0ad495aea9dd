// What the form of an expression says of its sign, whatever the parameters are.
#pragma once

#include "dsl/support/expression/table_formula.h"

namespace mpf {

/// True if the form of the expression rules out values below 0. These are never negative: exp,
/// sqrt, abs, comparisons, states, constants that are not; sums, products, quotients, minima and
/// choices of such; powers of one; a maximum with one. NaN is no negative value. The answer is
/// false for other forms, though their values may never be negative: `p * p`. Linear in the
/// expression.
bool isNeverNegative(const Expression &expression);

/// The same of all entries that the formula's parts give.
bool isNeverNegative(const TableFormula &formula);

} // namespace mpf
