#include "runtime/predict/place_program.h"

#include "dsl/support/system/thread_count.h"
#include "runtime/machine/machine_speed.h"
#include "runtime/machine/stored_speed.h"
#include "runtime/predict/missing_kernels.h"
#include "runtime/predict/predict_cpu.h"
#include "runtime/predict/predict_placed.h"
#include "runtime/predict/predict_traceback.h"
#include "runtime/schedule/lay_apart.h"
#include "runtime/schedule/run_volume.h"

#include <algorithm>
#include <numeric>
#include <variant>

namespace mpf {

namespace {

/// Upper bounds of the time of CPU kernels, for one operand at one address and for one operation.
constexpr double kMostUsPerLoad = 0.01, kMostUsPerOperation = 2;

double runsOf(const PlacementConditions &conditions) {
  return std::max(1.0, conditions.expectedRuns);
}

PlacedPredictor predictorOf(const Bundle &bundle, const PlacementConditions &conditions) {
  return {bundle, conditions.machine, threadCount(conditions.threads),
          conditions.compiles ? conditions.expectedRuns : 0};
}

PlacementTimes timesOf(const PlacedPredictor &predictor) {
  return {predictor.alone(), [predictor](const std::vector<DeviceId> &devices,
                                         const std::vector<uint32_t> &supersteps) {
            return predictor.placed(devices, supersteps);
          }};
}

} // namespace

PlacementConditions conditionsHere(unsigned threads, double expectedRuns,
                                   const MachineSpeed &speed) {
  return {threads, expectedRuns, machineOf(speed), true, missingKernelsUs()};
}

double startUs(const PlacementConditions &conditions) {
  return conditions.machine.first(DeviceKind::Gpu)->openUs + conditions.kernelsUs;
}

double mostRunUs(const Bundle &bundle) {
  const RunVolume volume = volumeOf(bundle);
  return volume.loads * kMostUsPerLoad +
         static_cast<double>(volume.operations) * kMostUsPerOperation + cpuTracebackUs(bundle);
}

OperationTimes predictOperations(const Bundle &bundle, const PlacementConditions &conditions) {
  const PlacedPredictor predictor = predictorOf(bundle, conditions);
  OperationTimes times = predictor.alone();
  times.us.front() = predictor.onCpu();
  return times;
}

PlacementTimes predictPlacements(const Bundle &bundle, const PlacementConditions &conditions) {
  return timesOf(predictorOf(bundle, conditions));
}

PlacementSite placementSite(const Bundle &bundle, const PlacementConditions &conditions) {
  PlacementSite site;
  for (const Device *device : conditions.machine.usable()) {
    PlacementDevice &placed = site.devices.emplace_back();
    placed.id = device->id;
    placed.trace = traceSpeed(*device);
    const auto *gpu = std::get_if<GpuSpeed>(&device->speed);
    if (gpu == nullptr)
      continue;
    placed.superstepUs = gpu->superstepUs;
    const double inputsUs = static_cast<double>(bundle.inputArenaBytes) / gpu->copyBytesPerUs;
    placed.openUs = (device->openUs + conditions.kernelsUs + inputsUs) / runsOf(conditions);
  }
  for (const PlacementDevice &from : site.devices)
    for (const PlacementDevice &to : site.devices)
      site.links.push_back(from.id == to.id ? Link{from.id, to.id}
                                            : linkBetween(conditions.machine, from.id, to.id));
  site.touchUs = firstTouchUs(bundle, conditions.machine.cpu(), threadCount(conditions.threads)) /
                 runsOf(conditions);
  return site;
}

PlacementChoice placeProgram(const Bundle &bundle, PlacementMethod method,
                             const PlacementConditions &conditions) {
  return placeTasks(layApart(bundle), predictPlacements(bundle, conditions),
                    placementSite(bundle, conditions), method);
}

std::optional<PlacementChoice> placeWhereGpuMayPay(const Bundle &bundle,
                                                   const PlacementConditions &conditions,
                                                   const std::function<bool()> &hasGpu) {
  const PlacementSite site = placementSite(bundle, conditions);
  const double openUs = site.openUs();
  if (mostRunUs(bundle) + site.touchUs <= openUs)
    return std::nullopt;
  const double tracedUs = cpuTracebackUs(bundle);
  const PlacedPredictor predictor = predictorOf(bundle, conditions);
  const std::vector<double> cpuUs = predictor.onCpu();
  if (std::accumulate(cpuUs.begin(), cpuUs.end(), tracedUs + site.touchUs) <= openUs ||
      (hasGpu && !hasGpu()))
    return std::nullopt;
  return placeTasks(layApart(bundle), timesOf(predictor), site, PlacementMethod::Auto);
}

} // namespace mpf
