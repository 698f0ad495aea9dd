#include "codegen/plan/slice_levels.h"

#include "dsl/support/counts.h"

#include <algorithm>

namespace mpf {

SliceLevels::SliceLevels(const TableProgram &program)
    : program_(program), levels_(program.variables.size(), 0), runs_{1} {
  for (const VarId id : program.order) {
    const ProgramVariable &variable = program.variables[id.index()];
    if (!variable.sliced)
      break; // the sliced ones come first
    levels_[id.index()] = ++count_;
    runs_.push_back(runs_.back() * variable.extent);
  }
}

uint32_t SliceLevels::ofScope(std::span<const VarId> scope) const {
  // Scopes follow the global order: their sliced variables come first.
  uint32_t level = 0;
  for (size_t i = 0; i < scope.size() && levels_[scope[i].index()] != 0; ++i)
    level = levels_[scope[i].index()];
  return level;
}

uint32_t SliceLevels::ofOperation(const Operation &operation) const {
  uint32_t level = 0;
  for (const TableId id : operation.operands)
    level = std::max(level, ofScope(program_.table(id).scope));
  return level;
}

std::vector<LoopRange> loopRanges(const TableProgram &program, const SliceLevels &levels) {
  std::vector<LoopRange> ranges(levels.count());
  for (size_t i = 0; levels.count() > 0 && i < program.operations.size(); ++i)
    for (uint32_t level = levels.ofOperation(program.operations[i]); level > 0; --level) {
      LoopRange &range = ranges[level - 1];
      if (range.end == 0)
        range.begin = i;
      range.end = i + 1;
    }
  return ranges;
}

void markSliced(TableProgram &program, size_t count) {
  for (ProgramVariable &variable : program.variables)
    variable.sliced = false;
  for (size_t i = 0; i < count; ++i)
    program.variables[program.order[i].index()].sliced = true;
}

uint64_t sliceElems(const TableProgram &program, std::span<const VarId> scope) {
  uint64_t elems = 1;
  for (const VarId id : scope)
    if (!program.variables[id.index()].sliced)
      elems = saturatingMul(elems, program.variables[id.index()].extent);
  return elems;
}

double totalAddresses(const TableProgram &program) {
  const SliceLevels levels(program);
  double total = 0;
  for (const Operation &operation : program.operations)
    if (program.runs(operation))
      total += levels.runs(levels.ofOperation(operation)) *
               static_cast<double>(operation.cost.addressCount);
  return total;
}

} // namespace mpf
