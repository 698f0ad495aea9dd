// Text -> matrix plan, as part of a text of plans (codegen/kernel/read_kernel.h). Numbers are
// checked to be numbers; whether the plan is sound is for verify_matrix.h.
#pragma once

#include "codegen/kernel/plan/matrix_plan.h"
#include "codegen/kernel/text/plan_head.h"

namespace mpf {

/// Reads a plan behind its head, up to its line 'end'. `lines` must be at the last line of the
/// head. Returns none when something was reported.
std::optional<MatrixPlan> readMatrix(const PlanHead &head, LineReader &lines);

} // namespace mpf
