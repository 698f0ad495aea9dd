// EXECUTOR: runs the operations of one bundle on one device.
//
// Memory (two arenas: inputs, kept over runs, and work) is taken when the executor is made; a run
// allocates nothing. Not thread-safe: one thread at a time per executor. The bundle must have
// passed verifyBundle and must outlive the executor.
#pragma once

#include "runtime/execute/host/table_view.h"
#include "runtime/schedule/walk_steps.h"

#include <span>
#include <string>
#include <vector>

namespace mpf {

struct OperationProfile {
  uint32_t operation = 0; ///< into Bundle::operations
  StepDevice device = StepDevice::Cpu;
  const char *path =
      ""; ///< "entries", "rows", "tiles", "compiled", "table-driven", "specialised", "chain"
  bool log = false;  ///< ran in the log domain
  double timeUs = 0; ///< of all slices together
};

struct RunRequest {
  bool profile = false;
  /// Entries of each result that are recomputed naively from the operands; a difference beyond
  /// compare.h's tolerance ends the run with Error(Verification).
  size_t verifySamples = 0;
  /// One slice alone: its tables are computed, nothing is added up. Empty: all slices.
  std::span<const uint32_t> slice;
};

/// What a traceback starts from.
struct DecodeRequest {
  std::span<const uint32_t> given; ///< one state per variable; those of observed and sliced
                                   ///< variables count
};

class Executor {
public:
  virtual ~Executor() = default;

  /// "cpu (avx2, 2 threads)": for people and for the result's record.
  virtual std::string deviceName() const = 0;

  /// Host memory for an input's entries (bufferBytes of it), to be filled before setInput tells
  /// that it changed, and how its entries are scaled.
  virtual std::byte *inputMemory(BufferId input) = 0;
  virtual void setInput(BufferId input, const TableState &state) = 0;

  /// Runs the steps, all of this executor's device: those of a whole schedule, or those that
  /// NeededOperations chose, with the other results as earlier runs left them. Throws
  /// Error(Device), Error(Verification); after an exception the inputs still hold and run may be
  /// called again.
  virtual void run(std::span<const ScheduleStep> steps, const RunRequest &request) = 0;

  /// A table that the schedule makes available on the host: an input or output; on the host itself
  /// any.
  virtual TableView table(BufferId buffer) const = 0;

  /// Follows the traceback of a bundle that decodes after a run, by QueryTraits::decoding:
  /// assignments, one state per variable each, in the order of the result. None when all have value
  /// zero.
  virtual std::vector<std::vector<uint32_t>> decode(const DecodeRequest &request) const = 0;

  /// The slice that the maximum (minimum) came from in the last run over all slices; empty when
  /// the program is not sliced.
  virtual SliceStates bestSlice() const = 0;

  /// What the executor took for tables, on its device: the measured side of the bundle's promise.
  virtual uint64_t allocatedBytes() const = 0;

  /// Times of the last run, in execution order; empty unless asked for.
  virtual const std::vector<OperationProfile> &profile() const = 0;
};

} // namespace mpf
