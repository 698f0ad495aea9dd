#include "codegen/plan/program/split_k.h"

#include "codegen/plan/program/slice_levels.h"
#include "dsl/support/check.h"
#include "dsl/support/counts.h"

#include <algorithm>
#include <fmt/core.h>

namespace mpf {

bool splitsDivide(std::span<const uint64_t> extents, uint64_t splits) {
  for (const uint64_t extent : extents) {
    if (splits <= 1)
      break;
    MPF_CHECK(extent > 0, "{} splits of a sum over a variable without states", splits);
    if (splits % extent != 0)
      return extent % splits == 0;
    splits /= extent;
  }
  return splits == 1;
}

std::vector<uint64_t> splitChoices(std::span<const uint64_t> extents, uint64_t most) {
  uint64_t terms = 1;
  MPF_CHECK(std::find(extents.begin(), extents.end(), uint64_t{0}) == extents.end(),
            "a sum over a variable without states");
  for (const uint64_t extent : extents)
    terms = saturatingMul(terms, extent);
  most = std::min(most, terms / 2);
  std::vector<uint64_t> choices;
  uint64_t before = 1; // the product of the extents of the digits so far
  for (const uint64_t extent : extents) {
    for (uint64_t factor = 2; factor <= extent && factor <= most / before; ++factor)
      if (extent % factor == 0)
        choices.push_back(before * factor);
    if (extent > most / before)
      break;
    before *= extent;
  }
  return choices;
}

uint32_t splitsRead(const TableProgram &program, const Operation &operation) {
  uint32_t splits = 1;
  for (const TableId id : operation.operands)
    splits = std::max(splits, program.table(id).splits);
  return splits;
}

uint64_t storedElems(const TableProgram &program, const ProgramTable &table) {
  return saturatingMul(sliceElems(program, table.scope), table.splits);
}

namespace {

std::string operationFault(const TableProgram &program, const Operation &operation) {
  const ProgramTable &result = program.table(operation.result);
  const uint32_t read = splitsRead(program, operation);
  if (result.splits > 1) {
    std::vector<uint64_t> extents;
    for (const VarId id : operation.reduced)
      extents.push_back(sliceElems(program, {&id, 1}));
    if (read > 1 || result.splits > kMaxSplits || !splitsDivide(extents, result.splits))
      return fmt::format("its sum cannot be cut into {} splits", result.splits);
  }
  if (read == 1)
    return {};
  if (operation.operands.size() != 1 || !operation.reduced.empty())
    return fmt::format("it reads {} splits of a sum and does more than to add them up", read);
  const OpId producer = program.table(operation.operands[0]).producer;
  if (program.operation(producer).semiring != operation.semiring)
    return "it adds splits up in another semiring than theirs";
  return {};
}

} // namespace

std::string findSplitFault(const TableProgram &program) {
  for (const ProgramTable &table : program.tables) {
    const bool stored = table.sameAs.valid() && program.table(table.sameAs).splits > 1;
    if (table.splits == 0 || (table.splits > 1 && table.isInput()))
      return fmt::format("table {} is in {} splits", table.name, table.splits);
    if (stored || (table.splits > 1 && table.sameAs.valid()))
      return fmt::format("table {} is the same as one in splits", table.name);
  }
  for (size_t i = 0; i < program.operations.size(); ++i)
    if (std::string fault = operationFault(program, program.operations[i]); !fault.empty())
      return fmt::format("operation {}: {}", i, fault);
  for (const ProgramOutput &output : program.outputs)
    if (program.table(output.table).splits > 1)
      return fmt::format("output {}: its table is in splits", output.name);
  for (const TracebackStep &step : program.traceback)
    for (const TableId id : step.tables)
      if (program.table(id).splits > 1)
        return fmt::format("traceback reads {}, which is in splits", program.table(id).name);
  return {};
}

} // namespace mpf
