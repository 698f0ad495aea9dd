// Text -> matrix plan, as part of a text of plans (codegen/kernel/read_kernel.h). Numbers are
// checked to be numbers; whether the plan is sound is for verify_matrix.h.
#pragma once

#include "codegen/kernel/plan/matrix_plan.h"
#include "codegen/kernel/text/plan_head.h"

namespace mpf {

/// From the last line of its head, which `lines` is at, to the plan's line 'end'. None when
/// something was reported.
std::optional<MatrixPlan> readMatrix(const PlanHead &head, LineReader &lines);

} // namespace mpf
