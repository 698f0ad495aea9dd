#include "codegen/plan/program/slice_levels.h"

#include "dsl/support/check.h"
#include "dsl/support/counts.h"
#include "dsl/support/memory/side_by_side.h"

#include <algorithm>
#include <bit>

namespace mpf {

LoopTree loopTreeOf(uint32_t count, std::span<const uint64_t> sets) {
  MPF_CHECK(count <= kMaxLoops, "{} loops, at most {} are possible", count, kMaxLoops);
  // Sets of loops, by loop: the loops of the tables in its bucket, in which it is the last loop.
  std::vector<uint64_t> below(count, 0);
  const auto add = [&below](uint64_t set) {
    if (set != 0)
      below[static_cast<size_t>(std::bit_width(set)) - 1] |= set;
  };
  std::for_each(sets.begin(), sets.end(), add);
  std::vector<uint32_t> parents(count, 0);
  for (uint32_t loop = count; loop > 0; --loop) {
    const uint64_t rest = below[loop - 1] & ~(uint64_t{1} << (loop - 1));
    parents[loop - 1] = static_cast<uint32_t>(std::bit_width(rest));
    add(rest);
  }
  return LoopTree(std::move(parents));
}

SliceLevels::SliceLevels(const TableProgram &program)
    : program_(program), levels_(program.variables.size(), 0) {
  const uint32_t count = numberLoops();
  std::vector<uint64_t> sets;
  for (size_t i = 0; count > 0 && i < program.tables.size(); ++i) {
    uint64_t set = 0;
    for (const VarId id : program.tables[i].scope)
      if (const uint32_t level = levels_[id.index()]; level > 0 && level <= kMaxLoops)
        set |= uint64_t{1} << (level - 1);
    sets.push_back(set);
  }
  tree_ = loopTreeOf(count, sets);
  countRuns();
}

SliceLevels::SliceLevels(const TableProgram &program, LoopTree tree)
    : program_(program), levels_(program.variables.size(), 0), tree_(std::move(tree)) {
  const uint32_t count = numberLoops();
  MPF_CHECK(count == tree_.count(), "{} sliced variables, {} loops", count, tree_.count());
  countRuns();
}

uint32_t SliceLevels::numberLoops() {
  uint32_t count = 0;
  for (const VarId id : program_.order) {
    if (!program_.variables[id.index()].sliced)
      break; // the sliced ones come first
    levels_[id.index()] = ++count;
  }
  return count;
}

void SliceLevels::countRuns() {
  MPF_CHECK(tree_.count() <= program_.order.size(), "{} loops over {} variables", tree_.count(),
            program_.order.size());
  runs_ = tree_.runs([this](uint32_t loop) {
    return program_.variables[program_.order[loop - 1].index()].extent;
  });
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
  if (count() == 0)
    return level; // true for most programs: saves a look at every variable of every operand
  for (const TableId id : operation.operands)
    level = std::max(level, ofScope(program_.table(id).scope));
  return level;
}

double SliceLevels::sliceCount() const {
  std::vector<char> isOuter(count() + 1, 0);
  for (const uint32_t parent : tree_.parents())
    isOuter[parent] = 1;
  double slices = count() == 0 ? 1 : 0;
  for (uint32_t loop = 1; loop <= count(); ++loop)
    slices += isOuter[loop] ? 0 : runs_[loop];
  return slices;
}

std::vector<LoopRange> loopRanges(const TableProgram &program, const SliceLevels &levels) {
  std::vector<LoopRange> ranges(levels.count());
  for (size_t i = 0; levels.count() > 0 && i < program.operations.size(); ++i)
    for (uint32_t loop = levels.ofOperation(program.operations[i]); loop > 0;
         loop = levels.tree().parent(loop)) {
      LoopRange &range = ranges[loop - 1];
      if (range.end == 0)
        range.begin = i;
      range.end = i + 1;
    }
  return ranges;
}

void markSliced(TableProgram &program, size_t count) {
  MPF_CHECK(count <= program.order.size(), "{} sliced variables of {}", count,
            program.order.size());
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

uint64_t slicesAtOnce(const TableProgram &program, uint64_t threads) {
  return mostSideBySide(SliceLevels(program).tree(), threads, [&program](uint32_t loop) {
    return program.variables[program.order[loop - 1].index()].extent;
  });
}

double totalAddresses(const TableProgram &program, double least) {
  const SliceLevels levels(program);
  double total = 0;
  for (const Operation &operation : program.operations)
    if (program.runs(operation))
      total += levels.runs(levels.ofOperation(operation)) *
               std::max(least, static_cast<double>(operation.cost.addressCount));
  return total;
}

} // namespace mpf
