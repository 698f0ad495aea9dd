#include "runtime/predict/place_program.h"

#include "dsl/support/system/thread_count.h"
#include "runtime/machine/stored_speed.h"
#include "runtime/predict/missing_kernels.h"
#include "runtime/predict/predict_cpu.h"
#include "runtime/predict/predict_placed.h"
#include "runtime/predict/predict_traceback.h"
#include "runtime/schedule/lay_apart.h"
#include "runtime/schedule/run_volume.h"

#include <algorithm>
#include <numeric>

namespace mpf {

namespace {

/// Upper bounds of the time of CPU kernels, for one operand at one address and for one operation.
constexpr double kMostUsPerLoad = 0.01, kMostUsPerOperation = 2;

double runsOf(const PlacementConditions &conditions) {
  return std::max(1.0, conditions.expectedRuns);
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

PlacementConditions conditionsHere(unsigned threads, double expectedRuns, MachineSpeed speed) {
  return {threads, expectedRuns, std::move(speed), true, missingKernelsUs()};
}

double startUs(const PlacementConditions &conditions) {
  return conditions.speed.gpu.openUs + conditions.kernelsUs;
}

double mostRunUs(const Bundle &bundle) {
  const RunVolume volume = volumeOf(bundle);
  return volume.loads * kMostUsPerLoad +
         static_cast<double>(volume.operations) * kMostUsPerOperation +
         tracebackUs(bundle, StepDevice::Cpu, GpuSpeed());
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
  times.uploadUs = gpu.uploadUs / 2; // GpuSpeed::uploadUs is for a table and its state
  times.downloadUs = gpu.downloadUs;
  times.bytesPerUs = gpu.copyBytesPerUs;
  times.superstepUs = gpu.superstepUs;
  const double inputsUs = static_cast<double>(bundle.inputArenaBytes) / gpu.copyBytesPerUs;
  times.openUs = (startUs(conditions) + inputsUs) / runsOf(conditions);
  times.touchUs = firstTouchUs(bundle, conditions.speed.cpu, threadCount(conditions.threads)) /
                  runsOf(conditions);
  for (const StepDevice device : {StepDevice::Cpu, StepDevice::Gpu})
    times.traceStepUs[static_cast<size_t>(device)] = traceSpeed(device, gpu).stepUs;
  times.tracePartUs = traceSpeed(StepDevice::Gpu, gpu).partUs;
  return times;
}

PlacementChoice placeProgram(const Bundle &bundle, PlacementMethod method,
                             const PlacementConditions &conditions) {
  return placeTasks(layApart(bundle), predictPlacements(bundle, conditions),
                    transferTimes(bundle, conditions), method);
}

std::optional<PlacementChoice> placeWhereGpuMayPay(const Bundle &bundle,
                                                   const PlacementConditions &conditions,
                                                   const std::function<bool()> &hasGpu) {
  const TransferTimes transfers = transferTimes(bundle, conditions);
  if (mostRunUs(bundle) + transfers.touchUs <= transfers.openUs)
    return std::nullopt;
  const double tracedUs = tracebackUs(bundle, StepDevice::Cpu, conditions.speed.gpu);
  const PlacedPredictor predictor = predictorOf(bundle, conditions);
  const std::vector<double> cpuUs = predictor.onCpu();
  if (std::accumulate(cpuUs.begin(), cpuUs.end(), tracedUs + transfers.touchUs) <=
          transfers.openUs ||
      (hasGpu && !hasGpu()))
    return std::nullopt;
  return placeTasks(layApart(bundle), timesOf(predictor), transfers, PlacementMethod::Auto);
}

} // namespace mpf
