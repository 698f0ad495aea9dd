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
  DeviceId device = DeviceId::cpu();
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
  /// The slice whose tables alone are computed, without adding up. Empty: all slices.
  std::span<const uint32_t> slice;
};

/// The states that tracebacks start from.
struct DecodeRequest {
  /// The starts: each has one state per variable, set for held, observed and sliced variables.
  /// There are at most as many starts as held variables have states
  /// (codegen/bundle/held_variables.h).
  std::span<const uint32_t> given;
  /// The steps to take, indices into Bundle::traceback, in this order. A step comes after those
  /// that fix variables of its tables. If earlier calls took some steps, `given` has the states
  /// that they fixed. Empty: all steps.
  std::span<const uint32_t> steps = {};
};

/// Runs with inputs and results in the memory of the executor's device. They copy no tables to the
/// host and do not wait for the device. For host programs: runtime/result/device_run.h.
class DeviceRuns {
public:
  virtual ~DeviceRuns() = default;

  /// Sets the inputs of later runs whose values are on the device, as indices into Bundle::inputs.
  /// None is raw or packed. Waits for the device.
  virtual void prepare(std::span<const uint32_t> inputs) = 0;

  struct Request {
    const Evidence &evidence;         ///< has a state for each variable that the bundle observes
    std::span<const uint64_t> values; ///< device addresses, by prepared input
    uint64_t results = 0;   ///< device address of the entries of Bundle::outputs, in their order
    uint64_t exponents = 0; ///< device address of an int32_t for each output
    /// The exponent of plain tables (sum_exponent.h), and the greatest exponent of values that it
    /// allows.
    int32_t sumExponent = 0, greatestExponent = 0;
    void *stream = nullptr; ///< the host program's stream
  };
  /// Binds the prepared inputs, runs `steps` as Executor::start does and writes the outputs, in the
  /// order of `stream`. The other inputs are those of Executor::setInput.
  virtual void startOnDevice(std::span<const ScheduleStep> steps, const Request &request) = 0;

  /// Returns the launches of the run that was started last.
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

  /// Returns the device's name for people and results: "cpu (avx2, 2 threads)".
  virtual std::string deviceName() const = 0;

  /// Returns host memory for an input's entries, bufferBytes long. The caller fills it and then
  /// calls setInput, which notes the change and the entries' state.
  virtual std::byte *inputMemory(BufferId input) = 0;
  virtual void setInput(BufferId input, const TableState &state) = 0;

  /// Runs `steps`, which must all be for this executor's device. They are a whole schedule, or the
  /// steps that NeededOperations chose; then other results stay as earlier runs left them. Throws
  /// Error(Device) and Error(Verification). After an exception the inputs are still set, and run
  /// may be called again.
  virtual void run(std::span<const ScheduleStep> steps, const RunRequest &request) = 0;

  /// Starts `steps` as run does and returns while the device works, if it can work alone; finish()
  /// waits for it. Between the two only setTables may be called. By default start does all the
  /// work, and finish does nothing. run is start and finish.
  virtual void start(std::span<const ScheduleStep> steps, const RunRequest &request) {
    run(steps, request);
  }
  virtual void finish() {}
  /// True if start() with these arguments returns while the device works. If not, a caller that has
  /// other work starts them in another thread; it must not call other functions meanwhile.
  virtual bool worksByItself(std::span<const ScheduleStep> steps, const RunRequest &request) const {
    static_cast<void>(steps);
    static_cast<void>(request);
    return false;
  }

  /// Writes results that another device computed. It may also be called between start() and
  /// finish(), for tables whose memory the started steps do not use. Then the viewed memory must
  /// not change until finish(); otherwise it is free when the call returns.
  virtual void setTables(std::span<const GivenTable> tables) = 0;

  /// Returns null if inputs and results must be in the host's memory.
  virtual DeviceRuns *onDevice() { return nullptr; }

  /// Returns a view of a table in host memory: an input, or a table that the last run downloaded.
  /// Executors on the host return any table.
  virtual TableView table(BufferId buffer) const = 0;

  /// Follows the bundle's traceback, or some of its steps, after a run, as QueryTraits::decoding
  /// demands. Returns an assignment for each start, with one state per variable. It has no states
  /// if all assignments have value zero.
  virtual std::vector<std::vector<uint32_t>> decode(const DecodeRequest &request) const = 0;

  /// Returns the slice of the maximum (minimum) of the last run over all slices; empty if the
  /// program is not sliced.
  virtual SliceStates bestSlice() const = 0;

  /// Returns the bytes that the executor allocated for tables on its device, to be compared with
  /// the bundle's prediction.
  virtual uint64_t allocatedBytes() const = 0;

  /// Returns the operations of the last run in execution order; empty unless RunRequest::profile
  /// was set.
  virtual const std::vector<OperationProfile> &profile() const = 0;
};

} // namespace mpf
