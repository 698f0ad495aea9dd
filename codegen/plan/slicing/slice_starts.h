// Finds the orders from which the search for slices starts: orders that conditioning may make
// cheap, even if they are expensive without it.
#pragma once

#include "codegen/plan/order/choose_order.h"
#include "codegen/plan/program/table_program.h"
#include "codegen/plan/slicing/slice_estimate.h"

#include <vector>

namespace mpf {

/// Returns global orders of the variables of `initial`: those of `found`, then variants of the
/// first of them. A variant sweeps every component with a bucket above `log2BoundElems`, or above
/// half of the largest one, around a pivot (order_pivot.h). There is one variant for each
/// direction. `found`: at least one order. `asGiven`: the model gives the order, so no variant is
/// added.
std::vector<std::vector<VarId>> sliceStarts(const TableProgram &initial,
                                            const std::vector<OrderChoice> &found,
                                            double log2BoundElems, bool asGiven);

} // namespace mpf
