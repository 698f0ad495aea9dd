// Where a search for slices starts: orders that conditioning may make cheap, whatever they cost
// without it.
#pragma once

#include "codegen/plan/order/choose_order.h"
#include "codegen/plan/program/table_program.h"
#include "codegen/plan/slicing/slice_estimate.h"

#include <vector>

namespace mpf {

/// Global orders of the variables of `initial`. First those of `found`, then the first of them with
/// every connected part that has a bucket above `log2BoundElems` or half the largest swept around a
/// pivot (order_pivot.h), once per direction. `asGiven`: the user's order stands, nothing is added.
std::vector<std::vector<VarId>> sliceStarts(const TableProgram &initial,
                                            const std::vector<OrderChoice> &found,
                                            double log2BoundElems, bool asGiven);

} // namespace mpf
