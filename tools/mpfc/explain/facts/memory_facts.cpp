#include "tools/mpfc/explain/facts/memory_facts.h"

#include "codegen/plan/program/program_memory.h"
#include "dsl/support/table_layout.h"

#include <algorithm>
#include <cmath>

namespace mpf {

namespace {

double tableBytes(const TableProgram &program, TableId id, double entryBytes) {
  const ProgramTable &table = program.table(id);
  double elems = 1;
  for (const VarId v : table.scope)
    if (table.isInput() || !program.variables[v.index()].sliced) // results hold one slice
      elems *= program.variables[v.index()].extent;
  return std::ceil(elems * entryBytes / kTableGrainBytes) * kTableGrainBytes;
}

} // namespace

MemoryFacts memoryFacts(const TableProgram &program, ElementType type, bool signedValues) {
  const double entryBytes = elementBytes(type) + (signedValues ? 1 : 0);
  const size_t count = program.operations.size();
  const std::vector<TableLifetime> lifetimes = tableLifetimes(program);
  std::vector<double> takenBytes(count, 0), freedBytes(count, 0);
  double live = 0;
  for (size_t i = 0; i < program.tables.size(); ++i)
    if (program.tables[i].sameAs.valid()) {
      continue; // stored once
    } else if (program.tables[i].isInput()) {
      live += tableBytes(program, TableId{i}, entryBytes);
    } else {
      const double bytes = tableBytes(program, TableId{i}, entryBytes);
      takenBytes[lifetimes[i].first] += bytes;
      if (lifetimes[i].last < count)
        freedBytes[lifetimes[i].last] += bytes;
    }

  MemoryFacts facts;
  facts.operations = count;
  const size_t stretch = (count + kMemorySteps - 1) / kMemorySteps;
  double worst = -1;
  for (size_t i = 0; i < count; ++i) {
    live += takenBytes[i];
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
