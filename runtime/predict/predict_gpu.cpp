#include "runtime/predict/predict_gpu.h"

namespace mpf {

std::vector<double> predictGpu(const GpuWork &work, const GpuSpeed &speed) {
  std::vector<double> times(work.operations.size(), 0);
  const auto weightOf = [&](uint32_t i) { // operations of a launch differ in size
    return 1 + speed.termFactor * work.operations[i].stretchUs;
  };
  for (const LaunchWork &launch : work.launches) {
    const double timeUs = launchTimeUs(launch, speed);
    double weights = 0;
    for (const uint32_t i : launch.operations)
      weights += weightOf(i);
    for (const uint32_t i : launch.operations)
      times[i] += timeUs * weightOf(i) / weights;
  }
  for (size_t i = 0; i < times.size(); ++i) {
    const OperationWork &operation = work.operations[i];
    times[i] = times[i] * operation.runs + speed.sliceLaunchUs * operation.sliceLaunches;
  }
  return times;
}

std::vector<double> predictGpu(const Bundle &bundle, const GpuSpeed &speed) {
  return predictGpu(gpuWork(bundle, speed), speed);
}

} // namespace mpf
