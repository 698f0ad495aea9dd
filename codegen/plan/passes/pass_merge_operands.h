// Multiplies small operands of big buckets with each other beforehand.
//
// A bucket with n tables multiplies n - 1 times at each of its addresses. Tables whose product is
// a sixteenth of the bucket or less are cheaper multiplied once: the bucket then reads fewer
// tables, has fewer kinds of digits, and its downward pass makes fewer messages of full size (one
// to the product, from which those to its members are small steps).
//
// Before pass_bound_operands, which then finds less to do. Costs memory for the products: when a
// plan does not fit its bound, it is tried without this pass (plan_trials.h).
#pragma once

#include "codegen/plan/program/table_program.h"

namespace mpf {

/// `limit`: most members of one product, as in pass_bound_operands.h.
void passMergeOperands(TableProgram &program, size_t limit = kMaxOperands);

} // namespace mpf
