// Compiles a network's files to a bundle, like `mpfc run`: values and evidence are final.
#pragma once

#include "codegen/bundle/bundle.h"
#include "codegen/plan/program/table_program.h"
#include "dsl/model/model.h"
#include "tools/mpf-bench/networks/network_bench_options.h"
#include "tools/mpf-bench/networks/network_run.h"

#include <memory>

namespace mpf::bench {

/// Reads model and evidence. Throws Error(BadInput).
Model readNetwork(const NetworkTask &task);

/// Whether the task's device is a GPU, and the machine has none.
bool lacksDevice(const NetworkTask &task);

struct CompiledNetwork {
  std::shared_ptr<const Bundle> bundle;
  TableProgram program;
};

/// Compiles a model. Adds the phases' seconds to `run`.
CompiledNetwork compileNetwork(const Model &model, const NetworkTask &task, NetworkRun &run);

/// Plans again, and adds the passes' seconds to `run`. A planner that times its passes verifies
/// each of them, and repeats passes whose results it has; so phases are not timed with it. Times of
/// a pass that ran more than once (for other orders) are added up.
void timePasses(const Model &model, const NetworkTask &task, NetworkRun &run);

} // namespace mpf::bench
