#include "codegen/plan/passes/pass_split_k.h"

#include "codegen/plan/program/program_edit.h"
#include "codegen/plan/program/slice_levels.h"
#include "codegen/plan/program/split_k.h"
#include "dsl/support/check.h"

namespace mpf {

namespace {

/// Extents of the reduced variables in one slice, most significant first.
std::vector<uint64_t> reducedExtents(const TableProgram &program, const Operation &operation) {
  std::vector<uint64_t> extents;
  for (const VarId id : operation.reduced)
    extents.push_back(sliceElems(program, {&id, 1}));
  return extents;
}

} // namespace

void passSplitK(TableProgram &program, DeviceCosts &costs) {
  const GlobalOrder order(program);
  const SliceLevels levels(program);
  const size_t count = program.operations.size();
  std::vector<OpId> execution;
  for (size_t i = 0; i < count; ++i) {
    const OpId id{i};
    const Operation &whole = program.operations[i];
    const bool mayBeCut = program.runs(whole) && !levels.accumulates(whole) &&
                          !whole.reduced.empty() && program.table(whole.result).splits == 1;
    if (const uint32_t splits = mayBeCut ? costs.bestSplits(program, id) : 1; splits > 1) {
      MPF_CHECK(splits <= kMaxSplits, "operation {} in {} splits", id, splits);
      MPF_CHECK(splitsDivide(reducedExtents(program, whole), splits),
                "{} splits do not divide the {} reduced variables of operation {}", splits,
                whole.reduced.size(), id);
      Operation operation = whole; // a copy: appending moves the operations
      const OpId first = appendOperation(program, order, operation.semiring, operation.operands,
                                         operation.reduced, splits);
      execution.push_back(first);
      operation.operands = {program.operation(first).result};
      operation.reduced.clear();
      operation.cost = operationCost(program, operation);
      program.operations[i] = std::move(operation);
    }
    execution.push_back(id);
  }
  if (program.operations.size() > count)
    compactProgram(program, execution);
}

} // namespace mpf
