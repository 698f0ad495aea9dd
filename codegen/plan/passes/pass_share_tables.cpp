#include "codegen/plan/passes/pass_share_tables.h"

#include "codegen/plan/program/operation_key.h"
#include "codegen/plan/program/slice_levels.h"
#include "dsl/support/check.h"
#include "dsl/support/split_mix.h"

#include <unordered_map>
#include <utility>

namespace mpf {

namespace {

struct KeyHash {
  size_t operator()(const std::vector<uint32_t> &key) const {
    uint64_t hash = key.size();
    for (const uint32_t word : key)
      hash = mixBits(hash ^ word);
    return hash;
  }
};

/// Returns a hash that is equal for operations with equal keys; takes a tenth of the time to make a
/// key.
uint64_t operandsHash(const TableProgram &program, const Operation &operation) {
  uint64_t sum = operation.operands.size(); // in any order
  for (const TableId id : operation.operands)
    sum += mixBits(program.stored(id).value + kGoldenGamma);
  return sum;
}

/// The results known so far, by the operands and operations that they are computed from.
class KnownResults {
public:
  explicit KnownResults(const TableProgram &program) : program_(program), order_(program) {
    lone_.reserve(program.operations.size());
  }

  /// The first result that holds the same entries; the operation's own if there is none.
  TableId firstLike(OpId id) {
    const auto [at, isNew] = lone_.try_emplace(operandsHash(program_, operation(id)), id);
    if (isNew)
      return operation(id).result;
    if (const OpId other = std::exchange(at->second, {}); other.valid())
      take(other);
    return take(id);
  }

private:
  const Operation &operation(OpId id) const { return program_.operation(id); }

  TableId take(OpId id) {
    return known_.try_emplace(operationKey(program_, order_, operation(id)), operation(id).result)
        .first->second;
  }

  const TableProgram &program_;
  const GlobalOrder order_;
  // Both are looked up, never iterated over.
  std::unordered_map<uint64_t, OpId> lone_; ///< by operandsHash: the only operation with it so far,
                                            ///< without a key; invalid once there are more
  std::unordered_map<std::vector<uint32_t>, TableId, KeyHash> known_;
};

} // namespace

void passShareTables(TableProgram &program, const InputContents &contents) {
  const std::vector<TableId> first = contents.firstEqual(program);
  MPF_CHECK(first.size() <= program.tables.size(), "{} of {} tables are compared", first.size(),
            program.tables.size());
  for (size_t i = 0; i < first.size(); ++i)
    if (first[i] != TableId{i})
      program.tables[i].sameAs = first[i];
  const SliceLevels levels(program);
  KnownResults known(program);
  for (size_t i = 0; i < program.operations.size(); ++i) {
    const Operation &operation = program.operations[i];
    if (levels.accumulates(operation))
      continue; // its result is added up in a loop, and so is its own
    const TableId like = known.firstLike(OpId{i});
    if (like == operation.result)
      continue;
    MPF_CHECK(like.index() < operation.result.index(), "table {} is to be the same as the later {}",
              operation.result, like);
    program.tables[operation.result.index()].sameAs = like;
  }
}

} // namespace mpf
