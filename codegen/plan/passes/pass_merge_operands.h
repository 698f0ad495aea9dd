// Multiplies small operands of large buckets with each other beforehand.
//
// A bucket with n tables multiplies n - 1 times at each of its addresses. If the product of some of
// them has at most a sixteenth as many entries as the bucket has addresses, it is cheaper to form
// that product first. The bucket then reads fewer tables and has fewer kinds of digits. Its
// downward pass makes fewer messages of full size: one to the product, from which those to its
// members are cheap.
//
// Runs before pass_bound_operands, which then finds less to do. The products take memory: a plan
// above its bound is tried without this pass (plan_trials.h).
#pragma once

#include "codegen/plan/program/table_program.h"

namespace mpf {

/// Changes operations of more than two operands and at least kMergeAddresses addresses
/// (bucket_cost.h). `limit`: 2..kMaxOperands, else Error(Internal); the most members of one
/// product, and of an operation that is changed.
void passMergeOperands(TableProgram &program, size_t limit = kMaxOperands);

} // namespace mpf
