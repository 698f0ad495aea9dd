// The base class of the executors on the host: tables in memory, the walk over the schedule,
// threads, sums over slices, profile and verification. Derived classes compute single operations,
// in floating-point or whole numbers.
//
// An operation runs in three steps. Its begin decides the kernel and the number of parts; its parts
// run on any threads; its end notes the state of the result. If a program has several threads and
// long runs, several operations run at a time (run_tasks.h). Each has a SEAT, where the derived
// class keeps its decisions. A seat works on a set of tables: that of the run, or that of a thread
// which computes whole slices beside others (spread_slices.h).
#pragma once

#include "runtime/execute/host/aligned_memory.h"
#include "runtime/execute/host/executor.h"
#include "runtime/execute/host/table_set.h"
#include "runtime/execute/threads/run_tasks.h"
#include "runtime/execute/threads/slice_turns.h"
#include "runtime/execute/threads/spread_slices.h"
#include "runtime/execute/threads/thread_pool.h"

namespace mpf {

class HostExecutor : public Executor, protected TaskWork {
public:
  /// Allocates the arenas; throws Error(MemoryBound) when the system refuses. `kernels` names the
  /// inner loops and must be a literal.
  HostExecutor(const Bundle &bundle, size_t threads, const SpreadOptions &spread,
               const char *kernels);

  std::string deviceName() const override;
  std::byte *inputMemory(BufferId input) override { return tables_.entries[input.index()]; }
  void setInput(BufferId input, const TableState &state) override {
    tables_.states[input.index()] = state;
  }
  const std::vector<OperationProfile> &profile() const override { return profile_; }
  void setTables(std::span<const GivenTable> tables) override;
  TableView table(BufferId id) const override { return view(tables_, id, 0); }
  std::vector<std::vector<uint32_t>> decode(const DecodeRequest &request) const override;
  SliceStates bestSlice() const override { return tables_.best.states(); }
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

  /// Returns the tables that the operation in this seat works on.
  TableSet &tablesOf(size_t seat) { return *seatTables_[seat]; }
  int8_t *signsOf(const TableSet &tables, BufferId id) const {
    const uint64_t entryBytes = bundle_.buffer(id).sizeElems * elementBytes(bundle_.type);
    return reinterpret_cast<int8_t *>(tables.entries[id.index()] + entryBytes);
  }
  /// Returns the operand's entries in the slice of `tables`.
  template <class T> static const T *entriesOf(const TableSet &tables, const BundleAccess &access) {
    return reinterpret_cast<const T *>(tables.entries[access.buffer.index()]) +
           sliceOffsetElems(access, tables.slice);
  }
  TableView view(const TableSet &tables, BufferId id, uint64_t offsetElems) const;

  /// Adds `steps` of the `all` steps of an operation to the share that the watcher of the run sees.
  void addToShare(uint32_t index, uint64_t steps, uint64_t all) const;
  /// Returns the number of parts for `steps` steps that take one thread `timeNs`.
  size_t partsOf(uint64_t steps, double timeNs) const;

  const Bundle &bundle_;
  ThreadPool pool_;

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

  /// A loop whose slices are computed side by side.
  struct LoopAtOnce {
    uint32_t loop = 0;                 ///< counted from 1
    std::vector<TableSet> further;     ///< of all threads but the first, which has that of the run
    std::vector<BufferId> fromOutside; ///< results that its operations read, made outside of it
  };

  TableSet wholeTables();
  LoopAtOnce makeLoopAtOnce(const SliceArenas &arenas) const;
  void findLoopsAtOnce();
  void beginShare(std::span<const ScheduleStep> steps, const RunRequest &request);
  void runStretch(std::span<const ScheduleStep> steps, const RunRequest &request);
  bool runsTogether(const RunRequest &request) const;
  LoopAtOnce *loopAtOnce(uint32_t loop);
  void runAtOnce(LoopAtOnce &loop, std::span<const ScheduleStep> body, const SliceStates &states);
  void runSlice(std::span<const ScheduleStep> body, const SliceStates &states, uint32_t loop,
                uint32_t slice, size_t seat, size_t worker, SliceTurns &turns);
  bool isSum(const ScheduleStep &step) const;
  bool isSum(const ScheduleStep &step, uint32_t loop) const;
  void runTogether(std::span<const ScheduleStep> steps);
  Stretch &findStretch(std::span<const ScheduleStep> steps);
  void spread(Stretch &stretch);
  void compute(uint32_t index);
  void computeAlone(uint32_t index, size_t seat, size_t worker);
  void runOne(uint32_t index, const RunRequest &request);
  void record(uint32_t index, const Ran &ran, double timeUs);
  void accumulate(const BundleOperation &operation, const TableSet &slice, TableSet &sums) const;
  void verify(uint32_t index, size_t samples) const;

  const SpreadOptions spread_;
  const char *kernels_;
  AlignedMemory inputs_, work_;
  TableSet tables_;                           ///< those of the run
  std::vector<TableSet *> seatTables_;        ///< by seat
  std::vector<OperationProfile *> profileOf_; ///< by operation; pointers into profile_
  std::vector<OperationProfile> profile_;
  double wholeNs_ = 0;      ///< predicted time of a watched run by one thread
  size_t awake_ = 0;        ///< threads that work on tasks, which can share operations cheaply
  bool knowsLoops_ = false; ///< loopsAtOnce_ are found
  std::vector<LoopAtOnce> loopsAtOnce_;
  std::vector<Stretch> stretches_;
};

} // namespace mpf
