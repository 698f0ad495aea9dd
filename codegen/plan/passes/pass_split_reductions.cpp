#include "codegen/plan/passes/pass_split_reductions.h"

#include "codegen/plan/program/program_edit.h"
#include "codegen/plan/program/slice_levels.h"
#include "dsl/support/check.h"
#include "dsl/support/counts.h"

#include <algorithm>

namespace mpf {

namespace {
constexpr uint64_t kLeastPartials = uint64_t{1} << 16; ///< entries of the table in between
constexpr uint64_t kMostPartials = uint64_t{1} << 20;
constexpr uint64_t kAddressesPerPartial = 256; ///< the table in between costs nothing beside them
constexpr uint64_t kLeastTerms =
    16; ///< terms per partial: the table in between is small beside the input

/// The number of `operation.reduced`, most significant first, that the first operation leaves to
/// the second one; 0: do not split.
size_t keptByFirstHalf(const TableProgram &program, const Operation &operation) {
  const uint64_t outputs = program.table(operation.result).sizeElems;
  const uint64_t wanted =
      std::clamp(operation.cost.addressCount / kAddressesPerPartial, kLeastPartials, kMostPartials);
  if (operation.cost.addressCount < kSplitAddresses || outputs >= wanted / 4)
    return 0;
  const auto extent = [&](size_t i) -> uint64_t {
    return program.variables[operation.reduced[i].index()].extent;
  };
  uint64_t terms = 1; // per partial result
  for (size_t i = 0; i < operation.reduced.size(); ++i)
    terms = saturatingMul(terms, extent(i));
  size_t kept = 0;
  for (uint64_t partials = outputs; partials < wanted && kept < operation.reduced.size(); ++kept) {
    if (terms / extent(kept) < kLeastTerms)
      break;
    terms /= extent(kept);
    partials = saturatingMul(partials, extent(kept));
  }
  return kept;
}
} // namespace

void passSplitReductions(TableProgram &program) {
  const GlobalOrder order(program);
  const SliceLevels levels(program);
  const size_t count = program.operations.size();
  std::vector<OpId> execution;
  for (size_t i = 0; i < count; ++i) {
    const size_t kept = levels.accumulates(program.operations[i])
                            ? 0
                            : keptByFirstHalf(program, program.operations[i]);
    if (kept > 0) {
      Operation operation = program.operations[i]; // a copy: appending moves the operations
      const auto middle = operation.reduced.begin() + static_cast<ptrdiff_t>(kept);
      const OpId first = appendOperation(program, order, operation.semiring, operation.operands,
                                         {middle, operation.reduced.end()});
      MPF_CHECK(program.operation(first).cost.addressCount == operation.cost.addressCount,
                "the first half of a sum has {} of its {} addresses",
                program.operation(first).cost.addressCount, operation.cost.addressCount);
      execution.push_back(first);
      operation.operands = {program.operation(first).result};
      operation.reduced.erase(middle, operation.reduced.end());
      operation.cost = operationCost(program, operation);
      program.operations[i] = std::move(operation);
    }
    execution.push_back(OpId{i});
  }
  if (program.operations.size() > count)
    compactProgram(program, execution);
}

} // namespace mpf
