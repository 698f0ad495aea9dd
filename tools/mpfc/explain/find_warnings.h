// What somebody should know before starting the run.
#pragma once

#include "codegen/kernel/target.h"
#include "codegen/plan/table_program.h"
#include "dsl/model/model.h"
#include "tools/mpfc/explain/explanation.h"

namespace mpf {

/// Appends to explanation.warnings: memory near or above a bound, buckets too wide for any machine,
/// kernels whose estimated registers do not fit.
void warnOfPlan(const Target &target, QueryExplanation &explanation);

/// Appends a warning when some operation cannot be proven to stay in the element type's range
/// whatever the evidence: those may fall back to logs, which costs a second, slower pass.
/// `program` answers `query` of `model`, and fits the memory of this machine's address space.
void warnOfRange(const Model &model, const TableProgram &program, ElementType type, bool forcedLog,
                 QueryExplanation &explanation);

} // namespace mpf
