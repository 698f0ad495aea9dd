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
#include <variant>
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
  return sum(PlacedPredictor(bundle, conditions.speed, conditions.threads,
                             conditions.compiles ? conditions.expectedRuns : 0)
                 .onCpu()) +
         tracebackUs(bundle, StepDevice::Cpu, conditions.speed.gpu);
}

} // namespace

PlacementConditions conditionsOn(KnownMachine &machine, unsigned threads, double expectedRuns) {
  const std::shared_ptr<const Machine> known = machine.known(MachineDetail::Speeds);
  PlacementConditions conditions{threads, expectedRuns, {}};
  conditions.speed.cpu = std::get<CpuSpeed>(known->devices.front().speed);
  if (const Device *gpu = known->first(DeviceKind::Gpu)) {
    conditions.speed.gpu = std::get<GpuSpeed>(gpu->speed);
    conditions.speed.gpu.openUs = gpu->openUs; // with the kernels that are not compiled yet
  }
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
  const GpuSpeed &gpu = conditions_.speed.gpu;
  if (devices_.requiresGpu())
    return sum(predictGpu(gpuWork(bundle, gpu), gpu)) + tracebackUs(bundle, StepDevice::Gpu, gpu);
  PlacementConditions with = conditions_;
  with.compiles = kernels == PredictedKernels::All;
  const double onCpuUs = cpuUs(bundle, with);
  const TransferTimes transfers = transferTimes(bundle, with);
  if (!hasGpu_ || onCpuUs + transfers.touchUs <= transfers.openUs || !hasGpu_())
    return onCpuUs;
  return placeProgram(bundle, devices_.method(), with).timeUs;
}

} // namespace mpf
