// A bundle on one GPU: arenas, states, operation tables and kernels stay on the device. start()
// plays a LaunchPlan (runtime/schedule/launches/launch_plan.h) on one stream and allocates nothing
// on the device.
//
// A sliced bundle has the launches, states and tables of the replicated one
// (runtime/schedule/slices/replicate_slices.h). The replicas without shifts are the bundle's
// operations and buffers; callers see only those. The host decides only whether a chain that is not
// proven exact runs as one kernel. Chains are large: reading the ranges takes some 20 us.
#pragma once

#include "codegen/bundle/bundle.h"
#include "codegen/bundle/table_state.h"
#include "runtime/compile/kernel_store.h"
#include "runtime/execute/gpu/chosen_operations.h"
#include "runtime/execute/gpu/cuda_device.h"
#include "runtime/execute/gpu/cuda_stream.h"
#include "runtime/execute/gpu/gpu_guard.h"
#include "runtime/execute/gpu/gpu_plans.h"
#include "runtime/execute/gpu/gpu_traceback.h"
#include "runtime/execute/gpu/host_image.h"
#include "runtime/execute/gpu/kernel_modules.h"
#include "runtime/execute/gpu/tables/device_buffers.h"
#include "runtime/execute/gpu/tables/gpu_level_table.h"
#include "runtime/execute/gpu/tables/gpu_operation_table.h"
#include "runtime/execute/host/executor.h"
#include "runtime/result/device_run.h"
#include "runtime/schedule/launches/join_levels.h"
#include "runtime/schedule/launches/launch_plan.h"
#include "runtime/schedule/slices/choose_replicas.h"
#include "runtime/schedule/transfers/hide_copies.h"
#include "runtime/schedule/walk_steps.h"

#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
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

  /// Takes the input arena in the bundle's layout and the state of every buffer (inputs as bound,
  /// results neutral). `changed`: one flag for each buffer, set for inputs that differ from last
  /// time. Only these are copied, with the next run: before its first launch, or, if that pays,
  /// before the launches that need them (transfer_plan.h). The arena must not change until
  /// finish().
  void setInputs(HostImage &arena, const std::vector<TableState> &states,
                 const std::vector<char> &changed);
  /// Starts to copy the changed inputs now, for work before the run.
  void sendInputs();

  /// Sets the operations that run from now on, one flag each; at first all do. The results of the
  /// others, and their states, do not change. `wanted`: buffers of the results that each run
  /// downloads.
  void setOperations(const std::vector<char> &runs, std::vector<uint32_t> wanted);
  bool runs(uint32_t operation) const {
    return operationsNow_.runs()[replicas_.first[operation]] != 0;
  }

  /// Starts all operations without waiting; finish() waits. If the host must read ranges in between
  /// (LaunchPlan::hostDecides), it waits for these. If the operations can run again, it assumes
  /// that linear arithmetic is exact (runtime/schedule/launches/linear_assumption.h).
  ///
  /// A sliced program runs all its slices on the device (playsSlices) without waiting between them.
  void start();
  /// Starts an unseen run, which the host does not examine during the run or afterwards. Nothing is
  /// downloaded, and the host waits only when it makes a plan. After guardUnseen the device checks
  /// whether the assumption held, and runs all operations again if not. Without a guard nothing is
  /// assumed.
  void startUnseen();
  /// Compiles the guard, once. Throws Error(Device) as KernelStore::compileAll, but not if the
  /// driver knows no conditions.
  void guardUnseen(KernelStore &store);
  /// Returns the launches of the last run of startUnseen.
  DeviceRunLaunches unseenLaunches() const { return unseenLaunches_; }
  /// Waits for all started work and its downloads. Returns the states, one per buffer (those of
  /// further replicas at the end). After start() it runs all operations again without the
  /// assumption if that did not hold.
  std::vector<TableState> finish();
  /// True if start() can run all slices. The host must lead if there is no compiler for the kernels
  /// of slices.
  bool playsSlices() const { return sliceKernels_.has_value(); }
  /// Returns the faults of all slices and the best slices of a sliced program, after finish().
  const SliceKernels::Outcome &outcome() const { return outcome_; }
  /// Sets the best slices of a run that the host has led (BestSlice::noted), from which later runs
  /// continue.
  void setBestSlices(std::span<const uint32_t> noted);
  /// Returns a wanted result (setOperations) after finish(), in the bundle's layout, valid until
  /// the next run. Null for other buffers.
  const std::byte *downloaded(BufferId buffer) const;
  /// Runs all operations, waits, and measures each launch with events, which is slower. Returns the
  /// device time of each operation in microseconds; the time of a launch is divided among its
  /// operations.
  std::vector<double> runMeasured();
  struct StepwiseCalls {
    std::function<void(uint32_t)> before, after; ///< called with the index of each operation
  };
  /// Runs all operations one by one, without chains. Calls `before` of an operation when those
  /// before it have been started, and `after` when it has ended. Checks use it to read tables
  /// before their memory is used again.
  void runStepwise(const StepwiseCalls &calls);
  /// Runs a chain as one kernel, if it would run so, and returns the bytes of its result with their
  /// state. Must be called before the chain's first operation. Resets the state of the result
  /// afterwards, so that the operations can run one by one.
  std::optional<std::vector<std::byte>> tryChain(const BundleChain &given, TableState &state);

  /// Begins a sliced run that the host leads: it then calls enterSlice and runOperation for every
  /// operation of every slice in the schedule. The executor does the accumulations: it reads a
  /// table and writes the sum back. `grouped`: operations of a level or chain share launches; false
  /// if each is examined.
  void beginSlices(bool grouped);
  /// Moves the inputs to this slice and prepares the results that its loops compute again. Does
  /// nothing if it is the current slice.
  void enterSlice(const SliceStates &states);
  /// Launches the operation, with those that share its launch or precede it in the plan. Does
  /// nothing if it has been launched already. With `timeUs` it waits and adds the device time.
  void runOperation(uint32_t index, double *timeUs = nullptr);
  /// Does the work of Executor::decode on the device.
  std::vector<std::vector<uint32_t>> decode(const DecodeRequest &request) const {
    return traceback_->run(request);
  }
  /// Returns the states after a run, one per buffer.
  std::vector<TableState> readStates() const;
  /// Returns a buffer's bytes in the bundle's layout: entries, then room for signs if tables are
  /// signed. The buffer must not be a packed input. Signs are copied only for log form, because
  /// kernels write none in linear form.
  std::vector<std::byte> readBuffer(BufferId buffer, const TableState &state) const;
  /// Reads a buffer without waiting: the bytes are valid after synchronize(). startWrite copies to
  /// the device; its argument must stay valid until synchronize().
  std::vector<std::byte> startRead(BufferId buffer, const TableState &state) const;
  void startWrite(BufferId buffer, std::span<const std::byte> bytes, const TableState &state);
  /// Does the work of Executor::setTables. Adjacent tables are uploaded in one copy, and all states
  /// with the next run.
  void writeTables(std::span<const GivenTable> tables);
  void synchronize();
  /// Waits and throws nothing: for work that has failed, or whose result is not needed.
  void drain() const noexcept;
  /// The places of tables for kernels: arenas, the states with which a run begins (inputs), and the
  /// states that it leaves (all), by buffer.
  struct Places {
    const DeviceBuffers &buffers;
    CudaDevicePointer inputs, work, initialStates, states;
  };
  Places places() const {
    return {buffers_, inputs_.address(), work_.address(), initialRun_.address(), run_.address()};
  }
  /// Returns the device memory of the bundle's tables. It excludes memory that the program adds for
  /// separate small results and for slices side by side.
  uint64_t tableBytes() const { return inputs_.sizeBytes() + givenWorkBytes_; }
  /// Returns how operation `index` ran last: "specialised", "table-driven", "chain".
  const char *pathName(uint32_t index) const;

private:
  static constexpr uint32_t kNoGroup = UINT32_MAX;
  /// A piece of a table that is uploaded to the work arena: its entries, or their signs.
  struct TablePiece {
    uint64_t offsetBytes = 0, sizeBytes = 0;
    const void *from = nullptr;
  };

  void compileKernels(KernelStore &store);
  LaunchPlan planFor(const GpuPlans::Kind &kind, const std::vector<TableState> &ranges) const;
  void resetLoops(uint32_t loop);
  std::vector<CopyRange> rangesOf(const std::vector<size_t> &buffers) const;
  void resetStates(const std::vector<size_t> &buffers);
  void resetRun(const std::vector<CopyRange> &ranges);
  void chooseTransfers(GpuPlan &plan, const GpuPlans::Kind &kind);
  void planTransfers(GpuPlan &plan, const GpuPlans::Kind &kind);
  uint64_t downBegin() const;
  void startDownload(const GpuPlan::DownImage &down, const CudaStream *beside) const;
  void startDownloads(bool withGroups);
  std::vector<TableState> bringDown();
  CudaDevicePointer counters() const { return run_.address() + stateBytes_; }
  /// Returns the bytes of the counters of teams and of phases, by operation
  /// (tables/gpu_level_table.h).
  uint64_t counterBytes() const { return 2 * table_.operations.size() * sizeof(uint32_t); }
  void usePlan(const GpuPlans::Kind &kind);
  GpuPlans::Kind nextKind();
  bool wasWrong(const std::vector<TableState> &states);
  void setPlan(GpuPlan &plan, LaunchPlan launches);
  void prepareRun(const GpuPlans::Kind &kind, bool mayWaitForInputs = false);
  bool chooseUploads(const TransferPlan &transfers);
  std::vector<CopyRange> unsentRanges(uint32_t group) const;
  void send(uint32_t group);
  void uploadPieces(std::span<const TablePiece> pieces, const CudaStream *beside);
  void sendStates();
  void awaitInputs(size_t launch, bool isRecorded);
  void playLaunches(bool isRecorded);
  void startGroupBehind(size_t launch);
  void resetPlanned();
  bool replay();
  void recordGraph(std::optional<GpuPlan::RecordedRun> &recorded);
  bool startGuarded();
  void recordGuarded(GpuPlan &assuming, GpuPlan &careful);
  void startAll(bool isRecorded);
  void launch(const Launch &launch);
  CudaKernel behindSteps(CudaKernel kernel);
  void playSlices(bool isRecorded);
  void playSteps(std::span<const SliceStep> steps, bool isRecorded);
  void enterPass(uint32_t loop);
  void playLoop(const SliceStep &loop, bool isRecorded);
  void playPass(const SliceStep &loop, uint32_t pass, bool isRecorded);
  void playPasses(const SliceStep &loop, uint32_t first, uint32_t end, bool isRecorded);
  uint32_t passesOfGraph(const SliceStep &loop) const;
  void recordLoop(const SliceStep &loop, uint32_t passes);
  uint32_t playGraphs(const SliceStep &loop);
  bool isExact(const BundleChain &chain) const;
  void launchKernelOf(const BundleChain &chain, WaitPoint wait);
  void launchChain(const Launch &launch);
  void launchSpecialised(const Launch &launch);
  void launchKernelNumber(uint32_t kernel, const std::vector<const BundleAccess *> &operands,
                          const BundleAccess &result, const SliceStates &states, int mode,
                          WaitPoint wait);
  void launchNormalise(const Launch &launch);
  void launchMapped(const Launch &launch);
  CudaDevicePointer addressOf(const BundleAccess &access, const SliceStates &states) const;
  void noteLostReplicas(const std::vector<TableState> &states);

  const CudaDevice &device_;
  const ReplicatedBundle replicas_;
  const Bundle &bundle_; ///< the bundle with all replicas
  const uint64_t givenWorkBytes_;
  const DeviceBuffers buffers_;
  JoinOptions joins_;
  const CopySpeed copies_;
  HostImage packed_;                     ///< the input arena of the device, if inputs are packed
  std::optional<KernelModules> kernels_; ///< after compileKernels
  DeviceMemory inputs_, work_, operations_;
  /// States by buffer, then counters: the current ones, and those with which a run begins.
  DeviceMemory run_, initialRun_;
  uint64_t stateBytes_ = 0;
  DeviceMemory records_, partials_; ///< memory of the level kernel
  std::vector<TableState> initialStates_;
  uint64_t statesNumber_ = 1; ///< number of initialStates_, which changes with them; never 0
  std::optional<GpuTraceback> traceback_;
  GpuOperationTable table_; ///< copy of the device's table, for the addresses of slices
  GpuRecords recordTable_;  ///< copy of the records on the device
  std::optional<SliceKernels> sliceKernels_; ///< only for a sliced program
  SliceKernels::Outcome outcome_;            ///< outcome of the last finished run
  /// The slice whose addresses launches use; in a pass the first one. If the host leads, the
  /// device's tables have it too.
  SliceStates slice_;
  ChosenOperations operationsNow_; ///< the operations that run
  std::vector<uint32_t> wanted_;   ///< buffers of results to be downloaded, ascending
  HostImage down_;                 ///< downloaded data: states by buffer, then GpuPlan::downloads
  UploadStage stage_;
  const std::vector<uint32_t> inputsByPlace_; ///< buffers of inputs, in the order of their arena
  UploadStage given_;                         ///< stage for tables that another device computed
  /// States of these tables, to be uploaded.
  std::vector<std::pair<BufferId, TableState>> givenStates_;
  /// The states in run_, if known: after a run, until the next one.
  std::vector<TableState> deviceStates_;
  bool areStatesKnown_ = true;
  bool isStarted_ = false;     ///< a run is started and not finished
  HostImage *arena_ = nullptr; ///< inputs in the device's layout
  std::vector<char> unsent_;   ///< by buffer: inputs to be uploaded
  bool hasUnsent_ = false;
  /// The group of an input in this run's uploads, or kNoGroup; by buffer.
  std::vector<uint32_t> groupOf_;
  std::optional<CudaStream> beside_; ///< stream of copies beside launches; made when needed
  std::vector<std::unique_ptr<StreamMark>> sent_; ///< by group of uploads: the end of its upload
  bool waitsForInputs_ = false; ///< launches of the last started run wait for inputs
  /// True after the first run, and after the first inputs: later copies recur.
  bool hasRun_ = false, hasInputs_ = false;
  bool comesDown_ = false;        ///< downloads of the last started run have been started
  bool bringsDown_ = true;        ///< GpuPlans::Kind::bringsDown of that run
  std::vector<char> chained_;     ///< per operation: a chain ran it last
  std::vector<char> waits_;       ///< per bundle kernel: CudaKernel::waits
  std::optional<GpuGuard> guard_; ///< set by guardUnseen
  /// The plans of the current choice of operations and of earlier choices.
  GpuPlans plans_;
  uint64_t planNumber_ = 0; ///< the last used GpuPlan::number
  DeviceRunLaunches unseenLaunches_;
  bool assumes_ = false;        ///< the last started run assumes exact linear arithmetic
  unsigned carefulRuns_ = 0;    ///< remaining runs without assumption, after one did not hold
  size_t nextLaunch_ = 0;       ///< next launch of the stretch, if the host leads
  bool isBehindStep_ = false;   ///< the next launch begins when all before it has ended
  bool overlaps_ = true;        ///< launches may begin while those before still run
  bool graphRefused_ = false;   ///< the driver refused to record graphs, permanently
  bool waitsRefused_ = false;   ///< the driver refused recorded launches that wait for inputs
  bool guardRefused_ = false;   ///< the driver refused graphs with a branch
  bool branchesOverlap_ = true; ///< false: the driver refused overlapping launches in branches
};

} // namespace mpf
