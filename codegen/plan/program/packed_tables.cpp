#include "codegen/plan/program/packed_tables.h"

#include "codegen/plan/program/slice_levels.h"
#include "dsl/support/packed_table.h"

namespace mpf {

std::vector<std::string> packingFaults(const TableProgram &program) {
  std::vector<std::string> faults(program.tables.size());
  const auto refuse = [&](TableId id, std::string_view why) {
    if (!why.empty())
      faults[program.stored(id).index()] = why;
  };
  const SliceLevels levels(program);
  for (size_t i = 0; i < program.tables.size(); ++i) {
    const ProgramTable &table = program.tables[i];
    if (table.sameAs.valid())
      faults[i] = "is the same as another one";
    if (!table.factor.valid())
      refuse(TableId{i}, "is no factor");
    else if (levels.ofScope(table.scope) > 0)
      refuse(TableId{i}, packingFaultOfSlices(sliceElems(program, table.scope)));
  }
  for (const Operation &operation : program.operations)
    for (const TableId id : operation.operands)
      refuse(id, packingFaultOf(operation.semiring));
  for (const ProgramChain &chain : program.chains)
    for (const OpId step : chain.operations())
      for (const TableId id : program.operation(step).operands)
        refuse(id, packing_fault::kInChain);
  for (const ProgramOutput &output : program.outputs)
    refuse(output.table, packing_fault::kResult);
  for (const TracebackStep &step : program.traceback)
    for (const TableId id : step.tables)
      refuse(id, packing_fault::kInTraceback);
  return faults;
}

} // namespace mpf
