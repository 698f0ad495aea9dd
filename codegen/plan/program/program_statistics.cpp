#include "codegen/plan/program/program_statistics.h"

#include "codegen/plan/program/slice_levels.h"
#include "codegen/plan/program/split_k.h"
#include "dsl/support/check.h"
#include "dsl/support/counts.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace mpf {

double log2SliceElems(const TableProgram &program, const std::vector<VarId> &scope) {
  double bits = 0;
  for (const VarId id : scope)
    if (!program.variables[id.index()].sliced)
      bits += std::log2(program.variables[id.index()].extent);
  return bits;
}

ProgramStatistics programStatistics(const TableProgram &program, ElementType type) {
  ProgramStatistics statistics;
  constexpr double kNothing = -std::numeric_limits<double>::infinity();
  double largestTable = kNothing, largestAddress = kNothing, addresses = kNothing, ops = kNothing;
  for (const ProgramTable &table : program.tables) {
    largestTable =
        std::max(largestTable, log2SliceElems(program, table.scope) + std::log2(table.splits));
    statistics.sharedInputs += table.isInput() && table.sameAs.valid();
    statistics.keptTables += table.kept;
    statistics.laidOutTables += !table.layout.empty();
    statistics.packedTables += table.packed;
    if (table.packed)
      statistics.packedElems = saturatingAdd(statistics.packedElems, table.sizeElems);
  }
  const SliceLevels levels(program);
  statistics.sliceCount = levels.sliceCount();
  for (const Operation &operation : program.operations) {
    const double runs = std::log2(levels.runs(levels.ofOperation(operation)));
    const std::vector<VarId> &kept = program.table(operation.result).scope;
    const uint32_t added = splitsRead(program, operation);
    const double address = log2SliceElems(program, kept) +
                           log2SliceElems(program, operation.reduced) + std::log2(added);
    const size_t variables = kept.size() + operation.reduced.size();
    statistics.inducedWidth = std::max(statistics.inducedWidth, variables == 0 ? 0 : variables - 1);
    largestAddress = std::max(largestAddress, address);
    if (!program.runs(operation))
      continue;
    ++statistics.runOperations;
    addresses = log2Sum(addresses, runs + address);
    MPF_CHECK(!operation.operands.empty(), "the operation that writes table {} has no operand",
              operation.result);
    const size_t opsPerAddress =
        operation.operands.size() - 1 + (operation.reduced.empty() && added == 1 ? 0 : 1);
    ops = log2Sum(ops, runs + address + std::log2(static_cast<double>(opsPerAddress)));
  }
  statistics.log2LargestTableElems = largestTable;
  statistics.log2LargestAddressCount = largestAddress;
  statistics.log2TotalAddressCount = addresses;
  statistics.log2TotalOps = ops;
  statistics.memory = planMemory(program, type);
  return statistics;
}

} // namespace mpf
