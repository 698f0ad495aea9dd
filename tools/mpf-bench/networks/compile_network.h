// From a network's files to a bundle, as `mpfc run` makes it: values and evidence are final.
#pragma once

#include "codegen/bundle/bundle.h"
#include "codegen/plan/program/table_program.h"
#include "dsl/model/model.h"
#include "tools/mpf-bench/networks/network_bench_options.h"
#include "tools/mpf-bench/networks/network_run.h"

#include <memory>

namespace mpf::bench {

/// Throws Error(BadInput).
Model readNetwork(const NetworkTask &task);

/// The task's device is a GPU, and the machine has none.
bool lacksDevice(const NetworkTask &task);

struct CompiledNetwork {
  std::shared_ptr<const Bundle> bundle;
  TableProgram program;
};

/// Adds the phases' seconds to `run`.
CompiledNetwork compileNetwork(const Model &model, const NetworkTask &task, NetworkRun &run);

/// Plans once more, and adds the passes' seconds to `run`. A planner that is watched verifies every
/// pass and runs passes again whose results it has, so it is not the one whose phases are timed.
/// Passes that were run more than once (for other orders) are added up.
void timePasses(const Model &model, const NetworkTask &task, NetworkRun &run);

} // namespace mpf::bench
