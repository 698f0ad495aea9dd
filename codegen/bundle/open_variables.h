// Variables that a step of a traceback leaves open.
//
// Where variables were eliminated jointly (codegen/plan/passes/pass_join_buckets.h), a bucket has
// one message for all of them. The first of their steps takes the state whose value is the best
// over the states of the others, the next one has one open variable less, and so on.
#pragma once

#include "codegen/bundle/bundle.h"

#include <cstdint>
#include <vector>

namespace mpf {

/// Returns, by step, the variables of its tables that later steps choose, ascending. A step with
/// such variables looks at kMostJointStates states at most (dsl/support/joint_states.h).
std::vector<std::vector<VarId>> openVariables(const Bundle &bundle);

/// The joint states of these variables; saturates.
uint64_t jointStates(const Bundle &bundle, const std::vector<VarId> &variables);

/// Returns the number of joint states of the open variables from one state of `id`, an open
/// variable, to the next. The last variable changes fastest.
uint64_t openStride(const Bundle &bundle, const std::vector<VarId> &open, VarId id);

} // namespace mpf
