// The grouping decision of pass_bound_operands, on scopes only.
#pragma once

#include "codegen/plan/global_order.h"
#include "codegen/plan/table_program.h"

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

/// Work is quadratic in the distinct scopes only; equal scopes are grouped in linear time.
OperandTree groupOperands(const TableProgram &program, const GlobalOrder &order,
                          const std::vector<TableId> &operands, size_t limit);

} // namespace mpf
