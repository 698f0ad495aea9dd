// Advice: options that would save memory or time, with what they save.
#pragma once

#include "codegen/bundle/bundle.h"
#include "tools/mpfc/explain/facts/explanation.h"

#include <functional>
#include <optional>

namespace mpf {

/// Adds advice about memory if the plan of `explanation` is sliced or refused. `unbounded` plans
/// without a memory bound; it is called only then, and returns nothing if there is no such plan.
void adviseMemory(const std::function<std::optional<QueryExplanation>()> &unbounded,
                  QueryExplanation &explanation);

/// Adds advice about runs that are repeated: kernels that pay over more runs than `expectedRuns`,
/// and a bundle, which keeps the plan. Call it after addCompiledKernels and the phase of planning.
void adviseRepeatedRuns(const Bundle &bundle, double expectedRuns, QueryExplanation &explanation);

} // namespace mpf
