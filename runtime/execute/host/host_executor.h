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

#include "runtime/execute/host/executor.h"
#include "runtime/execute/host/host_tables.h"
#include "runtime/execute/threads/run_tasks.h"
#include "runtime/execute/threads/slice_turns.h"
#include "runtime/execute/threads/spread_slices.h"
#include "runtime/execute/threads/stretches.h"
#include "runtime/execute/threads/thread_pool.h"

#include <optional>

namespace mpf {

class HostExecutor : public Executor, protected TaskWork {
public:
  /// Allocates the arenas; throws Error(MemoryBound) when the system refuses. `kernels` names the
  /// inner loops and must be a literal.
  HostExecutor(const Bundle &bundle, size_t threads, const SpreadOptions &spread,
               const char *kernels);

  std::string deviceName() const override;
  std::byte *inputMemory(BufferId input) override { return tables_.ofRun().entries[input.index()]; }
  void setInput(BufferId input, const TableState &state) override {
    tables_.ofRun().states[input.index()] = state;
  }
  const std::vector<OperationProfile> &profile() const override { return times_.all(); }
  void setTables(std::span<const GivenTable> tables) override { tables_.set(tables); }
  TableView table(BufferId id) const override { return tables_.view(tables_.ofRun(), id); }
  std::vector<std::vector<uint32_t>> decode(const DecodeRequest &request) const override;
  SliceStates bestSlice() const override { return tables_.ofRun().best.states(); }
  uint64_t allocatedBytes() const override { return tables_.sizeBytes(); }
  void run(std::span<const ScheduleStep> steps, const RunRequest &request) override;

  /// To be called once, after everything else is allocated (claim_memory.h).
  void claimTables() const { tables_.claim(); }

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

  /// Adds `steps` of the `all` steps of an operation to the share that the watcher of the run sees.
  void addToShare(uint32_t index, uint64_t steps, uint64_t all) const;
  /// Returns the number of parts for `steps` steps that take one thread `timeNs`.
  size_t partsOf(uint64_t steps, double timeNs) const;

  const Bundle &bundle_;
  ThreadPool pool_;
  HostTables tables_;

private:
  /// The operations of a run and their times; all slices share an operation's entry.
  class Times {
  public:
    explicit Times(size_t operations) : placeOf_(operations) { all_.reserve(operations); }
    const std::vector<OperationProfile> &all() const { return all_; }
    void clear();
    void add(uint32_t index, const Ran &ran, double timeUs);

  private:
    std::vector<OperationProfile> all_;
    std::vector<std::optional<size_t>> placeOf_; ///< in all_, by operation
  };

  void runStretch(std::span<const ScheduleStep> steps, const RunRequest &request);
  bool runsTogether(const RunRequest &request) const;
  LoopTables *loopAtOnce(uint32_t loop);
  void runAtOnce(LoopTables &loop, std::span<const ScheduleStep> body, const SliceStates &states);
  void runSlice(std::span<const ScheduleStep> body, const SliceStates &states, uint32_t loop,
                uint32_t slice, size_t seat, size_t worker, SliceTurns &turns);
  void runTogether(std::span<const ScheduleStep> steps);
  void compute(uint32_t index, size_t seat, size_t worker);
  void runOne(uint32_t index, const RunRequest &request);

  const SpreadOptions spread_;
  const char *kernels_;
  std::vector<TableSet *> seatTables_; ///< by seat
  Times times_;
  double wholeNs_ = 0; ///< predicted time of a watched run by one thread
  size_t awake_ = 0;   ///< threads that work on tasks, which can share operations cheaply
  std::optional<std::vector<LoopTables>> loopsAtOnce_; ///< found at first use
  Stretches stretches_;
};

} // namespace mpf
