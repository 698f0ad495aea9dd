// What the planner asks about GPU kernels when it looks for chains, cuts sums, lays tables out and
// packs them.
// The answers come from the kernels' cost model, which the planner does not depend on
// (codegen/specialise/device_costs.h).
#pragma once

#include "codegen/plan/program/table_program.h"

#include <optional>
#include <span>
#include <utility>
#include <vector>

namespace mpf {

/// Tables of one operation, and the orders of their variables in which they would be stored
/// (storage_order.h), the slowest first.
using LayoutCandidate = std::vector<std::pair<TableId, std::vector<VarId>>>;

/// Predicted device times in microseconds, for one target. The same questions get the same answers.
/// Not thread-safe: answers are remembered.
class DeviceCosts {
public:
  virtual ~DeviceCosts() = default;

  /// Whether chains and cut sums may gain anything: where not, only how tables are stored is asked.
  virtual bool changesOperations() const { return true; }

  /// Of the operation by itself, at best.
  virtual double operationUs(const TableProgram &program, const Operation &operation) = 0;

  /// Of one kernel that moves so many entries of large tables, at best.
  virtual double moveUs(double elems) const = 0;

  /// Of these operations as one kernel, whether they are consecutive yet or not; none where no page
  /// of them fits, and then none of a longer run that starts with them.
  virtual std::optional<double> chainUs(const TableProgram &program, TableId message,
                                        std::span<const OpId> operations) = 0;

  /// Into how many parts the sum of an operation of `program` is best cut (split_k.h); 1: into
  /// none, and so for all operations of a device that is not known.
  virtual uint32_t bestParts(const TableProgram &, OpId) { return 1; }

  /// Of the operation as it will run, with its tables stored as they are; none: nothing is known of
  /// it, or too much was asked.
  virtual std::optional<double> storedUs(const TableProgram &, OpId) { return std::nullopt; }

  /// Ways to store its tables by which the kernel of an operation may gain, the most promising
  /// first; none where it will hardly have a kernel of its own.
  virtual std::vector<LayoutCandidate> layoutCandidates(const TableProgram &, OpId) { return {}; }

  /// Whether tables may be stored otherwise for a GPU's sake: there is one.
  virtual bool storesForGpu() { return false; }

  /// What a kernel must save in one run to be worth compiling.
  virtual double leastGainUs() const = 0;
};

} // namespace mpf
