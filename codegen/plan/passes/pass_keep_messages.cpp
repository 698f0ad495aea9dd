#include "codegen/plan/passes/pass_keep_messages.h"

#include "codegen/plan/program/slice_levels.h"
#include "dsl/support/check.h"

#include <algorithm>

namespace mpf {

namespace {

/// Returns, by table, whether its entries are the same in all runs.
std::vector<char> constantTables(const TableProgram &program, const InputContents &contents) {
  std::vector<char> constant(program.tables.size(), 0);
  for (size_t i = 0; i < constant.size(); ++i)
    constant[i] = program.tables[i].isInput() && !contents.mayChange(program, TableId{i});
  for (const Operation &operation : program.operations)
    constant[operation.result.index()] =
        std::all_of(operation.operands.begin(), operation.operands.end(),
                    [&constant](TableId id) { return constant[id.index()] != 0; });
  return constant;
}

} // namespace

void passKeepMessages(TableProgram &program, const InputContents &contents, KeptMessages which) {
  const std::vector<char> constant = constantTables(program, contents);
  if (which == KeptMessages::None ||
      std::find(constant.begin(), constant.end(), 0) == constant.end())
    return;
  const SliceLevels levels(program);
  // Whether the host or an operation of later runs reads a table, by stored table.
  std::vector<char> read(program.tables.size(), 0);
  const auto markRead = [&](TableId id) { read[program.stored(id).index()] = 1; };
  for (const ProgramOutput &output : program.outputs)
    markRead(output.table);
  for (const TracebackStep &step : program.traceback)
    std::for_each(step.tables.begin(), step.tables.end(), markRead);
  for (size_t i = program.operations.size(); i-- > 0;) {
    const Operation &operation = program.operations[i];
    ProgramTable &result = program.tables[operation.result.index()];
    if (!program.runs(operation))
      continue;
    MPF_CHECK(result.producer == OpId{i}, "table {} is written by operation {}, not {}",
              operation.result, i, result.producer);
    const bool canBeKept = levels.ofScope(result.scope) == 0;
    result.kept = canBeKept && (which == KeptMessages::All || (constant[operation.result.index()] &&
                                                               read[operation.result.index()]));
    const bool runsAgain =
        read[operation.result.index()] && !(canBeKept && constant[operation.result.index()]);
    if (runsAgain)
      std::for_each(operation.operands.begin(), operation.operands.end(), markRead);
  }
}

} // namespace mpf
