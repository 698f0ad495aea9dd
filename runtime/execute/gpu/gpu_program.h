// A bundle on one GPU: arenas, states, operation tables and kernels resident on the device; run()
// plays a LaunchPlan (runtime/schedule/launches/launch_plan.h) on one stream, with nothing
// allocated on the device. Of a sliced bundle launches, states and tables are those of the
// replicated one (runtime/schedule/slices/replicate_slices.h), in which the bundle's own operations
// and buffers are the replicas without shifts; callers see those alone. The host decides one thing
// only: whether a chain that is not proven exact runs as one kernel. Chains are large: to look at
// the ranges takes some 20 us.
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

/// Not thread-safe; the device and the bundle must outlive it. Device memory for tables is taken
/// once, here: Error(MemoryBound) when it does not fit. What plans need besides, modules too, is
/// taken when a run needs a plan first.
class GpuProgram {
public:
  /// `joins`: how many blocks are resident the device says. `replicas`: which slices run side by
  /// side; how many multiprocessors there are the device says. `copies`: by which copies are
  /// put beside launches.
  GpuProgram(const CudaDevice &device, const Bundle &bundle, KernelStore &store,
             const JoinOptions &joins, const ReplicaOptions &replicas, const CopySpeed &copies);

  /// Takes the input arena, as the bundle lays it out, and the state of every buffer (inputs as
  /// bound, results neutral). `changed`: one flag for each buffer, set for inputs that differ from
  /// last time; only they are copied, with the next run: in front of its first launch, or where
  /// that is worth it in front of the launches that need them (transfer_plan.h). The arena stays
  /// as it is until finish().
  void setInputs(HostImage &arena, const std::vector<TableState> &states,
                 const std::vector<char> &changed);
  /// Starts to copy them now, for what comes in front of the run.
  void sendInputs();

  /// Sets which operations run from now on, one flag each; at first all do. The results of the
  /// others stay as they are, with their states. `wanted`: the results, buffers, that each run
  /// brings to the host.
  void setOperations(const std::vector<char> &runs, std::vector<uint32_t> wanted);
  bool runs(uint32_t operation) const {
    return operationsNow_.runs()[replicas_.first[operation]] != 0;
  }

  /// Starts all operations and does not wait: synchronize() does. Where the host has to look at
  /// ranges in between (LaunchPlan::hostDecides) it waits for these.
  /// Where it can run them once more it assumes that linear arithmetic is exact
  /// (runtime/schedule/launches/linear_assumption.h).
  /// A sliced program goes through all its slices on the device (playsSlices); nothing waits
  /// between them.
  void start();
  /// The same, of a run that the host does not look at, neither on the way nor afterwards: nothing
  /// comes down, and it never waits, but where it makes a plan. After guardUnseen the device looks
  /// whether the assumption held, and runs all once more if not; else nothing is assumed.
  void startUnseen();
  /// Compiles what that takes, once. Error(Device) as KernelStore::compileAll; none where the
  /// driver knows no conditions.
  void guardUnseen(KernelStore &store);
  /// Of the run that startUnseen started last.
  DeviceRunLaunches unseenLaunches() const { return unseenLaunches_; }
  /// Waits for what was started in any way, and for what comes down of it. Returns the states, one
  /// per buffer (those of further replicas behind). After start() it runs all once more, without
  /// the assumption, if that did not hold.
  std::vector<TableState> finish();
  /// Whether start() goes through slices. Where there is no compiler for the kernels that it takes,
  /// the host has to lead.
  bool playsSlices() const { return sliceKernels_.has_value(); }
  /// After finish(), of a sliced program: what went wrong in any slice, and which are the best.
  const SliceKernels::Outcome &outcome() const { return outcome_; }
  /// The best slices of a run that the host has led (BestSlice::noted): the next runs go on from
  /// them.
  void setBestSlices(std::span<const uint32_t> noted);
  /// A result of setOperations' list, after finish(): bytes as laid out by the bundle, until the
  /// next run. Null for others.
  const std::byte *downloaded(BufferId buffer) const;
  /// Runs all operations, waits, and measures each launch with events, which is slower. Returns the
  /// device time of each operation in microseconds; operations of one launch share its time.
  std::vector<double> runMeasured();
  struct StepwiseCalls {
    std::function<void(uint32_t)> before, after; ///< with the index of each operation
  };
  /// Runs all operations, each on its own (no chains), and calls `before` each when those before it
  /// have been started, `after` each when it has ended: for checks that look at tables before their
  /// memory is used again.
  void runStepwise(const StepwiseCalls &calls);
  /// Called before the first operation of a chain: runs the chain as one kernel, if it would run
  /// so, and returns the bytes of its result with their state. Then resets the state of the result,
  /// so that the operations can run one by one as usual.
  std::optional<std::vector<std::byte>> tryChain(const BundleChain &given, TableState &state);

  /// The host may lead a sliced program too, operation by operation, along its walk over the
  /// schedule: beginSlices, then for every operation of every slice enterSlice and runOperation.
  /// Accumulations are the executor's: it reads a table and writes the sum back. `grouped`:
  /// operations of a level share launches, and so do chains; not when each is looked at.
  void beginSlices(bool grouped);
  /// Moves the inputs to this slice and prepares the results that its loops compute again. Does
  /// nothing for the slice that is entered already.
  void enterSlice(const SliceStates &states);
  /// Launches the operation, with what shares its launch or comes before it in the plan; nothing
  /// when it has been launched so. With `timeUs` it waits and adds the device time.
  void runOperation(uint32_t index, double *timeUs = nullptr);
  /// Executor::decode, on the device.
  std::vector<std::vector<uint32_t>> decode(const DecodeRequest &request) const {
    return traceback_->run(request);
  }
  /// The states after a run, one per buffer.
  std::vector<TableState> readStates() const;
  /// A buffer's bytes as laid out by the bundle, not of a packed input: entries, then room for
  /// signs where tables are signed. Signs are copied only when `state` says log form: kernels write
  /// them in no other.
  std::vector<std::byte> readBuffer(BufferId buffer, const TableState &state) const;
  /// The same without waiting: the bytes are there after synchronize(). startWrite copies back to
  /// the device; its argument must stay until synchronize().
  std::vector<std::byte> startRead(BufferId buffer, const TableState &state) const;
  void startWrite(BufferId buffer, std::span<const std::byte> bytes, const TableState &state);
  /// Executor::setTables: tables that lie one behind the other go up in one copy, and all states
  /// with the next run.
  void writeTables(std::span<const GivenTable> tables);
  void synchronize();
  /// Waits, and throws nothing: for what has failed already, or what nobody waits for.
  void drain() const noexcept;
  /// Where kernels find and leave tables: their addresses, and their states as a run begins
  /// (inputs) and as it has left them (all), by buffer.
  struct Places {
    const DeviceBuffers &buffers;
    CudaDevicePointer inputs, work, initialStates, states;
  };
  Places places() const {
    return {buffers_, inputs_.address(), work_.address(), initialRun_.address(), run_.address()};
  }
  /// Device memory taken for tables, without that which lets small results lie apart and slices run
  /// side by side, which is the program's own.
  uint64_t tableBytes() const { return inputs_.sizeBytes() + givenWorkBytes_; }
  /// How operation `index` ran last: "specialised", "table-driven", "chain".
  const char *pathName(uint32_t index) const;

private:
  static constexpr uint32_t kNoGroup = UINT32_MAX;
  /// Of a table on its way into the work arena: its entries, or their signs.
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
  /// Of teams and of phases, by operation (tables/gpu_level_table.h).
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
  const Bundle &bundle_; ///< with all replicas
  const uint64_t givenWorkBytes_;
  const DeviceBuffers buffers_;
  JoinOptions joins_;
  const CopySpeed copies_;
  HostImage packed_; ///< the input arena as on the device, where inputs are packed
  std::optional<KernelModules> kernels_; ///< after compileKernels
  DeviceMemory inputs_, work_, operations_;
  /// States by buffer, then counters; and both as a run begins.
  DeviceMemory run_, initialRun_;
  uint64_t stateBytes_ = 0;
  DeviceMemory records_, partials_; ///< of the level kernel
  std::vector<TableState> initialStates_;
  uint64_t statesNumber_ = 1; ///< of initialStates_: others have another; never 0
  std::optional<GpuTraceback> traceback_;
  GpuOperationTable table_;                  ///< as on the device, for the addresses of slices
  GpuRecords recordTable_;                   ///< the same
  std::optional<SliceKernels> sliceKernels_; ///< of a sliced program
  SliceKernels::Outcome outcome_;            ///< of the run that was finished last
  /// That launches have the addresses of, of a pass the first one; where the host leads the device
  /// has it too.
  SliceStates slice_;
  ChosenOperations operationsNow_; ///< that run
  std::vector<uint32_t> wanted_;   ///< results that come down, buffers, ascending
  HostImage down_;                 ///< states by buffer, then GpuPlan::downloads
  UploadStage stage_;
  const std::vector<uint32_t> inputsByPlace_; ///< buffers, in the order of their arena
  UploadStage given_;                         ///< of tables that another device computed
  std::vector<std::pair<BufferId, TableState>> givenStates_; ///< of these, to go up
  /// As run_ has them where they are known: after a run, until the next one.
  std::vector<TableState> deviceStates_;
  bool areStatesKnown_ = true;
  bool isStarted_ = false;     ///< a run, and not finished
  HostImage *arena_ = nullptr; ///< of inputs as on the device
  std::vector<char> unsent_;   ///< by buffer: inputs that are to go up
  bool hasUnsent_ = false;
  std::vector<uint32_t> groupOf_;    ///< by buffer: of inputs, in this run's uploads; or kNoGroup
  std::optional<CudaStream> beside_; ///< of copies beside launches; made when needed
  std::vector<std::unique_ptr<StreamMark>> sent_; ///< by group of uploads: it is up
  bool waitsForInputs_ = false;                   ///< launches of the run do, that was started last
  bool hasRun_ = false, hasInputs_ = false; ///< once: what comes then is copied again and again
  bool comesDown_ = false;                  ///< of the run that was started last
  bool bringsDown_ = true;                  ///< GpuPlans::Kind's, of it
  std::vector<char> chained_;               ///< per operation: a chain did it, when it ran last
  std::vector<char> waits_;                 ///< per bundle kernel: it waits by itself
  std::optional<GpuGuard> guard_;           ///< after guardUnseen
  /// Of the operations that run, with those of other choices of operations behind them.
  GpuPlans plans_;
  uint64_t planNumber_ = 0; ///< GpuPlan::number's that were given
  DeviceRunLaunches unseenLaunches_;
  bool assumes_ = false;     ///< the run that was started last
  unsigned carefulRuns_ = 0; ///< to come, after an assumption that did not hold
  size_t nextLaunch_ = 0; ///< where the host leads: what is before it in the stretch was launched
  bool isBehindStep_ = false;   ///< the next launch begins when all before it has ended
  bool overlaps_ = true;        ///< launches may begin while those before still run
  bool graphRefused_ = false;   ///< by the driver, once and for all
  bool waitsRefused_ = false;   ///< the same of recorded launches that wait for inputs
  bool guardRefused_ = false;   ///< the same of graphs with a branch
  bool branchesOverlap_ = true; ///< until it has refused branches with launches that overlap
};

} // namespace mpf
