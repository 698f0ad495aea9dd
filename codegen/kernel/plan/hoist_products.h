// HOISTED PRODUCTS: the order in which the operands' values are multiplied inside the register
// tile.
//
// A product of functions that do not depend on a register digit is formed once for all values of
// the digit. A product that does not depend on an inner sum digit is formed outside that loop. The
// best tree is found exactly, by dynamic programming over subsets of at most kMaxOperands operands.
// This is possible because the cost of a subset's product depends on the union of its scopes only.
#pragma once

#include "codegen/kernel/plan/nest_plan.h"

#include <vector>

namespace mpf {

/// Returns the products in the order in which they are formed: one fewer than operands. Reads form,
/// axes and the segments' placements of `plan`. Ties go to the left-deep chain in operand order.
std::vector<ProductStep> hoistProducts(const NestPlan &plan);

/// How often one thread forms (or loads) the value of `source` (ProductStep) in one page: register
/// indices times the iterations of the sum loops around it.
double formationsPerPage(const NestPlan &plan, uint32_t source);

} // namespace mpf
