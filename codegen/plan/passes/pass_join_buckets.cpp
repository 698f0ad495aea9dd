#include "codegen/plan/passes/pass_join_buckets.h"

#include "codegen/plan/program/program_edit.h"
#include "codegen/plan/program/slice_levels.h"
#include "dsl/support/check.h"

namespace mpf {

void passJoinBuckets(TableProgram &program) {
  if (traitsOf(program.kind).decoding)
    return;
  const GlobalOrder order(program);
  const SliceLevels levels(program);
  std::vector<char> isOutput(program.tables.size(), 0);
  for (const ProgramOutput &output : program.outputs)
    isOutput[output.table.index()] = 1;
  std::vector<uint32_t> readers(program.tables.size(), 0);
  for (const Operation &operation : program.operations)
    for (const TableId id : operation.operands)
      ++readers[id.index()];
  std::vector<char> gone(program.operations.size(), 0);
  for (size_t i = 0; i < program.operations.size(); ++i) {
    Operation &later = program.operations[i];
    if (later.operands.size() != 1 || later.reduced.empty() || levels.accumulates(later))
      continue;
    const TableId message = later.operands[0];
    const OpId producer = program.table(message).producer;
    if (!producer.valid() || isOutput[message.index()] ||
        levels.accumulates(program.operation(producer)))
      continue;
    MPF_CHECK(producer.index() < i && !gone[producer.index()],
              "operation {} reads the result of operation {}, which is not there", i, producer);
    // Upward tables are used once, so nothing else waits for the message.
    MPF_CHECK(readers[message.index()] == 1, "{} operations read table {}",
              readers[message.index()], message);
    Operation &earlier = program.operations[producer.index()];
    earlier.reduced.insert(earlier.reduced.end(), later.reduced.begin(), later.reduced.end());
    order.sort(earlier.reduced);
    earlier.result = later.result;
    program.tables[later.result.index()].producer = producer;
    earlier.cost = operationCost(program, earlier);
    gone[i] = 1;
  }
  std::vector<OpId> keep;
  for (size_t i = 0; i < gone.size(); ++i)
    if (!gone[i])
      keep.push_back(OpId{i});
  compactProgram(program, keep);
}

} // namespace mpf
