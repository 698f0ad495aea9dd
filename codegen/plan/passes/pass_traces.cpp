#include "codegen/plan/passes/pass_traces.h"

#include <algorithm>

namespace mpf {

namespace {

template <class Shows> bool anyTable(const TableProgram &program, Shows shows) {
  return std::any_of(program.tables.begin(), program.tables.end(), shows);
}

} // namespace

bool hasBuckets(const TableProgram &program) {
  return program.operations.size() > 1 || !program.traceback.empty();
}

bool hasMarginals(const TableProgram &program) {
  return traitsOf(program.kind).goesDownward && program.outputs.size() > 1;
}

bool hasSharedResults(const TableProgram &program) {
  return anyTable(
      program, [](const ProgramTable &table) { return table.sameAs.valid() && !table.isInput(); });
}

bool hasKeptTables(const TableProgram &program) {
  return anyTable(program, [](const ProgramTable &table) { return table.kept; });
}

bool hasSplits(const TableProgram &program) {
  return anyTable(program, [](const ProgramTable &table) { return table.splits > 1; });
}

bool hasChains(const TableProgram &program) { return !program.chains.empty(); }

bool hasPackedTables(const TableProgram &program) {
  return anyTable(program, [](const ProgramTable &table) { return table.packed; });
}

bool hasLayouts(const TableProgram &program) {
  return anyTable(program, [](const ProgramTable &table) { return !table.layout.empty(); });
}

} // namespace mpf
