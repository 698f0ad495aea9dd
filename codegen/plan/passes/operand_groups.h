// Decides which operands of an operation are multiplied with each other first, by their scopes
// alone. pass_merge_operands.h does so to save work, pass_bound_operands.h because an operation has
// too many operands.
#pragma once

#include "codegen/plan/program/global_order.h"
#include "codegen/plan/program/table_program.h"

#include <cstdint>
#include <vector>

namespace mpf {

/// One product: a node of a product tree. The items of a tree have numbers: first the operands,
/// then the groups, each after its members.
struct OperandGroup {
  std::vector<uint32_t> members; ///< items
};

/// The products to form, and what is left for the operation.
struct OperandTree {
  std::vector<OperandGroup> groups;
  std::vector<uint32_t> top; ///< items that remain as operands, at most maxOperands
};

struct GroupingLimits {
  size_t maxOperands = kMaxOperands; ///< of the operation and of each group; at least 2
  uint64_t freeElems = 0; ///< products of at most this many entries (in one slice) are formed even
                          ///< if there are no more than maxOperands operands; 0: none
};

/// Groups `operands`. While products have at most freeElems entries, a pair whose product is
/// smallest is joined; then, until maxOperands items are left, the smallest table and the one with
/// which its product is smallest. Throws Error(Internal) when maxOperands is below 2. Takes linear
/// time in the operands of equal scopes; in the number of distinct scopes quadratic time, or cubic
/// where nearly all of them fit best to the same one.
OperandTree groupOperands(const TableProgram &program, const GlobalOrder &order,
                          const std::vector<TableId> &operands, const GroupingLimits &limits);

} // namespace mpf
