// Plans of one query without a memory bound and within one, for tests.
#pragma once

#include "codegen/plan/build_program.h"
#include "codegen/plan/program/program_memory.h"

#include <cstdint>

namespace mpf::test {

inline uint64_t peakOf(const TableProgram &program) {
  return planMemory(program, ElementType::F64).peakBytes;
}

/// The first query without a bound, and within the inputs and a share of the other tables.
struct BoundedPlans {
  TableProgram whole, program;
  uint64_t boundBytes = 0;
};

inline BoundedPlans plannedWithin(const Model &model, uint64_t share, bool finalTables = false) {
  Diagnostics diagnostics;
  PlanOptions options;
  options.finalTables = finalTables;
  BoundedPlans plans;
  plans.whole = buildProgram(model, model.queries[0], options, diagnostics);
  const MemoryPlan memory = planMemory(plans.whole, ElementType::F64);
  options.maxMemoryBytes = plans.boundBytes =
      memory.inputArenaBytes + memory.workArenaBytes / share;
  plans.program = buildProgram(model, model.queries[0], options, diagnostics);
  return plans;
}

} // namespace mpf::test
