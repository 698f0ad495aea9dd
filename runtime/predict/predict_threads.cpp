#include "runtime/predict/predict_threads.h"

#include "runtime/execute/threads/spread_slices.h"

#include <algorithm>
#include <map>
#include <utility>

namespace mpf {

namespace {

constexpr double kNsPerUs = 1000;

SpreadOptions optionsOf(const CpuSpeed &speed) {
  SpreadOptions spread;
  spread.costs = speed.threads;
  return spread;
}

} // namespace

double sharedUs(double oneUs, size_t threads, const CpuSpeed &speed) {
  return sharedNs(oneUs * kNsPerUs, threads, optionsOf(speed)) / kNsPerUs;
}

std::vector<double> spreadOverThreads(const Bundle &bundle, std::span<const double> oneThreadUs,
                                      const CpuSpeed &speed, size_t threads,
                                      std::span<const uint32_t> groups) {
  std::vector<double> times(oneThreadUs.begin(), oneThreadUs.end());
  for (size_t i = 0; i < groups.size(); ++i)
    if (groups[i] == kNoGroup)
      times[i] = 0;
  if (threads == 1)
    return times;
  const SpreadOptions spread = optionsOf(speed);
  const auto groupOf = [&](uint32_t i) { return groups.empty() ? 0 : groups[i]; };
  const OperationNs operationNs = [&](uint32_t i) { return oneThreadUs[i] * kNsPerUs; };
  std::vector<char> isApart(bundle.operations.size(), 0); // in slices side by side
  for (const SpreadLoop &loop : spreadSlices(bundle, operationNs, threads, spread)) {
    std::vector<uint32_t> inside;
    for (uint32_t i = 0; i < bundle.operations.size(); ++i)
      if (bundle.loops.contains(loop.arenas.loop, bundle.operations[i].loop))
        inside.push_back(i);
    if (!std::ranges::all_of(inside, [&](uint32_t i) { return groupOf(i) == groupOf(inside[0]); }))
      continue;
    for (const uint32_t i : inside) {
      isApart[i] = 1;
      times[i] *= loop.runNs / loop.oneNs;
    }
  }
  std::map<std::pair<uint32_t, uint32_t>, std::vector<uint32_t>> together; // by loop and group
  for (uint32_t i = 0; i < bundle.operations.size(); ++i)
    if (!bundle.operations[i].accumulates && groupOf(i) != kNoGroup && !isApart[i])
      together[{bundle.operations[i].loop, groupOf(i)}].push_back(i);
  for (const auto &[place, operations] : together) {
    double oneNs = 0;
    for (const uint32_t operation : operations)
      oneNs += operationNs(operation);
    const double allNs = togetherNs(bundle, operations, operationNs, threads, spread);
    for (const uint32_t operation : operations)
      times[operation] *= allNs == oneNs ? 1 : allNs / oneNs;
  }
  return times;
}

uint64_t mostSlicesAtOnce(const Bundle &bundle, std::span<const double> oneThreadUs,
                          const CpuSpeed &speed, size_t threads) {
  uint64_t most = 1;
  const OperationNs operationNs = [&](uint32_t i) { return oneThreadUs[i] * kNsPerUs; };
  for (const SpreadLoop &loop : spreadSlices(bundle, operationNs, threads, optionsOf(speed)))
    most = std::max<uint64_t>(most, loop.arenas.count + 1);
  return most;
}

} // namespace mpf
