#include "runtime/choose/program_predictor.h"

#include "dsl/support/system/thread_count.h"
#include "runtime/predict/gpu_work.h"
#include "runtime/predict/predict_gpu.h"
#include "runtime/predict/predict_placed.h"
#include "runtime/predict/predict_traceback.h"

#include <algorithm>
#include <numeric>
#include <vector>

namespace mpf {

namespace {

/// Returns the conditions of a run. Programs that are printed or may run elsewhere use the shipped
/// speed and one thread, so that every machine prints the same.
PlacementConditions conditionsFor(const CompileSettings &settings) {
  const double runs = std::max(1.0, settings.expectedRuns.value_or(1));
  if (!runsHere(settings))
    return {1, runs, shippedSpeed()};
  PlacementConditions conditions = conditionsHere(coreCount(), runs);
  if (!settings.target.empty()) // another machine's GPU: its kernels count as compiled
    conditions.kernelsUs = 0;
  return conditions;
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

ProgramPredictor::ProgramPredictor(const CompileSettings &settings)
    : conditions_(conditionsFor(settings)), devices_(settings.devices) {
  if (mayPlaceOnGpu(settings))
    hasGpu_ = gpuSearch(settings);
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
