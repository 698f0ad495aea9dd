// Launch plans as they stand on the device. A program has one for each choice of operations that it
// runs: all of them, those that a session needs again, those of one superstep. Each keeps its
// tables and its graph, so that to change between them costs nothing.
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
  uint64_t number = 0;  ///< of these launches: no others of the program have it
  PlannedRanges ranges; ///< of the inputs, that the launches are right for
  uint64_t heldFor = 0; ///< number of the inputs' states that were last seen in these; 0: none yet
  GpuLevelTable levels;
  DeviceMemory tasks; ///< of `levels`, on the device
  LinearAssumption assumption;
  std::optional<GuardTable> guard; ///< the assumption on the device, where a guard holds it

  /// By operation: the launches of its stretch up to its own last one.
  struct DueLaunches {
    size_t first = 0, end = 0;
    bool begins = false; ///< it is the first operation of its stretch
  };
  std::vector<DueLaunches> due;

  /// Of a sliced program: how a run goes through the launches, and what that takes on the device.
  SliceSteps steps;
  std::optional<DeviceSliceTables> slices;
  /// By loop: of some of its passes (passesInGraph), in the first run already.
  std::map<uint32_t, CudaGraph> loopGraphs;

  std::vector<uint32_t> wanted; ///< results that come down, buffers, ascending
  uint64_t transfersOf = 0;     ///< number of the launches that these are beside
  TransferPlan transfers;
  /// Of the work arena, with the wanted results: those of each group of downloads, then all others.
  struct DownImage {
    ArenaImage image;
    uint64_t atBytes = 0; ///< behind what comes down of every run
  };
  std::vector<DownImage> downloads;
  std::vector<CopyRange> resets; ///< of states and counters: a run begins with them as they were

  uint64_t downBytes() const {
    return downloads.back().atBytes + downloads.back().image.sizeBytes();
  }
  /// Where the image with a wanted result lies in `downloads`.
  const DownImage &imageOf(uint32_t buffer) const;

  /// A run in one graph, from the second one on: what it begins with, all launches and, where the
  /// host's memory is locked, what comes down. And what recording it left.
  struct RecordedRun {
    RecordedRun(const CudaDevice &device, const std::function<void()> &launches)
        : graph(device, launches) {}
    CudaGraph graph;
    std::vector<char> chained;
    bool bringsDown = false;
  };
  /// Where no launch waits for inputs, and where those do that the transfer plan says.
  std::array<std::optional<RecordedRun>, 2> recorded;
  bool ranBefore = false;

  /// A run of another plan, which assumes something, in one graph with a branch to this one.
  struct Guarded {
    Guarded(uint64_t number, const CudaDevice &device,
            const std::function<void(CudaCondition)> &launches, const std::function<void()> &branch)
        : assuming(number), graph(device, launches, branch) {}
    uint64_t assuming; ///< number of the other plan
    CudaGraph graph;
  };
  std::optional<Guarded> guarded;

  /// Kernels; of a sliced program those of all slices.
  uint64_t launchesOfRun() const;
  /// Whether a run should be one graph: not where the host has to look at ranges in between, nor of
  /// so many slices that the driver would take long to make it.
  bool fitsGraph() const;

  void forgetGraph() {
    for (std::optional<RecordedRun> &run : recorded)
      run.reset();
    guarded.reset();
    loopGraphs.clear();
    ranBefore = false;
  }
};

/// `runs`: one flag per operation. Stretches are in the bundle's order, each with all of its
/// launches.
std::vector<GpuPlan::DueLaunches> dueLaunches(const Bundle &bundle, const LaunchPlan &plan,
                                              const std::vector<char> &runs);

/// The plans of a program by what they run; the last kMostPlans that were used.
class GpuPlans {
public:
  static constexpr size_t kMostPlans = 128;

  /// What a plan is for, beside the operations: as in LaunchOptions, whether results come down, and
  /// whether all replicas run (replicate_slices.h) or those without shifts, which the host leads.
  struct Kind {
    bool grouped = true, assumesLinear = false, hostLooks = true, bringsDown = true,
         allReplicas = true;
    bool operator==(const Kind &) const = default;
  };

  /// The plan in use from now on; new, or as it was left.
  GpuPlan &use(const std::vector<char> &runs, const Kind &kind);
  /// The plan in use could not be made; there is none in use until the next use().
  void drop() { plans_.pop_front(); }
  GpuPlan &inUse() { return plans_.front().plan; }
  const GpuPlan &inUse() const { return plans_.front().plan; }
  /// Of the plan in use.
  const std::vector<char> &runs() const { return plans_.front().runs; }
  /// What their launches refer to has moved.
  void forgetGraphs();

private:
  struct Entry {
    std::vector<char> runs;
    Kind kind;
    GpuPlan plan;
  };
  std::list<Entry> plans_; ///< the last one used first
};

} // namespace mpf
