// Counts the launches of a run on a GPU.
#pragma once

#include "codegen/bundle/bundle.h"
#include "codegen/plan/program/table_program.h"
#include "tools/mpfc/explain/facts/cost_options.h"
#include "tools/mpfc/explain/facts/explanation.h"

namespace mpf {

/// Adds the number of launches to the GPU's phase of running. Counts those that `mpfc
/// --emit=schedule --device gpu` prints, each as often as the passes over its slices. `bundle` is
/// that of `program`, without kernels of a GPU. Adds nothing if an operation has more addresses
/// than kernels count.
void addLaunches(const TableProgram &program, Bundle bundle, const CostOptions &options,
                 QueryExplanation &explanation);

} // namespace mpf
