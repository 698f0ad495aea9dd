#include "runtime/predict/gpu_work.h"

#include "codegen/bundle/table_driven_shape.h"
#include "runtime/schedule/launches/build_launch_plan.h"
#include "runtime/schedule/launches/clique_collector.h"
#include "runtime/schedule/slices/choose_replicas.h"
#include "runtime/schedule/transfers/build_transfer_plan.h"

#include <algorithm>

namespace mpf {

namespace {

Bundle withKernels(Bundle bundle) {
  if (!bundle.tableDriven) {
    bundle.tableDriven = bundle.kernels.size();
    bundle.kernels.emplace_back();
  }
  return bundle;
}

LaunchPlan planOf(const ReplicatedBundle &program, const LevelSpeed &speed,
                  const std::vector<char> &runs, JoinLevels joins) {
  const Bundle &bundle = program.bundle;
  LaunchOptions options;
  options.inputStates = rangesOfInputs(bundle);
  if (!runs.empty())
    options.runs = program.flagsOf(runs, true);
  options.waits = waitingKernels(bundle);
  options.multiprocessors = speed.multiprocessors;
  options.assumesLinear = true;
  options.joins.which = joins;
  options.joins.residentBlocks = kLevelResidentBlocks * speed.multiprocessors;
  options.joins.speed = speed;
  return buildLaunchPlan(bundle, options);
}

std::vector<LaunchWork> launchesOf(const ReplicatedBundle &program, const LevelSpeed &speed,
                                   const std::vector<char> &runs, JoinLevels joins) {
  const LaunchPlan plan = planOf(program, speed, runs, joins);
  std::vector<LaunchWork> launches = launchWorks(program.bundle, plan);
  for (LaunchWork &launch : launches)
    for (uint32_t &operation : launch.operations)
      operation = program.original[operation];
  return launches;
}

/// Returns the work of each operation. `runs`: number of passes of each loop.
std::vector<OperationWork> operationsOf(const Bundle &bundle, const std::vector<double> &runs) {
  const std::vector<bool> endsInSums = loopsEndingInSums(bundle);
  std::vector<OperationWork> operations;
  LoopPosition position(bundle.loops);
  bool wasSum = false;
  for (uint32_t i = 0; i < bundle.operations.size(); ++i) {
    const BundleOperation &operation = bundle.operations[i];
    bool moves = false;
    double launches = 0;
    position.moveTo(
        operation.loop, [&](uint32_t) { moves = true; },
        [&](uint32_t loop) {
          moves = true;
          // The launch of sums enters the next slices too.
          launches += runs[endsInSums[loop] ? bundle.loops.parent(loop) : loop];
        });
    if (operation.accumulates && (moves || !wasSum))
      launches += runs[operation.loop];
    wasSum = operation.accumulates;
    operations.push_back(
        {stretchUs(bundle, wholeTask(bundle, i), true), runs[operation.loop], launches});
  }
  return operations;
}

} // namespace

GpuWork gpuWork(const Bundle &bundle, const LevelSpeed &speed, const std::vector<char> &runs,
                JoinLevels joins) {
  // Sessions that use both devices compute one slice at a time (runtime/session/open_executor.cpp).
  const bool isAlone =
      std::all_of(runs.begin(), runs.end(), [](char operation) { return operation != 0; });
  const ReplicatedBundle program = replicateForGpu(withKernels(bundle), {isAlone ? 0u : 1u, speed});
  const std::vector<uint64_t> replicas = replicasByLoop(bundle, program.counts);
  return {launchesOf(program, speed, runs, joins), operationsOf(bundle, program.passRuns()),
          *std::max_element(replicas.begin(), replicas.end()), program.furtherBytes};
}

TransferPlan gpuTransfers(const Bundle &bundle, const GpuSpeed &speed) {
  const ReplicatedBundle program = replicateForGpu(withKernels(bundle), {0u, speed});
  std::vector<uint32_t> wanted;
  for (const BundleOutput &output : bundle.outputs)
    wanted.push_back(output.buffer.value);
  std::ranges::sort(wanted);
  wanted.erase(std::unique(wanted.begin(), wanted.end()), wanted.end());
  return buildTransferPlan(program.bundle, planOf(program, speed, {}, JoinLevels::Auto),
                           {wanted, speed, speed.copies});
}

} // namespace mpf
