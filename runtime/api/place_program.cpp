#include "runtime/api/place_program.h"

#include "dsl/support/system/thread_count.h"
#include "runtime/api/choose_device.h"
#include "runtime/predict/predict_cpu.h"
#include "runtime/predict/predict_gpu.h"
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

std::vector<double> cpuTimes(const Bundle &bundle, const PlacementConditions &conditions) {
  std::vector<double> times;
  for (const CpuPrediction &predicted : predictCpu(
           bundle, conditions.speed.cpu, threadCount(conditions.threads), conditions.expectedRuns))
    times.push_back(predicted.timeUs);
  return times;
}

} // namespace

OperationTimes predictOperations(const Bundle &bundle, const PlacementConditions &conditions) {
  return {cpuTimes(bundle, conditions), predictGpu(bundle, conditions.speed.gpu)};
}

TransferTimes transferTimes(const Bundle &bundle, const PlacementConditions &conditions) {
  const GpuSpeed &gpu = conditions.speed.gpu;
  TransferTimes times;
  times.uploadUs = gpu.uploadUs;
  times.downloadUs = gpu.downloadUs;
  times.bytesPerUs = gpu.copyBytesPerUs;
  times.superstepUs = gpu.superstepUs;
  times.openUs = (gpu.openUs + static_cast<double>(bundle.inputArenaBytes) / gpu.copyBytesPerUs) /
                 runsOf(conditions);
  return times;
}

PlacementChoice placeProgram(const Bundle &bundle, PlacementMethod method,
                             const PlacementConditions &conditions) {
  const TransferTimes transfers = transferTimes(bundle, conditions);
  const bool isAuto = method == PlacementMethod::Auto;
  if (isAuto) {
    const RunVolume volume = volumeOf(bundle);
    const double mostUs = volume.loads * kMostUsPerLoad +
                          static_cast<double>(volume.operations) * kMostUsPerOperation;
    if (mostUs <= transfers.openUs)
      return onCpu(bundle, mostUs);
  }
  OperationTimes times;
  times.cpuUs = cpuTimes(bundle, conditions);
  const double cpuUs = std::accumulate(times.cpuUs.begin(), times.cpuUs.end(), 0.0);
  if (isAuto && cpuUs <= transfers.openUs)
    return onCpu(bundle, cpuUs);
  times.gpuUs = predictGpu(bundle, conditions.speed.gpu);
  return placeTasks(layApart(bundle), times, transfers, method);
}

bool gpuWanted(const Bundle &bundle, uint64_t hostBytes, const PlacementConditions &conditions) {
  return tableBytes(bundle) > hostBytes ||
         placeProgram(bundle, PlacementMethod::Auto, conditions).placement.uses(StepDevice::Gpu);
}

} // namespace mpf
