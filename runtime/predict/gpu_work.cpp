#include "runtime/predict/gpu_work.h"

#include "codegen/bundle/table_driven_shape.h"
#include "codegen/bundle/table_driven_time.h"
#include "runtime/schedule/build_launch_plan.h"
#include "runtime/schedule/clique_collector.h"
#include "runtime/schedule/launch_use.h"
#include "runtime/schedule/lay_apart.h"

#include <algorithm>

namespace mpf {

namespace {

TableDrivenTerm termOf(const Bundle &bundle, const BundleOperation &operation) {
  bool packed = false;
  for (const BundleAccess &operand : operation.operands)
    packed = packed || bundle.buffer(operand.buffer).packed;
  return tableDrivenTerm(operation.semiring, bundle.type, packed);
}

double bytesOf(const Bundle &bundle, BufferId buffer) {
  return static_cast<double>(bundle.buffer(buffer).sizeElems * elementBytes(bundle.type));
}

double outputsOf(const LevelTask &task) {
  return static_cast<double>(task.outputs.end - task.outputs.first);
}

double addressesOf(const LevelTask &task) {
  return outputsOf(task) * static_cast<double>(task.terms.end - task.terms.first);
}

/// What its team takes, all threads together: the longest stretch of one.
double stretchUs(const Bundle &bundle, const LevelTask &task, bool wholeBlock) {
  const BundleOperation &operation = bundle.operations[task.operation];
  const double threads = wholeBlock ? kTableDrivenThreads : kTableDrivenThreads / kLevelWarps;
  return termOf(bundle, operation)
      .stretchUs(outputsOf(task) / threads, addressesOf(task) / threads, operation.operands.size());
}

BlockWork workOf(const Bundle &bundle, const LevelBlock &block) {
  BlockWork work{0, static_cast<uint32_t>(block.size()), 1};
  for (const LevelStep &step : block) {
    double slowest = 0;
    for (const LevelTask &task : step.tasks)
      slowest = std::max(slowest, stretchUs(bundle, task, step.wholeBlock));
    work.stretchUs += slowest;
  }
  return work;
}

void addLevel(const Bundle &bundle, const LevelMapping &mapping, LaunchWork &work) {
  for (const LevelBlock &block : mapping.blocks) {
    const BlockWork next = workOf(bundle, block);
    if (!work.blocks.empty() && work.blocks.back().stretchUs == next.stretchUs &&
        work.blocks.back().steps == next.steps)
      ++work.blocks.back().count;
    else
      work.blocks.push_back(next);
  }
  for (const uint32_t i : work.operations) { // all of each
    const BundleOperation &operation = bundle.operations[i];
    work.lines += addressesOf(wholeTask(bundle, i)) / 32 *
                  linesOfWarp(operation, static_cast<double>(elementBytes(bundle.type)));
    work.bytes += bytesOf(bundle, operation.result.buffer);
    for (const BundleAccess &operand : operation.operands)
      work.bytes += bytesOf(bundle, operand.buffer);
  }
}

LaunchWork workOf(const Bundle &bundle, const LaunchPlan &plan, const Launch &launch) {
  LaunchWork work;
  work.kind = launch.kind;
  work.operations = operationsOf(plan, launch);
  const BundleOperation &first = bundle.operations[launch.first];
  switch (launch.kind) {
  case LaunchKind::Specialised:
    work.kernelUs = bundle.kernels[*first.kernel].predictedUs;
    break;
  case LaunchKind::Chain:
    work.kernelUs = bundle.kernels[chainAt(bundle, launch.first)->kernel].predictedUs;
    break;
  case LaunchKind::Fallback: // usually there is nothing to do
    break;
  case LaunchKind::Normalise:
    work.bytes = 2 * bytesOf(bundle, first.result.buffer);
    break;
  case LaunchKind::Level:
    addLevel(bundle, plan.mappings[launch.mapping], work);
    break;
  }
  return work;
}

/// The bundle as a GPU executor has it.
Bundle onGpu(Bundle bundle) {
  if (!bundle.tableDriven) {
    bundle.tableDriven = bundle.kernels.size();
    bundle.kernels.emplace_back();
  }
  return layApart(std::move(bundle));
}

std::vector<LaunchWork> launchesOf(const Bundle &bundle, uint32_t multiprocessors,
                                   const std::vector<char> &runs) {
  LaunchOptions options;
  options.inputStates = rangesOfInputs(bundle);
  options.runs = runs;
  options.waits = waitingKernels(bundle);
  options.multiprocessors = multiprocessors;
  options.assumesLinear = true;
  const LaunchPlan plan = buildLaunchPlan(bundle, options);
  std::vector<LaunchWork> launches;
  uint32_t chainEnd = 0; // of a chain that most likely runs as one kernel
  for (const Launch &launch : plan.launches) {
    launches.push_back(workOf(bundle, plan, launch));
    launches.back().isDone =
        launch.kind != LaunchKind::Chain && launch.first < chainEnd && launch.count == 1;
    if (!launches.back().isDone)
      chainEnd = launch.kind == LaunchKind::Chain ? launch.first + launch.count : 0;
  }
  return launches;
}

std::vector<OperationWork> operationsOf(const Bundle &bundle) {
  const std::vector<double> runs = bundle.loopRuns();
  std::vector<OperationWork> operations;
  LoopPosition position(bundle.loops);
  bool wasSum = false;
  for (uint32_t i = 0; i < bundle.operations.size(); ++i) {
    const BundleOperation &operation = bundle.operations[i];
    bool moves = false, begins = false;
    position.moveTo(
        operation.loop, [&](uint32_t) { moves = true; },
        [&](uint32_t loop) {
          moves = true;
          begins = begins || loop == operation.loop;
        });
    const bool sums = operation.accumulates && (moves || !wasSum);
    wasSum = operation.accumulates;
    operations.push_back(
        {stretchUs(bundle, wholeTask(bundle, i), true), runs[operation.loop], begins || sums});
  }
  return operations;
}

} // namespace

GpuWork gpuWork(const Bundle &bundle, uint32_t multiprocessors, const std::vector<char> &runs) {
  const Bundle apart = onGpu(bundle);
  return {launchesOf(apart, multiprocessors, runs), operationsOf(apart)};
}

} // namespace mpf
