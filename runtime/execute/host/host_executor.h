// The base class of the executors on the host: tables in memory, the walk over the schedule,
// threads, sums over slices, profile and verification. Derived classes compute single operations,
// in floating-point or whole numbers.
//
// An operation runs in three steps. Its begin decides the kernel and the number of parts; its parts
// run on any threads; its end notes the state of the result. If a program has several threads and
// long runs, several operations run at a time (run_tasks.h). Each has a SEAT, where the derived
// class keeps its decisions.
#pragma once

#include "runtime/execute/host/aligned_memory.h"
#include "runtime/execute/host/best_slice.h"
#include "runtime/execute/host/executor.h"
#include "runtime/execute/threads/run_tasks.h"
#include "runtime/execute/threads/spread_options.h"
#include "runtime/execute/threads/thread_pool.h"

namespace mpf {

class HostExecutor : public Executor, protected TaskWork {
public:
  /// Allocates the arenas; throws Error(MemoryBound) when the system refuses. `kernels` names the
  /// inner loops and must be a literal.
  HostExecutor(const Bundle &bundle, size_t threads, const SpreadOptions &spread,
               const char *kernels);

  std::string deviceName() const override;
  std::byte *inputMemory(BufferId input) override { return memory(input); }
  void setInput(BufferId input, const TableState &state) override {
    states_[input.index()] = state;
  }
  const std::vector<OperationProfile> &profile() const override { return profile_; }
  void setTables(std::span<const GivenTable> tables) override;
  TableView table(BufferId id) const override { return view(id, 0); }
  std::vector<std::vector<uint32_t>> decode(const DecodeRequest &request) const override;
  SliceStates bestSlice() const override { return best_.states(); }
  uint64_t allocatedBytes() const override { return inputs_.sizeBytes() + work_.sizeBytes(); }
  void run(std::span<const ScheduleStep> steps, const RunRequest &request) override;

  /// To be called once, after everything else is allocated (claim_memory.h).
  void claimTables() const;

protected:
  struct Ran {
    const char *path = ""; ///< OperationProfile::path
    bool log = false;      ///< ran in the log domain
  };
  /// Returns how operation `index` ran, the last one that ended in `seat`.
  virtual Ran ran(uint32_t index, size_t seat) const = 0;
  /// Returns the estimated time of operation `index` with one thread.
  virtual double operationNs(uint32_t index) const = 0;

  std::byte *memory(BufferId id) const {
    const BundleBuffer &buffer = bundle_.buffer(id);
    return (buffer.input ? inputs_ : work_).data() + buffer.offsetBytes;
  }
  int8_t *signsOf(BufferId id) const {
    const uint64_t entryBytes = bundle_.buffer(id).sizeElems * elementBytes(bundle_.type);
    return reinterpret_cast<int8_t *>(memory(id) + entryBytes);
  }
  /// Returns the operand's entries in the current slice.
  template <class T> const T *entriesOf(const BundleAccess &access) const {
    return reinterpret_cast<const T *>(memory(access.buffer)) + sliceOffsetElems(access, slice_);
  }
  TableView view(BufferId id, uint64_t offsetElems) const;

  /// Returns the number of parts for `steps` steps that take one thread `timeNs`.
  size_t partsOf(uint64_t steps, double timeNs) const;

  const Bundle &bundle_;
  ThreadPool pool_;
  std::vector<TableState> states_; ///< by buffer
  SliceStates slice_;              ///< the slice that is being computed

private:
  /// The operations of a run between repeats and sums over slices, with their dependencies. It is
  /// kept, because the next run or slice mostly has equal operations.
  struct Stretch {
    std::vector<uint32_t> operations;
    TaskGraph tasks;       ///< empty: operations run one after the other
    size_t threads = 1;    ///< number of threads that run the tasks
    double timeNs = 0;     ///< predicted time of one run by one thread
    double spentNs = 0;    ///< predicted time of all runs so far
    bool isSpread = false; ///< tasks and threads are known
  };

  void reportShare(const SliceStates &states) const;
  void runStretch(std::span<const ScheduleStep> steps, const RunRequest &request);
  bool isSum(const ScheduleStep &step) const;
  void runTogether(std::span<const ScheduleStep> steps);
  Stretch &findStretch(std::span<const ScheduleStep> steps);
  void spread(Stretch &stretch);
  void compute(uint32_t index);
  void runOne(uint32_t index, const RunRequest &request);
  void record(uint32_t index, const Ran &ran, double timeUs);
  void accumulate(const BundleOperation &operation);
  void verify(uint32_t index, size_t samples) const;

  const SpreadOptions spread_;
  const char *kernels_;
  AlignedMemory inputs_, work_;
  BestSlice best_;
  std::vector<OperationProfile *> profileOf_; ///< by operation; pointers into profile_
  std::vector<OperationProfile> profile_;
  size_t awake_ = 0; ///< threads that work on tasks, which can share operations cheaply
  std::vector<Stretch> stretches_;
};

} // namespace mpf
