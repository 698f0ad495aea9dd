#include "codegen/plan/program_memory.h"

#include "codegen/plan/arena.h"
#include "dsl/support/counts.h"

#include <algorithm>
#include <cmath>

namespace mpf {

namespace {

double tableBytes(const TableProgram &program, const ProgramTable &table, ElementType type) {
  double bytes = elementBytes(type);
  for (const VarId id : table.scope)
    bytes *= program.variables[id.index()].extent;
  return bytes;
}

/// Results whose last reader is operation i, by i: what may be freed after it.
std::vector<std::vector<TableId>> freedAfter(const TableProgram &program) {
  const std::vector<size_t> last = lastUses(program);
  std::vector<std::vector<TableId>> freed(program.operations.size());
  for (size_t i = 0; i < last.size(); ++i)
    if (!program.tables[i].isInput() && last[i] < freed.size())
      freed[last[i]].push_back(TableId{i});
  return freed;
}

} // namespace

std::vector<size_t> lastUses(const TableProgram &program) {
  const size_t end = program.operations.size();
  std::vector<size_t> last(program.tables.size(), end);
  for (size_t i = 0; i < end; ++i) {
    last[program.operations[i].result.index()] = i;
    for (const TableId id : program.operations[i].operands)
      last[id.index()] = i;
  }
  for (size_t i = 0; i < last.size(); ++i)
    if (program.tables[i].isInput())
      last[i] = end;
  for (const ProgramOutput &output : program.outputs)
    last[output.table.index()] = end;
  for (const TracebackStep &step : program.traceback)
    for (const TableId id : step.tables)
      last[id.index()] = end;
  return last;
}

MemoryPlan planMemory(const TableProgram &program, ElementType type, bool signedValues) {
  MemoryPlan plan;
  // Below 2^61 in all, no sum here overflows, sign bytes included.
  if (log2PeakBytes(program, type) > 61) {
    plan.inputArenaBytes = plan.workArenaBytes = plan.peakBytes = UINT64_MAX;
    return plan;
  }
  const auto alignedBytes = [&](TableId id) {
    const uint64_t bytes =
        program.table(id).sizeElems * (elementBytes(type) + (signedValues ? 1 : 0));
    return (bytes + kTableAlignBytes - 1) / kTableAlignBytes * kTableAlignBytes;
  };
  plan.offsetBytes.assign(program.tables.size(), 0);
  for (size_t i = 0; i < program.tables.size(); ++i)
    if (program.tables[i].isInput()) {
      plan.offsetBytes[i] = plan.inputArenaBytes;
      plan.inputArenaBytes += alignedBytes(TableId{i});
    }
  const auto freed = freedAfter(program);
  Arena arena;
  for (size_t i = 0; i < program.operations.size(); ++i) {
    const TableId result = program.operations[i].result;
    plan.offsetBytes[result.index()] = arena.allocate(alignedBytes(result));
    for (const TableId id : freed[i])
      arena.release(plan.offsetBytes[id.index()], alignedBytes(id));
  }
  plan.workArenaBytes = arena.highWaterBytes();
  plan.peakBytes = saturatingAdd(plan.inputArenaBytes, plan.workArenaBytes);
  return plan;
}

double log2PeakBytes(const TableProgram &program, ElementType type) {
  double live = 0, peak = 0;
  for (const ProgramTable &table : program.tables)
    if (table.isInput())
      live += tableBytes(program, table, type);
  const auto freed = freedAfter(program);
  peak = live;
  for (size_t i = 0; i < program.operations.size(); ++i) {
    live += tableBytes(program, program.table(program.operations[i].result), type);
    peak = std::max(peak, live);
    for (const TableId id : freed[i])
      live -= tableBytes(program, program.table(id), type);
  }
  return std::log2(std::max(peak, 1.0));
}

} // namespace mpf
