#include "tools/mpfc/explain/memory_facts.h"

#include "codegen/plan/program_memory.h"

#include <algorithm>
#include <cmath>

namespace mpf {

namespace {

double tableBytes(const TableProgram &program, TableId id, double entryBytes) {
  double elems = 1;
  for (const VarId v : program.table(id).scope)
    elems *= program.variables[v.index()].extent;
  // Tables start at multiples of this, so they take as much.
  return std::ceil(elems * entryBytes / kTableAlignBytes) * kTableAlignBytes;
}

} // namespace

MemoryFacts memoryFacts(const TableProgram &program, ElementType type, bool signedValues) {
  const double entryBytes = elementBytes(type) + (signedValues ? 1 : 0);
  const size_t count = program.operations.size();
  const std::vector<size_t> last = lastUses(program);
  std::vector<double> freedBytes(count, 0);
  double live = 0;
  for (size_t i = 0; i < program.tables.size(); ++i)
    if (program.tables[i].isInput())
      live += tableBytes(program, TableId{i}, entryBytes);
    else if (last[i] < count)
      freedBytes[last[i]] += tableBytes(program, TableId{i}, entryBytes);

  MemoryFacts facts;
  facts.operations = count;
  const size_t stretch = (count + kMemorySteps - 1) / kMemorySteps;
  double worst = -1;
  for (size_t i = 0; i < count; ++i) {
    live += tableBytes(program, program.operations[i].result, entryBytes);
    if (live > worst) {
      worst = live;
      facts.worstOperation = i;
    }
    if (i % stretch == 0)
      facts.steps.push_back({i, live});
    else if (live > facts.steps.back().liveBytes)
      facts.steps.back() = {i, live};
    live -= freedBytes[i];
  }
  const MemoryPlan plan = planMemory(program, type, signedValues);
  facts.inputBytes = plan.inputArenaBytes;
  facts.workBytes = plan.workArenaBytes;
  facts.peakBytes = plan.peakBytes;
  facts.log2PeakBytes = log2PeakBytes(program, type);
  return facts;
}

} // namespace mpf
