#include "runtime/predict/predict_cpu.h"

#include "runtime/execute/compiled/choose_compiled.h"
#include "runtime/execute/compiled/compiled_cost.h"
#include "runtime/execute/cpu/prepare_operation.h"
#include "runtime/execute/cpu/split_work.h"
#include "runtime/machine/path_curve.h"
#include "runtime/predict/predict_threads.h"

#include <algorithm>
#include <map>

namespace mpf {

namespace {

class Predictor {
public:
  Predictor(const Bundle &bundle, const CpuSpeed &speed, size_t threads)
      : bundle_(bundle), speed_(speed),
        target_(bundle.type == ElementType::F32 ? tileTarget(cpuKernels<float>(), threads)
                                                : tileTarget(cpuKernels<double>(), threads)) {}

  CpuPrediction of(const BundleOperation &operation) const {
    const double loads =
        static_cast<double>(operation.operands.size()) * operation.addressesApproximately();
    if (isIntegerType(bundle_.type))
      return by(speed_.integers, "whole", loads * kIntegerTermNs * 1e-3);
    const CpuOperation prepared = prepareOperation(operation, bundle_.logInputs, target_);
    const char *path = cpuPathName(prepared.path);
    if (bundle_.forcedLog)
      return by(speed_.logs, path, loads * kLogTermNs * 1e-3);
    return by(curveOf(prepared.path, speed_), path, builtInTimeNs(prepared) * 1e-3);
  }

  CpuPrediction ofCompiled(double modelUs) const {
    return by(speed_.compiled, "compiled", modelUs);
  }

private:
  static CpuPrediction by(const TimeCurve &curve, std::string_view path, double modelUs) {
    return {path, modelUs, curve.timeUs(modelUs)};
  }

  const Bundle &bundle_;
  const CpuSpeed &speed_;
  const TileTarget target_;
};

} // namespace

std::vector<CpuPrediction> predictOneThread(const Bundle &bundle, const CpuSpeed &speed,
                                            size_t threads, double expectedRuns) {
  const Predictor predictor(bundle, speed, threads);
  std::vector<CpuPrediction> predicted;
  for (const BundleOperation &operation : bundle.operations)
    predicted.push_back(predictor.of(operation));
  for (const CompiledChoice &choice : chooseCompiled(bundle, expectedRuns))
    for (const size_t i : choice.operations)
      predicted[i] = predictor.ofCompiled(choice.timeUs);
  return predicted;
}

std::vector<CpuPrediction> predictCpu(const Bundle &bundle, const CpuSpeed &speed, size_t threads,
                                      double expectedRuns) {
  std::vector<CpuPrediction> predicted = predictOneThread(bundle, speed, threads, expectedRuns);
  std::vector<double> times;
  for (const CpuPrediction &of : predicted)
    times.push_back(of.timeUs);
  times = spreadOverThreads(bundle, times, speed, threads);
  const std::vector<double> runs = bundle.loopRuns();
  for (size_t i = 0; i < predicted.size(); ++i)
    predicted[i].timeUs = times[i] * runs[bundle.operations[i].loop];
  return predicted;
}

uint64_t slicesSideBySide(const Bundle &bundle, const CpuSpeed &speed, size_t threads,
                          double expectedRuns) {
  if (bundle.sliced.empty())
    return 1;
  std::vector<double> times;
  for (const CpuPrediction &of : predictOneThread(bundle, speed, threads, expectedRuns))
    times.push_back(of.timeUs);
  return mostSlicesAtOnce(bundle, times, speed, threads);
}

double firstTouchUs(const Bundle &bundle, const CpuSpeed &speed, size_t threads) {
  const double workUs = firstTouchUs(speed.memory, static_cast<double>(bundle.workArenaBytes));
  return firstTouchUs(speed.memory, static_cast<double>(bundle.inputArenaBytes)) +
         std::min(workUs, sharedUs(workUs, threads, speed));
}

} // namespace mpf
