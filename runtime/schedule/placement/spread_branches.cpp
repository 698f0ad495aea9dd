#include "runtime/schedule/placement/spread_branches.h"

#include "runtime/schedule/placement/supersteps.h"
#include "runtime/schedule/placement/timeline.h"

#include <algorithm>
#include <utility>

namespace mpf {

namespace {

constexpr size_t kMostCuts = 64;
constexpr uint32_t kNoParent = UINT32_MAX;

double runUs(const PlacementTasks &tasks, const std::vector<DeviceId> &devices,
             const PlacementSite &site) {
  return timelineOf(tasks, devices, superstepsOf(tasks, devices), site).totalUs();
}

class BranchSpreader {
public:
  BranchSpreader(const PlacementTasks &tasks, const std::vector<DeviceId> &devices,
                 const PlacementSite &site)
      : tasks_(tasks), devices_(devices), site_(site), children_(devices.size()),
        branchUs_(devices.size(), std::vector<double>(site.devices.size(), 0)),
        parents_(devices.size(), kNoParent) {
    for (uint32_t task = 0; task < devices.size(); ++task) {
      if (devices[task].isGpu())
        for (size_t place = 0; place < site.devices.size(); ++place)
          branchUs_[task][place] += tasks.tasks[task].us[place];
      parents_[task] = parentOf(tasks, task);
      if (parents_[task] == kNoParent) {
        cut_.push_back(task);
        continue;
      }
      children_[parents_[task]].push_back(task);
      for (size_t place = 0; place < site.devices.size(); ++place)
        branchUs_[parents_[task]][place] += branchUs_[task][place];
    }
    sortCut();
  }

  /// Replaces the heaviest branch of the cut by its children. False: it has none.
  bool cutDeeper() {
    if (cut_.empty() || children_[cut_.front()].empty())
      return false;
    const std::vector<uint32_t> below = children_[cut_.front()];
    cut_.erase(cut_.begin());
    cut_.insert(cut_.end(), below.begin(), below.end());
    sortCut();
    return true;
  }

  /// Returns the placement with each branch of the cut on one GPU. A task above the cut is on the
  /// GPU of its heaviest child.
  std::vector<DeviceId> divided() const {
    std::vector<size_t> placeOf(devices_.size(), 0); // by task; 0: above the cut
    std::vector<double> busyUs(site_.devices.size(), 0);
    for (const uint32_t branch : cut_) {
      const auto endUs = [&](size_t place) { return busyUs[place] + branchUs_[branch][place]; };
      size_t first = 1;
      for (size_t place = 2; place < site_.devices.size(); ++place)
        if (endUs(place) < endUs(first))
          first = place;
      busyUs[first] = endUs(first);
      placeOf[branch] = first;
    }
    for (size_t task = placeOf.size(); task-- > 0;) // readers come after writers
      if (placeOf[task] == 0 && parents_[task] != kNoParent)
        placeOf[task] = placeOf[parents_[task]];
    std::vector<double> heaviestUs(placeOf.size(), -1); // by task above the cut: of its children
    std::vector<DeviceId> found = devices_;
    for (uint32_t task = 0; task < placeOf.size(); ++task) {
      if (found[task].isGpu())
        found[task] = site_.devices[placeOf[task]].id;
      const uint32_t parent = parents_[task];
      const bool isBelow = parent != kNoParent && placeOf[parent] != 0 && heaviestUs[parent] < 0;
      const double us = branchUs_[task][placeOf[task]];
      if (parent == kNoParent || isBelow || us <= heaviestUs[parent])
        continue;
      heaviestUs[parent] = us;
      placeOf[parent] = placeOf[task];
    }
    return found;
  }

private:
  void sortCut() {
    std::ranges::stable_sort(cut_, std::greater(), [this](uint32_t task) {
      return branchUs_[task][1]; // on the first GPU
    });
  }

  const PlacementTasks &tasks_;
  const std::vector<DeviceId> &devices_;
  const PlacementSite &site_;
  std::vector<std::vector<uint32_t>> children_; ///< by task
  std::vector<std::vector<double>> branchUs_;   ///< by task, then place: GPU tasks of its branch
  std::vector<uint32_t> parents_;               ///< by task
  std::vector<uint32_t> cut_;                   ///< roots of branches, heaviest first
};

} // namespace

std::vector<DeviceId> spreadBranches(const PlacementTasks &tasks, std::vector<DeviceId> devices,
                                     const PlacementSite &site) {
  if (site.devices.size() < 3 || std::ranges::none_of(devices, &DeviceId::isGpu))
    return devices;
  BranchSpreader spreader(tasks, devices, site);
  double leastUs = runUs(tasks, devices, site);
  std::vector<DeviceId> best = devices;
  for (size_t cut = 0; cut < kMostCuts; ++cut) {
    std::vector<DeviceId> divided = spreader.divided();
    if (const double timeUs = runUs(tasks, divided, site); timeUs < leastUs) {
      leastUs = timeUs;
      best = std::move(divided);
    }
    if (!spreader.cutDeeper())
      break;
  }
  return best;
}

} // namespace mpf
