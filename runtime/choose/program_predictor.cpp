#include "runtime/choose/program_predictor.h"

#include "dsl/support/system/thread_count.h"
#include "runtime/choose/this_machine.h"
#include "runtime/predict/gpu_work.h"
#include "runtime/predict/predict_gpu.h"
#include "runtime/predict/predict_placed.h"
#include "runtime/predict/predict_traceback.h"

#include <algorithm>
#include <memory>
#include <numeric>
#include <vector>

namespace mpf {

namespace {

/// Returns the conditions of a run on the machine of the settings. Programs that are printed or may
/// run elsewhere use one thread, so that every machine prints the same.
PlacementConditions conditionsFor(const CompileSettings &settings) {
  return conditionsOn(settings.machine ? *settings.machine : *thisMachine(settings),
                      runsHere(settings) ? coreCount() : 1,
                      std::max(1.0, settings.expectedRuns.value_or(1)));
}

double sum(const std::vector<double> &timesUs) {
  return std::accumulate(timesUs.begin(), timesUs.end(), 0.0);
}

double cpuUs(const Bundle &bundle, const PlacementConditions &conditions) {
  return sum(PlacedPredictor(bundle, conditions.machine, conditions.threads,
                             conditions.compiles ? conditions.expectedRuns : 0)
                 .onCpu()) +
         cpuTracebackUs(bundle);
}

} // namespace

PlacementConditions conditionsOn(KnownMachine &machine, unsigned threads, double expectedRuns) {
  PlacementConditions conditions{threads, expectedRuns, *machine.known(MachineDetail::Speeds)};
  if (conditions.machine.first(DeviceKind::Gpu) == nullptr) // placements are predicted for one
    conditions.machine.devices.push_back(
        {.id = DeviceId::gpu(0), .openUs = GpuSpeed().openUs, .speed = GpuSpeed()});
  return conditions;
}

ProgramPredictor::ProgramPredictor(const CompileSettings &settings)
    : conditions_(conditionsFor(settings)), devices_(settings.devices) {
  if (mayPlaceOnGpu(settings))
    hasGpu_ = gpuSearch(settings);
}

void setMachine(CompileSettings &settings) {
  settings.machine = thisMachine(settings);
  settings.chooser = std::make_shared<ProgramPredictor>(settings);
}

double ProgramPredictor::runUs(const Bundle &bundle, PredictedKernels kernels) const {
  if (devices_.requiresGpu()) {
    const GpuSpeed &gpu = conditions_.machine.gpu();
    return sum(predictGpu(gpuWork(bundle, gpu), gpu)) + gpuTracebackUs(bundle, gpu);
  }
  PlacementConditions with = conditions_;
  with.compiles = kernels == PredictedKernels::All;
  const double onCpuUs = cpuUs(bundle, with);
  const PlacementSite site = placementSite(bundle, with);
  if (!hasGpu_ || onCpuUs + site.touchUs <= site.openUs() || !hasGpu_())
    return onCpuUs;
  return placeProgram(bundle, devices_.method(), with).timeUs;
}

} // namespace mpf
