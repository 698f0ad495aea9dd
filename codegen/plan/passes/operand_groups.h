// Decides which operands of an operation are multiplied with each other first, by their scopes
// alone. Merging operands (pass_merge_operands.h) saves work; bounding their number
// (pass_bound_operands.h) is needed where an operation has too many.
#pragma once

#include "codegen/plan/program/global_order.h"
#include "codegen/plan/program/table_program.h"

#include <cstdint>
#include <vector>

namespace mpf {

/// One product: a node of a product tree. Items of a tree are numbered: first the operands, then
/// the groups, each after its members.
struct OperandGroup {
  std::vector<uint32_t> members; ///< items
};

/// The products to form, and the operands that the operation then has.
struct OperandTree {
  std::vector<OperandGroup> groups;
  std::vector<uint32_t> top; ///< items that remain as operands, at most maxOperands
};

struct GroupingLimits {
  /// Most operands of the operation, and members of each group; >= 2.
  size_t maxOperands = kMaxOperands;
  uint64_t freeElems = 0; ///< products of at most this many entries (in one slice) are formed even
                          ///< if there are no more than maxOperands operands; 0: none
};

/// Groups `operands`. While products have at most freeElems entries, joins a pair whose product is
/// smallest. Then, until maxOperands items are left, joins the smallest table and the one with
/// which its product is smallest. Throws Error(Internal) when maxOperands is below 2. Takes linear
/// time in the operands of equal scopes. Takes quadratic time in the number of distinct scopes, or
/// cubic time where nearly all of them fit best to the same one.
OperandTree groupOperands(const TableProgram &program, const GlobalOrder &order,
                          const std::vector<TableId> &operands, const GroupingLimits &limits);

} // namespace mpf
