// The questions that the planner asks about GPU kernels before it marks chains, splits sums, lays
// tables out or packs them. This is an interface: codegen/specialise/device_costs.h implements it
// with the kernels' cost model, so the planner does not depend on kernels.
#pragma once

#include "codegen/plan/program/table_program.h"

#include <optional>
#include <span>
#include <utility>
#include <vector>

namespace mpf {

/// A proposal to store tables of one operation: for each table the order of its variables, slowest
/// first (storage_order.h).
using LayoutCandidate = std::vector<std::pair<TableId, std::vector<VarId>>>;

/// Predicted times in microseconds on one target, of one run of an operation (in a loop: of one
/// iteration). Equal questions get equal answers. Not thread-safe: answers are remembered. Programs
/// must be sound (verify_program.h) up to the operations asked about.
class DeviceCosts {
public:
  virtual ~DeviceCosts() = default;

  /// False when chains and splits cannot save time; then the planner asks about storage only.
  virtual bool changesOperations() const { return true; }

  /// The least time that the operation can take as a separate launch: the launch and its floor; 0
  /// if it does not run.
  virtual double operationUs(const TableProgram &program, const Operation &operation) = 0;

  /// The least time of one kernel that moves this many entries and computes nothing.
  virtual double moveUs(double elems) const = 0;

  /// The time of these operations as one kernel that first reads `message`; they need not be
  /// consecutive in the program yet. Nothing when no page of them fits the device, or when too many
  /// questions were asked. If no page fits, no longer list that starts with them fits either.
  virtual std::optional<double> chainUs(const TableProgram &program, TableId message,
                                        std::span<const OpId> operations) = 0;

  /// The best number of splits for the sum of an operation (split_k.h). 1: leave the sum whole.
  virtual uint32_t bestSplits(const TableProgram &, OpId) { return 1; }

  /// The time of the operation with its tables stored as they are now, packed or not. Nothing when
  /// it is unknown, or when too many questions were asked.
  virtual std::optional<double> storedUs(const TableProgram &, OpId) { return std::nullopt; }

  /// Ways to store the tables of an operation that may make its kernel faster, the most promising
  /// first. Empty when the operation is unlikely to get a specialised kernel, or when there is no
  /// GPU.
  virtual std::vector<LayoutCandidate> layoutCandidates(const TableProgram &, OpId) { return {}; }

  /// True when there is a GPU, for which tables may be packed or stored in another order.
  virtual bool storesForGpu() { return false; }

  /// Bytes of tables that a GPU keeps in its cache.
  virtual uint64_t cacheBytes() const { return UINT64_MAX; }

  /// The time that a kernel must save in one run of the program to be worth compiling.
  virtual double leastGainUs() const = 0;
};

} // namespace mpf
