#include "codegen/plan/program/packed_tables.h"

#include "codegen/plan/program/slice_levels.h"
#include "dsl/support/table_layout.h"

namespace mpf {

std::vector<std::string> packingFaults(const TableProgram &program) {
  std::vector<std::string> faults(program.tables.size());
  const auto refuse = [&](TableId id, const char *why) {
    faults[program.stored(id).index()] = why;
  };
  const SliceLevels levels(program);
  for (size_t i = 0; i < program.tables.size(); ++i) {
    const ProgramTable &table = program.tables[i];
    if (table.sameAs.valid())
      faults[i] = "is the same as another one";
    if (!table.factor.valid())
      refuse(TableId{i}, "is no factor");
    else if (levels.ofScope(table.scope) > 0 &&
             sliceElems(program, table.scope) % kPackedWordElems != 0)
      refuse(TableId{i}, "has slices that begin inside a word");
  }
  for (const Operation &operation : program.operations)
    for (const TableId id : operation.operands)
      if (!storesZero(operation.semiring))
        refuse(id, "is read by a minimum, whose zero is infinite");
  for (const ProgramChain &chain : program.chains)
    for (const OpId step : chain.operations())
      for (const TableId id : program.operation(step).operands)
        refuse(id, "is read by a chain");
  for (const ProgramOutput &output : program.outputs)
    refuse(output.table, "is a result");
  for (const TracebackStep &step : program.traceback)
    for (const TableId id : step.tables)
      refuse(id, "is read by the traceback");
  return faults;
}

} // namespace mpf
