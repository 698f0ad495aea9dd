// Finds the operations for which a run on the CPU would compile kernels.
#pragma once

#include "codegen/bundle/bundle.h"
#include "tools/mpfc/explain/facts/explanation.h"

namespace mpf {

/// Marks the buckets that would be compiled on this processor, by the rule of sessions
/// (runtime/execute/compiled/choose_compiled.h). Adds the phase of compiling in front of the
/// others, and its reason to the CPU's phase of running. `bundle` is the bundle of the explained
/// program.
void addCompiledKernels(const Bundle &bundle, double expectedRuns, QueryExplanation &explanation);

} // namespace mpf
