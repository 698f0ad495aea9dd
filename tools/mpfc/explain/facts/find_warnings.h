// What somebody should know before starting the run.
#pragma once

#include "codegen/bundle/bundle.h"
#include "codegen/kernel/form/target.h"
#include "tools/mpfc/explain/facts/explanation.h"

namespace mpf {

/// Appends to explanation.warnings: memory near or above a bound, buckets too wide for any machine,
/// kernels whose estimated registers do not fit.
void warnOfPlan(const Target &target, QueryExplanation &explanation);

/// Appends a warning when some operation cannot be proven to stay in the element type's range
/// whatever the evidence: those may fall back to logs, which costs a second, slower pass.
void warnOfRange(const Bundle &bundle, QueryExplanation &explanation);

} // namespace mpf
