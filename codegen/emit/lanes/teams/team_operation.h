// Operations of a lane program that a warp does in one go, without storing what is between them.
//
// A *pass* is one of them. The first one runs over the addresses of its operation; each later one
// takes the result of the pass before it, entry by entry, from registers, multiplies it by operands
// of its own and may reduce over more digits. So of a message that one operation reads nothing is
// stored: P(x) * m(x, y) is summed over x where m was made.
#pragma once

#include "codegen/bundle/lanes/lane_program.h"

#include <cstdint>
#include <vector>

namespace mpf {

struct TeamPass {
  size_t firstOperand = 0, operandCount = 0; ///< in TeamOperation::slots.operands
  size_t result = 0; ///< slot of its result; that of the last pass is slots.result
  Semiring semiring;
};

struct TeamOperation {
  /// The digits of the first pass, and the accesses of all passes: operands of a pass, then, but
  /// for the last pass, its result. Digits are reduced where the first pass reduces them.
  LaneOperation slots;
  std::vector<TeamPass> passes;

  explicit TeamOperation(const LaneOperation &operation);
  TeamOperation() = default;

  uint32_t resultTable() const { return slots.result.table; }
  /// The tables that are read, in the order of their slots.
  std::vector<uint32_t> operandTables() const;
  /// Which pass reduces digit d: 0 the first one; passes.size(): none, the result has it.
  size_t reducedBy(size_t digit) const;
};

/// Appends a pass for `reader`, whose operand `place` reads the result of `operation`. False, and
/// nothing done, when it reads it by other digits, or has digits that the result lacks.
bool appendPass(TeamOperation &operation, const LaneOperation &reader, size_t place);

} // namespace mpf
