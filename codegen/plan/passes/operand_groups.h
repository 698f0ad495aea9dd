// Which operands to multiply with each other first, decided on scopes only: for
// pass_merge_operands (because it saves work) and pass_bound_operands (because there are too many).
#pragma once

#include "codegen/plan/program/global_order.h"
#include "codegen/plan/program/table_program.h"

#include <cstdint>
#include <vector>

namespace mpf {

/// A node of a product tree. Items 0..operands-1 are the operands; groups follow, each after its
/// members.
struct OperandGroup {
  std::vector<uint32_t> members; ///< items
};

struct OperandTree {
  std::vector<OperandGroup> groups;
  std::vector<uint32_t> top; ///< items that remain for the operation itself, at most `limit`
};

struct GroupingLimits {
  size_t maxOperands = kMaxOperands; ///< of the operation and of each group
  uint64_t freeElems = 0; ///< products up to this size are formed even when there are few operands
};

/// Work is quadratic in the distinct scopes only; equal scopes are grouped in linear time.
OperandTree groupOperands(const TableProgram &program, const GlobalOrder &order,
                          const std::vector<TableId> &operands, const GroupingLimits &limits);

} // namespace mpf
