#include "runtime/predict/predict_placed.h"

#include "dsl/support/check.h"
#include "runtime/predict/predict_cpu.h"
#include "runtime/predict/predict_gpu.h"
#include "runtime/predict/predict_threads.h"

#include <algorithm>
#include <map>
#include <utility>
#include <variant>

namespace mpf {

PlacedPredictor::PlacedPredictor(const Bundle &bundle, const Machine &machine, size_t threads,
                                 double expectedRuns)
    : bundle_(bundle), cpu_(machine.cpu()), threads_(threads), runs_(bundle.loopRuns()) {
  for (const Device *device : machine.usable())
    if (const auto *gpu = std::get_if<GpuSpeed>(&device->speed))
      gpus_.emplace_back(device->id, *gpu);
  for (const CpuPrediction &of : predictOneThread(bundle, cpu_, threads, expectedRuns))
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
    cpuUs.push_back(std::min(oneUs, sharedUs(oneUs, threads_, cpu_)));
  OperationTimes times{{timesRuns(std::move(cpuUs))}};
  for (const auto &[device, gpu] : gpus_)
    times.us.push_back(onGpu(gpu, {}));
  return times;
}

std::vector<double> PlacedPredictor::inGroups(const std::vector<uint32_t> &groups) const {
  return timesRuns(spreadOverThreads(bundle_, oneThreadUs_, cpu_, threads_, groups));
}

std::vector<double> PlacedPredictor::onCpu(const std::vector<char> &runs) const {
  std::vector<uint32_t> groups;
  for (const char each : runs)
    groups.push_back(each != 0 ? 0 : kNoGroup);
  return inGroups(groups);
}

std::vector<double> PlacedPredictor::onGpu(const std::vector<char> &runs) const {
  MPF_CHECK(!gpus_.empty(), "a prediction for a GPU without one");
  return onGpu(gpus_.front().second, runs);
}

std::vector<double> PlacedPredictor::onGpu(const GpuSpeed &gpu,
                                           const std::vector<char> &runs) const {
  std::vector<double> times = predictGpu(gpuWork(bundle_, gpu, runs), gpu);
  for (size_t i = 0; i < runs.size(); ++i)
    if (runs[i] == 0)
      times[i] = 0;
  return times;
}

OperationTimes PlacedPredictor::placed(const std::vector<DeviceId> &devices,
                                       const std::vector<uint32_t> &supersteps) const {
  const size_t count = devices.size();
  std::vector<uint32_t> hostGroups(count, kNoGroup);
  // The operations of each GPU, by superstep.
  std::map<std::pair<DeviceId, uint32_t>, std::vector<char>> onDevice;
  for (size_t i = 0; i < count; ++i)
    if (!devices[i].isGpu())
      hostGroups[i] = supersteps[i];
    else
      onDevice.try_emplace({devices[i], supersteps[i]}, count, 0).first->second[i] = 1;
  OperationTimes times{{inGroups(hostGroups)}};
  for (const auto &[device, gpu] : gpus_) {
    std::vector<double> &gpuUs = times.us.emplace_back(count, 0);
    for (auto at = onDevice.lower_bound({device, 0});
         at != onDevice.end() && at->first.first == device; ++at) {
      const std::vector<double> launched = onGpu(gpu, at->second);
      for (size_t i = 0; i < count; ++i)
        gpuUs[i] += launched[i];
    }
  }
  return times;
}

} // namespace mpf
