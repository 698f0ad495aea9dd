#include "codegen/plan/passes/pass_join_buckets.h"

#include "codegen/plan/program/program_edit.h"
#include "codegen/plan/program/slice_levels.h"
#include "dsl/support/check.h"
#include "dsl/support/counts.h"
#include "dsl/support/joint_states.h"

#include <algorithm>

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

/// The most addresses of a bucket that takes in another one. An operation costs about as much as
/// this many addresses, in a run and in planning.
constexpr uint64_t kFewAddresses = 64;

/// Returns, by table, the steps of the traceback that read only this table.
std::vector<std::vector<uint32_t>> stepsOfMessages(const TableProgram &program) {
  std::vector<std::vector<uint32_t>> steps(program.tables.size());
  for (uint32_t i = 0; i < program.traceback.size(); ++i)
    if (const std::vector<TableId> &tables = program.traceback[i].tables; tables.size() == 1)
      steps[tables.front().index()].push_back(i);
  return steps;
}

class JoinedBuckets {
public:
  explicit JoinedBuckets(TableProgram &program)
      : program_(program), order_(program), levels_(program), stepsOf_(stepsOfMessages(program)),
        isOutput_(program.tables.size(), 0), readers_(program.tables.size(), 0),
        gone_(program.operations.size(), 0) {
    for (const ProgramOutput &output : program.outputs)
      isOutput_[output.table.index()] = 1;
    for (const Operation &operation : program.operations)
      for (const TableId id : operation.operands)
        ++readers_[id.index()];
  }

  void run() {
    const QueryTraits &traits = traitsOf(program_.kind);
    for (size_t i = 0; i < program_.operations.size(); ++i) {
      const Operation &later = program_.operations[i];
      if (later.reduced.empty() || levels_.accumulates(later))
        continue;
      if (later.operands.size() == 1 && mayJoin(later.operands[0], i))
        joinToProducer(i);
      else if (traits.goesDownward && isUnasked(later))
        takeInOne(i);
    }
    std::vector<OpId> keep;
    for (size_t i = 0; i < gone_.size(); ++i)
      if (!gone_[i])
        keep.push_back(OpId{i});
    compactProgram(program_, keep);
  }

private:
  /// Whether the table is a message that operation `reader` may compute itself.
  bool mayJoin(TableId message, size_t reader) const {
    const OpId producer = program_.table(message).producer;
    if (!producer.valid() || isOutput_[message.index()] ||
        levels_.accumulates(program_.operation(producer)))
      return false;
    MPF_CHECK(producer.index() < reader && !gone_[producer.index()],
              "operation {} reads the result of operation {}, which is not there", reader,
              producer);
    // Upward tables are used once, so nothing else waits for the message.
    MPF_CHECK(readers_[message.index()] == 1, "{} operations read table {}",
              readers_[message.index()], message);
    const bool isDecoded = traitsOf(program_.kind).decoding.has_value();
    return !isDecoded ||
           mayTraceJointly(program_, program_.operation(producer), program_.operations[reader]);
  }

  /// Lets the producer of the only operand reduce the variables of the operation too.
  void joinToProducer(size_t number) {
    const Operation &later = program_.operations[number];
    const TableId message = later.operands[0];
    const OpId producer = program_.table(message).producer;
    Operation &earlier = program_.operations[producer.index()];
    for (const uint32_t step : stepsOf_[message.index()]) // the steps read the tables that the
                                                          // message was the best of
      program_.traceback[step].tables = earlier.operands;
    reduceToo(earlier, later.reduced);
    earlier.result = later.result;
    program_.tables[later.result.index()].producer = producer;
    earlier.cost = operationCost(program_, earlier);
    gone_[number] = 1;
  }

  void reduceToo(Operation &operation, const std::vector<VarId> &reduced) const {
    operation.reduced.insert(operation.reduced.end(), reduced.begin(), reduced.end());
    order_.sort(operation.reduced);
  }

  /// Whether no variable that the operation reduces has a posterior.
  bool isUnasked(const Operation &operation) const {
    return std::ranges::all_of(operation.reduced,
                               [this](VarId id) { return program_.variables[id.index()].unasked; });
  }

  /// Lets the operation compute one of its operands itself, if the addresses stay few and are those
  /// of that message's bucket.
  void takeInOne(size_t number) {
    Operation &later = program_.operations[number];
    for (size_t at = 0; at < later.operands.size(); ++at) {
      if (!mayJoin(later.operands[at], number))
        continue;
      const OpId producer = program_.table(later.operands[at]).producer;
      const Operation &earlier = program_.operation(producer);
      const size_t operands = later.operands.size() - 1 + earlier.operands.size();
      if (earlier.cost.addressCount > kFewAddresses || operands >= kMaxOperands ||
          !covers(later.operands[at], later))
        continue;
      later.operands.erase(later.operands.begin() + static_cast<std::ptrdiff_t>(at));
      later.operands.insert(later.operands.begin() + static_cast<std::ptrdiff_t>(at),
                            earlier.operands.begin(), earlier.operands.end());
      reduceToo(later, earlier.reduced);
      later.cost = operationCost(program_, later);
      gone_[producer.index()] = 1;
      return;
    }
  }

  /// Whether a message has all variables of the bucket that reads it.
  bool covers(TableId message, const Operation &reader) const {
    const std::vector<VarId> &has = program_.table(message).scope;
    return std::ranges::all_of(reader.operands, [&](TableId id) {
      return std::ranges::all_of(program_.table(id).scope, [&has](VarId variable) {
        return std::ranges::find(has, variable) != has.end();
      });
    });
  }

  TableProgram &program_;
  const GlobalOrder order_;
  const SliceLevels levels_;
  const std::vector<std::vector<uint32_t>> stepsOf_; ///< by table (stepsOfMessages)
  std::vector<char> isOutput_;                       ///< by table
  std::vector<uint32_t> readers_;                    ///< by table: operations that read it
  std::vector<char> gone_;                           ///< by operation
};

} // namespace

void passJoinBuckets(TableProgram &program) { JoinedBuckets(program).run(); }

} // namespace mpf
