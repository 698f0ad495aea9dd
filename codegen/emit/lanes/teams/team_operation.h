// Operations of a lane program that a warp does in one go, without storing the messages between
// them.
//
// A *pass* is one of these operations. The first pass runs over the addresses of its operation.
// Each later pass takes the result of the pass before from registers, entry by entry. It multiplies
// these entries by its other operands, and may reduce over more digits. So a message with one
// reader is not stored: P(x) * m(x, y) is summed over x where m was computed.
#pragma once

#include "codegen/bundle/lanes/lane_program.h"

#include <cstdint>
#include <vector>

namespace mpf {

struct TeamPass {
  size_t firstOperand = 0, operandCount = 0; ///< in TeamOperation::slots.operands
  size_t result = 0; ///< slot of its result; the result of the last pass is slots.result
  Semiring semiring;
};

struct TeamOperation {
  /// The digits of the first pass, and the accesses of all passes: the operands of a pass, then its
  /// result unless it is the last pass. A digit counts as reduced if the first pass reduces it.
  LaneOperation slots;
  std::vector<TeamPass> passes;

  explicit TeamOperation(const LaneOperation &operation);
  TeamOperation() = default;

  uint32_t resultTable() const { return slots.result.table; }
  /// The tables that are read, in the order of their slots.
  std::vector<uint32_t> operandTables() const;
  /// Returns the number of the pass that reduces `digit`; passes.size() if the result has the
  /// digit.
  size_t reducedBy(size_t digit) const;
};

/// Appends a pass for `reader`, whose operand `place` reads the result of `operation`. Does nothing
/// and returns false if the reader's digits differ: it reads the result by other digits, or has
/// digits that the result lacks.
bool appendPass(TeamOperation &operation, const LaneOperation &reader, size_t place);

} // namespace mpf
