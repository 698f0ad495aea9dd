// EXECUTOR: runs the operations of one bundle on one device.
//
// An executor allocates its memory when it is made: an arena for inputs, which are kept between
// runs, and an arena for everything else. A run allocates no memory for tables. Not thread-safe:
// one thread at a time per executor. The bundle must have passed verifyBundle and must outlive the
// executor.
#pragma once

#include "runtime/execute/host/table_view.h"
#include "runtime/result/device_run.h"
#include "runtime/schedule/walk_steps.h"

#include <span>
#include <string>
#include <vector>

namespace mpf {

struct OperationProfile {
  uint32_t operation = 0; ///< index into Bundle::operations
  StepDevice device = StepDevice::Cpu;
  const char *path =
      ""; ///< "entries", "rows", "tiles", "compiled", "table-driven", "specialised", "chain"
  bool log = false;  ///< ran in the log domain
  double timeUs = 0; ///< time of all slices together
};

struct RunRequest {
  bool profile = false;
  /// Number of entries of each result that are recomputed naively from the operands. A difference
  /// beyond the tolerance of compare.h ends the run with Error(Verification).
  size_t verifySamples = 0;
  /// Not empty: compute the tables of this slice alone and add nothing up. Empty: all slices.
  std::span<const uint32_t> slice;
};

/// The states that tracebacks start from.
struct DecodeRequest {
  /// For each start one state per variable, those of held, observed and sliced variables; at most
  /// as many starts as held variables have states (codegen/bundle/held_variables.h).
  std::span<const uint32_t> given;
  /// The steps to take, into Bundle::traceback, in this order: each behind those that fix variables
  /// of its tables. `given` has then the states too that steps before them have fixed. Empty: all.
  std::span<const uint32_t> steps = {};
};

/// What an executor does besides where tables of a run may lie in the memory of its device: nothing
/// is copied, and nobody waits. For host programs: runtime/result/device_run.h.
class DeviceRuns {
public:
  virtual ~DeviceRuns() = default;

  /// Of the runs to come: the inputs whose values lie on the device, indices into Bundle::inputs;
  /// none is raw or packed. Waits for the device.
  virtual void prepare(std::span<const uint32_t> inputs) = 0;

  struct Request {
    const Evidence &evidence;         ///< with a state for each variable that the bundle observes
    std::span<const uint64_t> values; ///< device addresses, by prepared input
    uint64_t results = 0;             ///< entries of Bundle::outputs, in their order
    uint64_t exponents = 0;           ///< int32_t, one for each output
    /// Of plain tables (sum_exponent.h), and the greatest that a value's may be with it.
    int32_t sumExponent = 0, greatestExponent = 0;
    void *stream = nullptr; ///< of the host program
  };
  /// Binds the prepared inputs, runs `steps` as Executor::start does and writes the outputs, in the
  /// order of `stream`. The other inputs are those of Executor::setInput.
  virtual void startOnDevice(std::span<const ScheduleStep> steps, const Request &request) = 0;

  /// Of the run that was started last.
  virtual DeviceRunLaunches launches() const = 0;
};

/// A result of another device. `table` has the size and type of the buffer.
struct GivenTable {
  BufferId buffer;
  TableView table;
};

class Executor {
public:
  virtual ~Executor() = default;

  /// The device's name for people and results: "cpu (avx2, 2 threads)".
  virtual std::string deviceName() const = 0;

  /// Host memory for an input's entries, bufferBytes long. The caller fills it and then calls
  /// setInput, which notes that the input changed and how its entries are scaled.
  virtual std::byte *inputMemory(BufferId input) = 0;
  virtual void setInput(BufferId input, const TableState &state) = 0;

  /// Runs `steps`, which must all be for this executor's device: those of a whole schedule, or
  /// those that NeededOperations chose, with the other results as earlier runs left them. Throws
  /// Error(Device) and Error(Verification). After an exception the inputs are still set, and run
  /// may be called again.
  virtual void run(std::span<const ScheduleStep> steps, const RunRequest &request) = 0;

  /// Starts `steps` as run does and returns while the device works, where it works by itself;
  /// finish() waits for it. Between the two nothing else may be called. By default all is done at
  /// once, and finish() has nothing to do. run is both.
  virtual void start(std::span<const ScheduleStep> steps, const RunRequest &request) {
    run(steps, request);
  }
  virtual void finish() {}
  /// Whether start() of these returns while the device works. Where it does not, a caller that has
  /// something else to do starts them in another thread; nothing else may be called meanwhile.
  virtual bool worksByItself(std::span<const ScheduleStep> steps, const RunRequest &request) const {
    static_cast<void>(steps);
    static_cast<void>(request);
    return false;
  }

  /// Writes results that another device computed. Between start() and finish() it may be called
  /// too, for tables whose memory the started steps neither read nor write; what the views are of
  /// then stays as it is until finish(). Else it is free at once.
  virtual void setTables(std::span<const GivenTable> tables) = 0;

  /// Null: tables of a run are in the host's memory.
  virtual DeviceRuns *onDevice() { return nullptr; }

  /// A view of a table in host memory: an input, or what was downloaded in the last run; executors
  /// on the host give any table.
  virtual TableView table(BufferId buffer) const = 0;

  /// Follows the bundle's traceback, or some of its steps, after a run, as QueryTraits::decoding
  /// demands. Returns an assignment for each start, with one state per variable; without states
  /// where all assignments have value zero.
  virtual std::vector<std::vector<uint32_t>> decode(const DecodeRequest &request) const = 0;

  /// The slice that the maximum (minimum) came from in the last run over all slices; empty when
  /// the program is not sliced.
  virtual SliceStates bestSlice() const = 0;

  /// The bytes that the executor allocated for tables on its device, to be compared with the
  /// bundle's prediction.
  virtual uint64_t allocatedBytes() const = 0;

  /// The operations of the last run in execution order; empty unless RunRequest::profile was set.
  virtual const std::vector<OperationProfile> &profile() const = 0;
};

} // namespace mpf
