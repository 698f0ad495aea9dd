#include "runtime/schedule/slices/run_launches.h"

#include "codegen/bundle/table_driven_shape.h"
#include "runtime/schedule/slices/choose_replicas.h"

namespace mpf {

double RunLaunches::countIn(const LaunchPlan &plan) const {
  const std::vector<double> runs = program.passRuns();
  double count = 0;
  for (const Launch &launch : plan.launches)
    count += runs[program.bundle.operations[launch.first].loop];
  return count;
}

RunLaunches runLaunches(const Bundle &bundle, const LaunchSite &site) {
  ReplicaOptions replicas;
  replicas.atOnce = site.looksAtEach ? 1 : 0;
  replicas.speed = site.speed;
  RunLaunches run{replicateForGpu(bundle, replicas), {}};
  LaunchOptions &options = run.options;
  options.inputStates = rangesOfInputs(run.program.bundle);
  options.waits = waitingKernels(run.program.bundle);
  options.multiprocessors = site.speed.multiprocessors;
  options.grouped = !site.looksAtEach;
  options.assumesLinear = !site.looksAtEach;
  options.joins.which = site.joins;
  options.joins.residentBlocks = uint64_t{kLevelResidentBlocks} * site.speed.multiprocessors;
  options.joins.speed = site.speed;
  return run;
}

} // namespace mpf
