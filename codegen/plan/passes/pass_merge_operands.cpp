#include "codegen/plan/passes/pass_merge_operands.h"

#include "codegen/plan/order/bucket_cost.h"
#include "codegen/plan/passes/pass_bound_operands.h"
#include "codegen/plan/program/program_edit.h"
#include "dsl/support/check.h"

namespace mpf {

namespace {
/// A product may have at most 1 / kMergeShare of the bucket's addresses. It is written once and
/// read once, and saves a multiplication and a load at each address.
constexpr uint64_t kMergeShare = 16;
} // namespace

void passMergeOperands(TableProgram &program, size_t limit) {
  MPF_CHECK(limit >= 2 && limit <= kMaxOperands, "products of {} operands", limit);
  const GlobalOrder order(program);
  const size_t count = program.operations.size();
  std::vector<OpId> execution;
  for (size_t i = 0; i < count; ++i) {
    const Operation &operation = program.operations[i];
    const uint64_t addresses = operation.cost.addressCount;
    if (operation.operands.size() > 2 && addresses >= kMergeAddresses)
      groupOperandsOf(program, order, OpId{i}, {limit, addresses / kMergeShare}, execution);
    execution.push_back(OpId{i});
  }
  compactProgram(program, execution);
}

} // namespace mpf
