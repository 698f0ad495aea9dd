#include "codegen/plan/passes/pass_join_buckets.h"

#include "codegen/plan/program/program_edit.h"
#include "codegen/plan/program/slice_levels.h"
#include "dsl/support/check.h"
#include "dsl/support/counts.h"
#include "dsl/support/joint_states.h"

namespace mpf {

namespace {

/// Up to kFewJointStates joint states decode in negligible time, for any bucket. With more, a
/// lookup of an entry of each operand counts as kEntriesOfLookup entries of the message that is
/// saved. The true ratio is 2 on one thread of a CPU. It is thousands on a GPU, which has one block
/// for a lookup and needs the memory less.
constexpr uint64_t kFewJointStates = 16, kEntriesOfLookup = 16;

/// Whether a traceback may choose the variables of both operations together.
bool mayTraceJointly(const TableProgram &program, const Operation &earlier,
                     const Operation &later) {
  const uint64_t joint =
      saturatingMul(programElems(program, earlier.reduced), programElems(program, later.reduced));
  const uint64_t lookups = saturatingMul(joint, earlier.operands.size());
  return joint <= kFewJointStates ||
         (joint <= kMostJointStates &&
          saturatingMul(lookups, kEntriesOfLookup) <= program.table(earlier.result).sizeElems);
}

/// Returns, by table, the steps of the traceback that read only this table.
std::vector<std::vector<uint32_t>> stepsOfMessages(const TableProgram &program) {
  std::vector<std::vector<uint32_t>> steps(program.tables.size());
  for (uint32_t i = 0; i < program.traceback.size(); ++i)
    if (const std::vector<TableId> &tables = program.traceback[i].tables; tables.size() == 1)
      steps[tables.front().index()].push_back(i);
  return steps;
}

} // namespace

void passJoinBuckets(TableProgram &program) {
  const bool isDecoded = traitsOf(program.kind).decoding.has_value();
  const GlobalOrder order(program);
  const SliceLevels levels(program);
  std::vector<char> isOutput(program.tables.size(), 0);
  for (const ProgramOutput &output : program.outputs)
    isOutput[output.table.index()] = 1;
  std::vector<uint32_t> readers(program.tables.size(), 0);
  for (const Operation &operation : program.operations)
    for (const TableId id : operation.operands)
      ++readers[id.index()];
  const std::vector<std::vector<uint32_t>> stepsOf = stepsOfMessages(program);
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
    if (isDecoded && !mayTraceJointly(program, earlier, later))
      continue;
    for (const uint32_t step : stepsOf[message.index()]) // the steps read the tables that the
                                                         // message was the best of
      program.traceback[step].tables = earlier.operands;
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
