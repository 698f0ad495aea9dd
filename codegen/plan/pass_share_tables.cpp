#include "codegen/plan/pass_share_tables.h"

#include "codegen/plan/operation_key.h"
#include "codegen/plan/slice_levels.h"
#include "dsl/support/split_mix.h"

#include <unordered_map>

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

} // namespace

void passShareTables(TableProgram &program, const InputContents &contents) {
  const std::vector<TableId> first = contents.firstEqual(program);
  for (size_t i = 0; i < first.size(); ++i)
    if (first[i] != TableId{i})
      program.tables[i].sameAs = first[i];
  const GlobalOrder order(program);
  const SliceLevels levels(program);
  std::unordered_map<std::vector<uint32_t>, TableId, KeyHash> known; // looked up, never walked
  known.reserve(program.operations.size());
  for (const Operation &operation : program.operations) {
    if (levels.accumulates(operation))
      continue; // each loop has one
    const auto [at, isNew] =
        known.try_emplace(operationKey(program, order, operation), operation.result);
    if (!isNew)
      program.tables[operation.result.index()].sameAs = at->second;
  }
}

} // namespace mpf
