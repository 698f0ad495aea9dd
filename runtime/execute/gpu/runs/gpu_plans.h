// Launch plans on the device. A program has one for each choice of operations that it runs: all of
// them, those that a session needs again, those of one superstep. Each keeps its tables and its
// graph, so that changing between plans costs nothing.
#pragma once

#include "runtime/execute/gpu/cuda_graph.h"
#include "runtime/execute/gpu/gpu_guard.h"
#include "runtime/execute/gpu/gpu_slice_kernels.h"
#include "runtime/execute/gpu/tables/copy_ranges.h"
#include "runtime/execute/gpu/tables/gpu_level_table.h"
#include "runtime/schedule/launches/launch_plan.h"
#include "runtime/schedule/launches/linear_assumption.h"
#include "runtime/schedule/launches/planned_ranges.h"
#include "runtime/schedule/transfers/transfer_plan.h"

#include <array>
#include <cstdint>
#include <functional>
#include <list>
#include <map>
#include <optional>
#include <vector>

namespace mpf {

struct GpuPlan {
  LaunchPlan launches;
  uint64_t number = 0;  ///< unique number of these launches in the program
  PlannedRanges ranges; ///< ranges of the inputs for which the launches are valid
  uint64_t heldFor = 0; ///< number of the last states of inputs that were in `ranges`; 0: none
  GpuLevelTable levels;
  DeviceMemory tasks; ///< `levels` on the device
  LinearAssumption assumption;
  std::optional<GuardTable> guard; ///< the assumption on the device, if there is a guard

  /// The launches of an operation's stretch up to the operation's last launch.
  struct DueLaunches {
    size_t first = 0, end = 0;
    bool begins = false; ///< true for the first operation of the stretch
  };
  std::vector<DueLaunches> due; ///< by operation

  /// The steps of a run of a sliced program through the launches, and their tables on the device.
  SliceSteps steps;
  std::optional<DeviceSliceTables> slices;
  /// Graphs of some passes of a loop (passesInGraph), by loop; used from the first run on.
  std::map<uint32_t, CudaGraph> loopGraphs;

  std::vector<uint32_t> wanted; ///< buffers of results to be downloaded, ascending
  uint64_t transfersOf = 0;     ///< `number` of the launches that `transfers` belongs to
  TransferPlan transfers;
  /// A part of the work arena with wanted results: those of one group of downloads, or all others.
  struct DownImage {
    ArenaImage image;
    uint64_t atBytes = 0; ///< offset behind the data that every run downloads
  };
  std::vector<DownImage> downloads; ///< by group of downloads, then the others
  std::vector<CopyRange> resets;    ///< states and counters that are reset when a run begins

  uint64_t downBytes() const {
    return downloads.back().atBytes + downloads.back().image.sizeBytes();
  }
  /// Returns the element of `downloads` that has a wanted result.
  const DownImage &imageOf(uint32_t buffer) const;

  /// A run as one graph, used from the second run on: its resets, all launches and, if the host's
  /// memory is locked, its downloads. It keeps the flags that recording set.
  struct RecordedRun {
    RecordedRun(const CudaDevice &device, const std::function<void()> &launches)
        : graph(device, launches) {}
    CudaGraph graph;
    std::vector<char> chained;
    bool bringsDown = false;
  };
  /// Graphs without waits for inputs, and with the waits of the transfer plan.
  std::array<std::optional<RecordedRun>, 2> recorded;
  bool ranBefore = false;

  /// A run of another plan, with an assumption, in one graph with a branch to this plan.
  struct Guarded {
    Guarded(uint64_t number, const CudaDevice &device,
            const std::function<void(CudaCondition)> &launches, const std::function<void()> &branch)
        : assuming(number), graph(device, launches, branch) {}
    uint64_t assuming; ///< number of the other plan
    CudaGraph graph;
  };
  std::optional<Guarded> guarded;

  /// Returns the number of kernels of a run; for a sliced program those of all slices.
  uint64_t launchesOfRun() const;
  /// True if a run should be one graph. It should not if the host must read ranges in between, or
  /// if there are so many slices that making the graph would take long.
  bool fitsGraph() const;

  void forgetGraph() {
    for (std::optional<RecordedRun> &run : recorded)
      run.reset();
    guarded.reset();
    loopGraphs.clear();
    ranBefore = false;
  }
};

/// Returns the due launches by operation. `runs`: one flag per operation. Stretches are in the
/// bundle's order, each with all of its launches.
std::vector<GpuPlan::DueLaunches> dueLaunches(const Bundle &bundle, const LaunchPlan &plan,
                                              const std::vector<char> &runs);

/// The plans of a program by their operations and kind; keeps the last kMostPlans that were used.
class GpuPlans {
public:
  static constexpr size_t kMostPlans = 128;

  /// The kind of a plan: flags of LaunchOptions, whether results are downloaded, and whether all
  /// replicas run (replicate_slices.h) or those without shifts, which the host leads.
  struct Kind {
    bool grouped = true, assumesLinear = false, hostLooks = true, bringsDown = true,
         allReplicas = true;
    bool operator==(const Kind &) const = default;
  };

  /// Makes a plan the current one and returns it; it is new, or as it was left.
  GpuPlan &use(const std::vector<char> &runs, const Kind &kind);
  /// Drops the current plan, which could not be made. There is none until the next use().
  void drop() { plans_.pop_front(); }
  GpuPlan &inUse() { return plans_.front().plan; }
  const GpuPlan &inUse() const { return plans_.front().plan; }
  /// Returns the flags of the current plan.
  const std::vector<char> &runs() const { return plans_.front().runs; }
  /// Drops all graphs, because memory of their launches has moved.
  void forgetGraphs();

private:
  struct Entry {
    std::vector<char> runs;
    Kind kind;
    GpuPlan plan;
  };
  std::list<Entry> plans_; ///< the last used one first
};

} // namespace mpf
