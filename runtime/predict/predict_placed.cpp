#include "runtime/predict/predict_placed.h"

#include "runtime/predict/predict_cpu.h"
#include "runtime/predict/predict_gpu.h"
#include "runtime/predict/predict_threads.h"

#include <algorithm>
#include <map>

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

std::vector<double> PlacedPredictor::inGroups(const std::vector<uint32_t> &groups) const {
  return timesRuns(spreadOverThreads(bundle_, oneThreadUs_, speed_.cpu, threads_, groups));
}

std::vector<double> PlacedPredictor::onCpu(const std::vector<char> &runs) const {
  std::vector<uint32_t> groups;
  for (const char each : runs)
    groups.push_back(each != 0 ? 0 : kNoGroup);
  return inGroups(groups);
}

std::vector<double> PlacedPredictor::onGpu(const std::vector<char> &runs) const {
  std::vector<double> times = predictGpu(gpuWork(bundle_, speed_.gpu, runs), speed_.gpu);
  for (size_t i = 0; i < runs.size(); ++i)
    if (runs[i] == 0)
      times[i] = 0;
  return times;
}

OperationTimes PlacedPredictor::placed(const std::vector<StepDevice> &devices,
                                       const std::vector<uint32_t> &supersteps) const {
  const size_t count = devices.size();
  std::vector<uint32_t> hostGroups(count, kNoGroup);
  std::map<uint32_t, std::vector<char>> onDevice; // by superstep: which run
  for (size_t i = 0; i < count; ++i)
    if (devices[i] == StepDevice::Cpu)
      hostGroups[i] = supersteps[i];
    else
      onDevice.try_emplace(supersteps[i], count, 0).first->second[i] = 1;
  OperationTimes times{inGroups(hostGroups), std::vector<double>(count, 0)};
  for (const auto &[superstep, runs] : onDevice) {
    const std::vector<double> launched = onGpu(runs);
    for (size_t i = 0; i < count; ++i)
      times.gpuUs[i] += launched[i];
  }
  return times;
}

} // namespace mpf
