#include "tools/mpfc/explain/facts/bucket_facts.h"

#include "codegen/plan/program/slice_levels.h"
#include "codegen/plan/program/split_k.h"

#include <algorithm>
#include <fmt/core.h>

namespace mpf {

namespace {

constexpr uint32_t kNone = BucketFacts::kNone;

/// Returns the entries of one slice, the part that an operation works on.
double product(const TableProgram &program, const std::vector<VarId> &scope) {
  double elems = 1;
  for (const VarId id : scope)
    if (!program.variables[id.index()].sliced)
      elems *= program.variables[id.index()].extent;
  return elems;
}

/// Returns, by operation, whether the first output needs it. For marginals that is "evidence", made
/// by the upward messages; in other programs every operation is upward.
std::vector<char> upwardOperations(const TableProgram &program) {
  const size_t count = program.operations.size();
  if (!traitsOf(program.kind).goesDownward || program.outputs.empty())
    return std::vector<char>(count, 1);
  std::vector<char> needed(program.tables.size(), 0), upward(count, 0);
  needed[program.outputs.front().table.index()] = 1;
  for (size_t i = count; i-- > 0;) {
    const Operation &operation = program.operations[i];
    upward[i] = needed[operation.result.index()];
    if (upward[i])
      for (const TableId id : operation.operands)
        needed[id.index()] = 1;
  }
  return upward;
}

/// Returns, by table, the first upward operation that reads it.
std::vector<uint32_t> upwardReaders(const TableProgram &program, const std::vector<char> &upward) {
  std::vector<uint32_t> reader(program.tables.size(), kNone);
  for (uint32_t i = 0; i < program.operations.size(); ++i)
    if (upward[i])
      for (const TableId id : program.operations[i].operands)
        reader[id.index()] = std::min(reader[id.index()], i);
  return reader;
}

} // namespace

std::vector<BucketFacts> bucketFacts(const TableProgram &program) {
  const std::vector<char> upward = upwardOperations(program);
  const std::vector<uint32_t> reader = upwardReaders(program, upward);
  const SliceLevels levels(program);
  std::vector<BucketFacts> buckets(program.operations.size());
  for (size_t i = 0; i < buckets.size(); ++i) {
    const Operation &operation = program.operations[i];
    const ProgramTable &result = program.table(operation.result);
    BucketFacts &bucket = buckets[i];
    bucket.name = result.name;
    for (const TableId id : operation.operands)
      bucket.operands.push_back(program.table(id).name);
    for (const VarId id : operation.reduced)
      bucket.reduced.push_back(program.variables[id.index()].name);
    bucket.variables = result.scope.size() + operation.reduced.size();
    const uint32_t added = splitsRead(program, operation);
    if (added > 1)
      bucket.reduced.push_back(fmt::format("{} splits", added));
    const double results = product(program, result.scope);
    bucket.entries = results * result.splits;
    bucket.addresses = results * product(program, operation.reduced) * added;
    bucket.runs = program.runs(operation) ? levels.runs(levels.ofOperation(operation)) : 0;
    bucket.loads = bucket.runs * bucket.addresses * static_cast<double>(operation.operands.size());
    bucket.downward = !upward[i];
    if (upward[i]) {
      bucket.parent = reader[operation.result.index()];
      continue;
    }
    // Inputs and upward messages are read by one upward bucket, which is this operation's bucket. A
    // downward message alone leads to the bucket in which it was made.
    for (const TableId id : operation.operands)
      if (bucket.parent == kNone)
        bucket.parent = reader[id.index()];
    for (const TableId id : operation.operands)
      if (bucket.parent == kNone && program.table(id).producer.valid())
        bucket.parent = buckets[program.table(id).producer.index()].parent;
  }
  return buckets;
}

} // namespace mpf
