#include "codegen/plan/program/split_k.h"

#include "codegen/plan/program/slice_levels.h"
#include "dsl/support/check.h"
#include "dsl/support/counts.h"

#include <algorithm>
#include <fmt/core.h>

namespace mpf {

bool partsDivide(std::span<const uint64_t> extents, uint64_t parts) {
  for (const uint64_t extent : extents) {
    if (parts <= 1)
      break;
    if (parts % extent != 0)
      return extent % parts == 0;
    parts /= extent;
  }
  return parts == 1;
}

std::vector<uint64_t> partChoices(std::span<const uint64_t> extents, uint64_t most) {
  uint64_t terms = 1;
  MPF_CHECK(std::find(extents.begin(), extents.end(), uint64_t{0}) == extents.end(),
            "a sum over a variable without states");
  for (const uint64_t extent : extents)
    terms = saturatingMul(terms, extent);
  most = std::min(most, terms / 2);
  std::vector<uint64_t> choices;
  uint64_t before = 1; // parts by the digits in front
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

uint32_t partsRead(const TableProgram &program, const Operation &operation) {
  uint32_t parts = 1;
  for (const TableId id : operation.operands)
    parts = std::max(parts, program.table(id).parts);
  return parts;
}

uint64_t storedElems(const TableProgram &program, const ProgramTable &table) {
  return saturatingMul(sliceElems(program, table.scope), table.parts);
}

namespace {

std::string operationFault(const TableProgram &program, const Operation &operation) {
  const ProgramTable &result = program.table(operation.result);
  const uint32_t read = partsRead(program, operation);
  if (result.parts > 1) {
    std::vector<uint64_t> extents;
    for (const VarId id : operation.reduced)
      extents.push_back(sliceElems(program, {&id, 1}));
    if (read > 1 || result.parts > kMostParts || !partsDivide(extents, result.parts))
      return fmt::format("its sum cannot be cut into {} parts", result.parts);
  }
  if (read == 1)
    return {};
  if (operation.operands.size() != 1 || !operation.reduced.empty())
    return fmt::format("it reads {} parts of a sum and does more than to add them up", read);
  const OpId producer = program.table(operation.operands[0]).producer;
  if (program.operation(producer).semiring != operation.semiring)
    return "it adds parts up in another semiring than theirs";
  return {};
}

} // namespace

std::string findPartsFault(const TableProgram &program) {
  for (const ProgramTable &table : program.tables) {
    const bool stored = table.sameAs.valid() && program.table(table.sameAs).parts > 1;
    if (table.parts == 0 || (table.parts > 1 && table.isInput()))
      return fmt::format("table {} is in {} parts", table.name, table.parts);
    if (stored || (table.parts > 1 && table.sameAs.valid()))
      return fmt::format("table {} is the same as one in parts", table.name);
  }
  for (size_t i = 0; i < program.operations.size(); ++i)
    if (std::string fault = operationFault(program, program.operations[i]); !fault.empty())
      return fmt::format("operation {}: {}", i, fault);
  for (const ProgramOutput &output : program.outputs)
    if (program.table(output.table).parts > 1)
      return fmt::format("output {}: its table is in parts", output.name);
  for (const TracebackStep &step : program.traceback)
    for (const TableId id : step.tables)
      if (program.table(id).parts > 1)
        return fmt::format("traceback reads {}, which is in parts", program.table(id).name);
  return {};
}

} // namespace mpf
