#include "runtime/api/place_program.h"

#include "dsl/support/system/thread_count.h"
#include "runtime/api/run_volume.h"
#include "runtime/predict/missing_kernels.h"
#include "runtime/predict/predict_placed.h"
#include "runtime/predict/predict_traceback.h"
#include "runtime/predict/stored_speed.h"
#include "runtime/schedule/lay_apart.h"

#include <algorithm>
#include <numeric>

namespace mpf {

namespace {

/// More than any kernel of the CPU takes, for an operand of one address and for an operation.
constexpr double kMostUsPerLoad = 0.01, kMostUsPerOperation = 2;

double runsOf(const PlacementConditions &conditions) {
  return std::max(1.0, conditions.expectedRuns);
}

PlacementChoice onCpu(const Bundle &bundle, double timeUs) {
  PlacementChoice choice;
  choice.timeUs = timeUs;
  choice.placement.devices.assign(bundle.operations.size(), StepDevice::Cpu);
  choice.supersteps.assign(bundle.operations.size(), 0);
  choice.offers = {{PlacementMethod::Cpu, timeUs}};
  return choice;
}

PlacedPredictor predictorOf(const Bundle &bundle, const PlacementConditions &conditions) {
  return {bundle, conditions.speed, threadCount(conditions.threads),
          conditions.compiles ? conditions.expectedRuns : 0};
}

PlacementTimes timesOf(const PlacedPredictor &predictor) {
  return {predictor.alone(), [predictor](const std::vector<StepDevice> &devices,
                                         const std::vector<uint32_t> &supersteps) {
            return predictor.placed(devices, supersteps);
          }};
}

} // namespace

PlacementConditions conditionsHere(unsigned threads, double expectedRuns) {
  return {threads, expectedRuns, storedSpeed(), true, missingKernelsUs()};
}

double startUs(const PlacementConditions &conditions) {
  return conditions.speed.gpu.openUs + conditions.kernelsUs;
}

OperationTimes predictOperations(const Bundle &bundle, const PlacementConditions &conditions) {
  const PlacedPredictor predictor = predictorOf(bundle, conditions);
  return {predictor.onCpu(), predictor.onGpu()};
}

PlacementTimes predictPlacements(const Bundle &bundle, const PlacementConditions &conditions) {
  return timesOf(predictorOf(bundle, conditions));
}

TransferTimes transferTimes(const Bundle &bundle, const PlacementConditions &conditions) {
  const GpuSpeed &gpu = conditions.speed.gpu;
  TransferTimes times;
  times.uploadUs = gpu.uploadUs / 2; // that is of a table and its state
  times.downloadUs = gpu.downloadUs;
  times.bytesPerUs = gpu.copyBytesPerUs;
  times.superstepUs = gpu.superstepUs;
  const double inputsUs = static_cast<double>(bundle.inputArenaBytes) / gpu.copyBytesPerUs;
  times.openUs = (startUs(conditions) + inputsUs) / runsOf(conditions);
  for (const StepDevice device : {StepDevice::Cpu, StepDevice::Gpu})
    times.traceStepUs[static_cast<size_t>(device)] = traceSpeed(device, gpu).stepUs;
  times.tracePartUs = traceSpeed(StepDevice::Gpu, gpu).partUs;
  return times;
}

PlacementChoice placeProgram(const Bundle &bundle, PlacementMethod method,
                             const PlacementConditions &conditions,
                             const std::function<bool()> &hasGpu) {
  const TransferTimes transfers = transferTimes(bundle, conditions);
  const double tracedUs = tracebackUs(bundle, StepDevice::Cpu, conditions.speed.gpu);
  const bool isAuto = method == PlacementMethod::Auto;
  if (isAuto) {
    const RunVolume volume = volumeOf(bundle);
    const double mostUs = volume.loads * kMostUsPerLoad +
                          static_cast<double>(volume.operations) * kMostUsPerOperation + tracedUs;
    if (mostUs <= transfers.openUs)
      return onCpu(bundle, mostUs);
  }
  const PlacedPredictor predictor = predictorOf(bundle, conditions);
  if (isAuto) {
    const std::vector<double> cpuUs = predictor.onCpu();
    const double timeUs = std::accumulate(cpuUs.begin(), cpuUs.end(), tracedUs);
    if (timeUs <= transfers.openUs || (hasGpu && !hasGpu()))
      return onCpu(bundle, timeUs);
  }
  return placeTasks(layApart(bundle), timesOf(predictor), transfers, method);
}

bool gpuWanted(const Bundle &bundle, uint64_t hostBytes, const PlacementConditions &conditions,
               const std::function<bool()> &hasGpu) {
  return tableBytes(bundle) > hostBytes ||
         placeProgram(bundle, PlacementMethod::Auto, conditions, hasGpu)
             .placement.uses(StepDevice::Gpu);
}

} // namespace mpf
