#include "runtime/predict/predict_gpu.h"

#include "codegen/bundle/table_driven_shape.h"
#include "codegen/bundle/table_driven_time.h"
#include "dsl/support/check.h"
#include "runtime/schedule/build_launch_plan.h"
#include "runtime/schedule/clique_collector.h"
#include "runtime/schedule/launch_use.h"

#include <algorithm>

namespace mpf {

namespace {

constexpr double kResidentBlocks = 2; ///< of a multiprocessor (clique_collector.cpp)

TableDrivenTerm termOf(const Bundle &bundle, const BundleOperation &operation) {
  bool packed = false;
  for (const BundleAccess &operand : operation.operands)
    packed = packed || bundle.buffer(operand.buffer).packed;
  return tableDrivenTerm(operation.semiring, bundle.type, packed);
}

double entryBytes(const Bundle &bundle) { return static_cast<double>(elementBytes(bundle.type)); }

double outputsOf(const LevelTask &task) {
  return static_cast<double>(task.outputs.end - task.outputs.first);
}

double addressesOf(const LevelTask &task) {
  return outputsOf(task) * static_cast<double>(task.terms.end - task.terms.first);
}

/// What its team takes, all threads together: the longest stretch of one.
double taskUs(const Bundle &bundle, const LevelTask &task, bool wholeBlock, const GpuSpeed &speed) {
  const BundleOperation &operation = bundle.operations[task.operation];
  const double threads = wholeBlock ? kTableDrivenThreads : kTableDrivenThreads / kLevelWarps;
  return speed.termFactor * termOf(bundle, operation)
                                .stretchUs(outputsOf(task) / threads, addressesOf(task) / threads,
                                           operation.operands.size());
}

double stepUs(const Bundle &bundle, const LevelStep &step, const GpuSpeed &speed) {
  double longest = 0;
  for (const LevelTask &task : step.tasks)
    longest = std::max(longest, taskUs(bundle, task, step.wholeBlock, speed));
  return speed.stepUs + longest;
}

double mappedUs(const Bundle &bundle, const LevelMapping &mapping, const GpuSpeed &speed) {
  double longest = 0, sum = 0, lines = 0, bytes = 0;
  for (const LevelBlock &block : mapping.blocks) {
    double blockUs = 0;
    for (const LevelStep &step : block)
      blockUs += stepUs(bundle, step, speed);
    longest = std::max(longest, blockUs);
    sum += blockUs;
  }
  for (const uint32_t i : operationsOf(mapping)) { // all of each
    const BundleOperation &operation = bundle.operations[i];
    const LevelTask whole = wholeTask(bundle, i);
    lines += addressesOf(whole) / 32 * linesOfWarp(operation, entryBytes(bundle));
    bytes += outputsOf(whole) * entryBytes(bundle);
    for (const BundleAccess &operand : operation.operands)
      bytes += static_cast<double>(bundle.buffer(operand.buffer).sizeElems) * entryBytes(bundle);
  }
  const double rounds = sum / (kResidentBlocks * speed.multiprocessors);
  return std::max({longest, rounds, lines / speed.linesPerUs, bytes / speed.bytesPerUs});
}

double kernelUs(const Bundle &bundle, uint32_t kernel, const GpuSpeed &speed) {
  return speed.launchUs + speed.kernelFactor * bundle.kernels[kernel].predictedUs;
}

} // namespace

std::vector<double> launchTimesUs(const Bundle &bundle, const LaunchPlan &plan,
                                  const GpuSpeed &speed) {
  std::vector<double> times;
  uint32_t chainEnd = 0; // of a chain that most likely runs as one kernel
  for (const Launch &launch : plan.launches) {
    const BundleOperation &first = bundle.operations[launch.first];
    if (launch.kind != LaunchKind::Chain && launch.first < chainEnd && launch.count == 1) {
      times.push_back(0);
      continue;
    }
    chainEnd = launch.kind == LaunchKind::Chain ? launch.first + launch.count : 0;
    switch (launch.kind) {
    case LaunchKind::Specialised:
      times.push_back(kernelUs(bundle, *first.kernel, speed));
      break;
    case LaunchKind::Chain:
      times.push_back(kernelUs(bundle, chainAt(bundle, launch.first)->kernel, speed));
      break;
    case LaunchKind::Fallback: // usually there is nothing to do
      times.push_back(speed.launchUs);
      break;
    case LaunchKind::Normalise: {
      const double bytes = 2 * static_cast<double>(bundle.buffer(first.result.buffer).sizeElems) *
                           elementBytes(bundle.type);
      times.push_back(speed.launchUs + bytes / speed.bytesPerUs);
      break;
    }
    case LaunchKind::Level:
      times.push_back(speed.launchUs + mappedUs(bundle, plan.mappings[launch.mapping], speed));
      break;
    }
  }
  return times;
}

std::vector<double> predictGpu(const Bundle &bundle, const GpuSpeed &speed) {
  if (!bundle.tableDriven) {
    Bundle withKernels = bundle;
    withKernels.tableDriven = withKernels.kernels.size();
    withKernels.kernels.emplace_back();
    return predictGpu(withKernels, speed);
  }
  LaunchOptions options;
  options.inputStates = rangesOfInputs(bundle);
  options.waits = waitingKernels(bundle);
  options.multiprocessors = speed.multiprocessors;
  options.assumesLinear = true;
  const LaunchPlan plan = buildLaunchPlan(bundle, options);
  const std::vector<double> launches = launchTimesUs(bundle, plan, speed);
  std::vector<double> times(bundle.operations.size(), 0);
  const auto weightOf = [&](uint32_t i) { // operations of a launch differ in size
    return 1 + taskUs(bundle, wholeTask(bundle, i), true, speed);
  };
  for (size_t l = 0; l < launches.size(); ++l) {
    const std::vector<uint32_t> operations = operationsOf(plan, plan.launches[l]);
    double weights = 0;
    for (const uint32_t i : operations)
      weights += weightOf(i);
    for (const uint32_t i : operations)
      times[i] += launches[l] * weightOf(i) / weights;
  }
  const std::vector<double> runs = bundle.loopRuns();
  uint32_t loop = 0;
  for (size_t i = 0; i < times.size(); ++i) {
    const BundleOperation &operation = bundle.operations[i];
    // Entering a slice, and adding it up on the host, stands with an operation of its loop.
    if (operation.loop != 0 && (operation.loop != loop || operation.accumulates))
      times[i] += speed.sliceUs;
    loop = operation.loop;
    times[i] *= runs[operation.loop];
  }
  return times;
}

} // namespace mpf
