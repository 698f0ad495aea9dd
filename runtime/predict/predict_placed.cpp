#include "runtime/predict/predict_placed.h"

#include "runtime/predict/predict_cpu.h"
#include "runtime/predict/predict_gpu.h"
#include "runtime/predict/predict_threads.h"

#include <algorithm>

namespace mpf {

PlacedPredictor::PlacedPredictor(const Bundle &bundle, const MachineSpeed &speed, size_t threads,
                                 double expectedRuns)
    : bundle_(bundle), speed_(speed), threads_(threads), runs_(bundle.loopRuns()) {
  for (const CpuPrediction &of : predictOneThread(bundle, speed.cpu, threads, expectedRuns))
    oneThreadUs_.push_back(of.timeUs);
}

std::vector<double> PlacedPredictor::timesRuns(std::vector<double> onceUs) const {
  for (size_t i = 0; i < onceUs.size(); ++i)
    onceUs[i] *= runs_[bundle_.operations[i].loop];
  return onceUs;
}

OperationTimes PlacedPredictor::alone() const {
  std::vector<double> cpuUs;
  for (const double oneUs : oneThreadUs_)
    cpuUs.push_back(std::min(oneUs, sharedUs(oneUs, threads_, speed_.cpu)));
  return {timesRuns(std::move(cpuUs)), onGpu()};
}

std::vector<double> PlacedPredictor::onCpu() const {
  return timesRuns(spreadOverThreads(bundle_, oneThreadUs_, speed_.cpu, threads_));
}

std::vector<double> PlacedPredictor::onGpu() const { return predictGpu(bundle_, speed_.gpu); }

OperationTimes PlacedPredictor::placed(const std::vector<StepDevice> &devices,
                                       const std::vector<uint32_t> &supersteps) const {
  constexpr uint32_t kElsewhere = UINT32_MAX;
  const size_t count = devices.size();
  std::vector<uint32_t> hostGroups(count, kElsewhere);
  uint32_t end = 0; // of the supersteps of the GPU
  for (size_t i = 0; i < count; ++i)
    if (devices[i] == StepDevice::Cpu)
      hostGroups[i] = supersteps[i];
    else
      end = std::max(end, supersteps[i] + 1);
  OperationTimes times{std::vector<double>(count, 0), std::vector<double>(count, 0)};
  const std::vector<double> spread =
      timesRuns(spreadOverThreads(bundle_, oneThreadUs_, speed_.cpu, threads_, hostGroups));
  for (size_t i = 0; i < count; ++i)
    if (hostGroups[i] != kElsewhere)
      times.cpuUs[i] = spread[i];
  for (uint32_t step = 0; step < end; ++step) {
    std::vector<char> runs(count, 0);
    for (size_t i = 0; i < count; ++i)
      runs[i] = devices[i] == StepDevice::Gpu && supersteps[i] == step ? 1 : 0;
    if (std::ranges::find(runs, 1) == runs.end())
      continue;
    const GpuWork work = gpuWork(bundle_, speed_.gpu.multiprocessors, runs);
    const std::vector<double> launched = predictGpu(work, speed_.gpu);
    for (size_t i = 0; i < count; ++i)
      if (runs[i] != 0)
        times.gpuUs[i] = launched[i];
  }
  return times;
}

} // namespace mpf
