// Which operations a run on the CPU would write and compile kernels for.
#pragma once

#include "codegen/bundle/bundle.h"
#include "tools/mpfc/explain/facts/explanation.h"

namespace mpf {

/// By the rule of sessions (runtime/execute/compiled/choose_compiled.h) on this processor: marks
/// the buckets and puts the phase in front of the others. `bundle` is that of the explained
/// program.
void addCompiledKernels(const Bundle &bundle, double expectedRuns, QueryExplanation &explanation);

} // namespace mpf
