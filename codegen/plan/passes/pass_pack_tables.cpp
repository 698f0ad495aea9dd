#include "codegen/plan/passes/pass_pack_tables.h"

#include "codegen/plan/program/packed_tables.h"
#include "codegen/plan/program/slice_levels.h"
#include "dsl/support/check.h"

#include <algorithm>

namespace mpf {

namespace {

constexpr uint64_t kLeastPackedElems = uint64_t{1} << 16; ///< smaller ones are read from L2 anyway
constexpr double kLeastPackedGain = 0.02; ///< share of the readers' time, as for layouts
constexpr size_t kMostPacked = 16;        ///< tables to try, the largest: predictions take long

/// Predicted time of all operations that read a table; nothing if the time of one is unknown.
std::optional<double> readersUs(const TableProgram &program, TableId table, DeviceCosts &costs,
                                const SliceLevels &levels) {
  double sum = 0;
  for (size_t i = 0; i < program.operations.size(); ++i) {
    const Operation &operation = program.operations[i];
    const bool reads =
        std::any_of(operation.operands.begin(), operation.operands.end(),
                    [&](TableId operand) { return program.stored(operand) == table; });
    if (!reads || !program.runs(operation))
      continue;
    const std::optional<double> time = costs.storedUs(program, OpId{i});
    if (!time)
      return std::nullopt;
    sum += *time * levels.runs(levels.ofOperation(operation));
  }
  return sum;
}

} // namespace

void passPackTables(TableProgram &program, const InputContents &contents, DeviceCosts &costs,
                    const SearchStop &stop) {
  const std::vector<std::string> faults = packingFaults(program);
  MPF_CHECK(faults.size() == program.tables.size(), "{} of {} tables are judged", faults.size(),
            program.tables.size());
  std::vector<TableId> candidates;
  for (size_t i = 0; i < program.tables.size(); ++i) {
    program.tables[i].packed = false;
    if (faults[i].empty() && program.tables[i].sizeElems >= kLeastPackedElems &&
        contents.isZeroOne(program, TableId{i}))
      candidates.push_back(TableId{i});
  }
  std::stable_sort(candidates.begin(), candidates.end(), [&](TableId a, TableId b) {
    return program.table(a).sizeElems > program.table(b).sizeElems;
  });
  if (candidates.empty() || !costs.storesForGpu())
    return;
  candidates.resize(std::min(candidates.size(), kMostPacked));
  const SliceLevels levels(program);
  for (const TableId id : candidates) {
    if (stop.now())
      return;
    ProgramTable &table = program.tables[id.index()];
    const std::optional<double> before = readersUs(program, id, costs, levels);
    table.packed = true;
    const std::optional<double> after = readersUs(program, id, costs, levels);
    table.packed = before && after && *after < *before * (1 - kLeastPackedGain);
  }
}

} // namespace mpf
