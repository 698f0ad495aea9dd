// Finds facts that users should be warned of before they start the run.
#pragma once

#include "codegen/bundle/bundle.h"
#include "codegen/kernel/form/target.h"
#include "tools/mpfc/explain/facts/explanation.h"

namespace mpf {

/// Appends to explanation.warnings: memory near or above a bound, buckets too wide for any machine,
/// kernels whose estimated registers do not fit.
void warnOfPlan(const Target &target, QueryExplanation &explanation);

/// Appends a warning if it cannot be proven that all operations stay in the element type's range
/// for all evidence. Unproven operations may fall back to logarithms, which costs a second, slower
/// pass.
void warnOfRange(const Bundle &bundle, QueryExplanation &explanation);

} // namespace mpf
