// A bundle on one GPU: arenas, states, operation tables and kernels stay on the device. Runs play a
// LaunchPlan (runtime/schedule/launches/launch_plan.h) on one stream and allocate nothing on the
// device, except for a plan's first run.
//
// A sliced bundle has the launches, states and tables of the replicated one
// (runtime/schedule/slices/replicate_slices.h). The replicas without shifts are the bundle's
// operations and buffers; callers see only those.
#pragma once

#include "codegen/bundle/bundle.h"
#include "codegen/bundle/table_state.h"
#include "runtime/compile/kernel_store.h"
#include "runtime/execute/gpu/cuda_device.h"
#include "runtime/execute/gpu/gpu_traceback.h"
#include "runtime/execute/gpu/host_image.h"
#include "runtime/execute/gpu/runs/assuming_runs.h"
#include "runtime/execute/gpu/runs/given_tables.h"
#include "runtime/execute/gpu/runs/gpu_kernels.h"
#include "runtime/execute/gpu/runs/led_runs.h"
#include "runtime/execute/gpu/runs/run_player.h"
#include "runtime/execute/gpu/runs/run_setup.h"
#include "runtime/execute/gpu/runs/unseen_runs.h"
#include "runtime/execute/host/executor.h"
#include "runtime/schedule/launches/join_levels.h"
#include "runtime/schedule/slices/choose_replicas.h"
#include "runtime/schedule/transfers/hide_copies.h"

#include <optional>
#include <span>
#include <vector>

namespace mpf {

/// Not thread-safe; the device and the bundle must outlive it. The constructor allocates device
/// memory for tables and throws Error(MemoryBound) if it does not fit. Other memory of a plan, and
/// its modules, are allocated before the plan's first run.
class GpuProgram {
public:
  /// Prepares a bundle. `joins`: levels that share launches; its number of resident blocks comes
  /// from the device. `replicas`: slices that run side by side; its number of multiprocessors comes
  /// from the device. `copies`: decides which copies run beside launches.
  GpuProgram(const CudaDevice &device, const Bundle &bundle, KernelStore &store,
             const JoinOptions &joins, const ReplicaOptions &replicas, const CopySpeed &copies);
  GpuProgram(const GpuProgram &) = delete;
  GpuProgram &operator=(const GpuProgram &) = delete;
  /// Drops the graphs first, because they use memory, modules and marks of all other members.
  ~GpuProgram() { plans_.forgetGraphs(); }

  /// Takes the input arena in the bundle's layout and the state of every buffer (inputs as bound,
  /// results neutral). `changed`: one flag for each buffer, set for inputs that differ from last
  /// time. Only these are copied, with the next run: before its first launch, or, if that pays,
  /// before the launches that need them (transfer_plan.h). The arena must not change until
  /// finish().
  void setInputs(HostImage &arena, const std::vector<TableState> &states,
                 const std::vector<char> &changed);
  /// Starts to copy the changed inputs now, for work before the run.
  void sendInputs() { inputs_.sendAll(); }

  /// Sets the operations that run from now on, one flag each; at first all do. The results of the
  /// others, and their states, do not change. `wanted`: buffers of the results that each run
  /// downloads.
  void setOperations(const std::vector<char> &runs, std::vector<uint32_t> wanted) {
    setup_.setOperations(runs, std::move(wanted));
  }
  bool runs(uint32_t operation) const {
    return setup_.operations().runs()[replicas_.first[operation]] != 0;
  }

  /// Starts all operations without waiting; finish() waits. If the host must read ranges in between
  /// (LaunchPlan::hostDecides), it waits for these. If the operations can run again, it assumes
  /// that linear arithmetic is exact (runtime/schedule/launches/linear_assumption.h).
  ///
  /// A sliced program runs all its slices on the device (playsSlices) without waiting between them.
  void start();
  /// Waits for all started work and its downloads. Returns the states, one per buffer (those of
  /// further replicas at the end). After start() it runs all operations again without the
  /// assumption if that did not hold.
  std::vector<TableState> finish();
  /// Returns the runs that the host does not examine during the run or afterwards.
  UnseenRuns &unseen() { return unseen_; }
  const UnseenRuns &unseen() const { return unseen_; }
  /// Returns the runs that the host leads.
  LedRuns &led() { return led_; }
  const LedRuns &led() const { return led_; }

  /// True if start() can run all slices. The host must lead if there is no compiler for the kernels
  /// of slices.
  bool playsSlices() const { return slicePlayer_.has_value(); }
  /// Returns the faults of all slices and the best slices of a sliced program, after finish().
  const SliceKernels::Outcome &outcome() const { return results_.outcome(); }
  /// Sets the best slices of a run that the host has led (BestSlice::noted), from which later runs
  /// continue.
  void setBestSlices(std::span<const uint32_t> noted);
  /// Returns a wanted result (setOperations) after finish(), in the bundle's layout, valid until
  /// the next run. Null for other buffers.
  const std::byte *downloaded(BufferId buffer) const {
    return results_.result(setup_.plan(), buffer);
  }
  /// Does the work of Executor::decode on the device.
  std::vector<std::vector<uint32_t>> decode(const DecodeRequest &request) const {
    return traceback_.run(request);
  }
  /// Does the work of Executor::setTables. Adjacent tables are uploaded in one copy, and all states
  /// with the next run. During a run they are uploaded beside it.
  void writeTables(std::span<const GivenTable> tables) { given_.write(tables, isStarted_); }

  const GpuArenas &arenas() const { return arenas_; }
  const GpuStates &states() const { return states_; }
  void synchronize();
  /// Waits and throws nothing: for work that has failed, or whose result is not needed.
  void drain() const noexcept;
  /// Returns the device memory of the bundle's tables. It excludes memory that the program adds for
  /// separate small results and for slices side by side.
  uint64_t tableBytes() const { return arenas_.inputs().sizeBytes() + givenWorkBytes_; }

private:
  std::vector<TableState> bringDown();

  const CudaDevice &device_;
  const ReplicatedBundle replicas_;
  const uint64_t givenWorkBytes_;
  GpuArenas arenas_;
  GpuStates states_;
  GpuKernels kernels_;
  const GpuTraceback traceback_;
  BesideStream beside_;
  DriverRefusals refusals_;
  GpuLauncher launcher_;
  PlanCache plans_;
  InputUploads inputs_;
  GivenTables given_;
  ResultDownloads results_;
  RunSetup setup_;
  std::optional<SlicePlayer> slicePlayer_; ///< only for a sliced program
  RunPlayer player_;
  AssumingRuns assuming_;
  UnseenRuns unseen_;
  LedRuns led_;
  bool isStarted_ = false; ///< a run is started and not finished
  bool hasRun_ = false;    ///< true after the first run: later copies recur
};

} // namespace mpf
