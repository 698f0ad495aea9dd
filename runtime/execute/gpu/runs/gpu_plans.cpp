#include "runtime/execute/gpu/runs/gpu_plans.h"

#include "runtime/schedule/launches/launch_use.h"
#include "runtime/schedule/launches/operation_levels.h"

#include <algorithm>

namespace mpf {

std::vector<GpuPlan::DueLaunches> dueLaunches(const Bundle &bundle, const LaunchPlan &plan,
                                              const std::vector<char> &runs) {
  std::vector<GpuPlan::DueLaunches> due(bundle.operations.size());
  std::vector<size_t> end(bundle.operations.size(), 0); // by operation: end of its launches
  for (size_t i = 0; i < plan.launches.size(); ++i)
    for (const uint32_t operation : operationsOf(plan, plan.launches[i]))
      end[operation] = i + 1;
  size_t first = 0, last = 0; // launches of the current stretch
  for (const Stretch &stretch : stretchesOf(bundle, runs)) {
    for (const uint32_t operation : stretch.operations) {
      due[operation] = {first, end[operation], operation == stretch.operations.front()};
      last = std::max(last, end[operation]);
    }
    first = last;
  }
  return due;
}

uint64_t GpuPlan::launchesOfRun() const {
  return slices ? steps.launches() : launches.launches.size();
}

const GpuPlan::DownImage &GpuPlan::imageOf(uint32_t buffer) const {
  for (size_t g = 0; g < transfers.downloads.size(); ++g)
    if (std::ranges::binary_search(transfers.downloads[g].buffers, buffer))
      return downloads[g];
  return downloads.back();
}

bool GpuPlan::fitsGraph() const {
  constexpr uint64_t kMostLaunches = 1024; // launches of all slices
  return !launches.hostDecides() && steps.launches() <= kMostLaunches;
}

GpuPlan &GpuPlans::use(const std::vector<char> &runs, const Kind &kind) {
  const auto found = std::find_if(plans_.begin(), plans_.end(), [&](const Entry &entry) {
    return entry.kind == kind && entry.runs == runs;
  });
  if (found != plans_.end()) {
    plans_.splice(plans_.begin(), plans_, found);
  } else {
    if (plans_.size() == kMostPlans)
      plans_.pop_back();
    Entry &entry = plans_.emplace_front();
    entry.runs = runs;
    entry.kind = kind;
  }
  return plans_.front().plan;
}

void GpuPlans::forgetGraphs() {
  for (Entry &entry : plans_)
    entry.plan.forgetGraph();
}

} // namespace mpf
