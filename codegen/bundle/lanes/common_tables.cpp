#include "codegen/bundle/lanes/common_tables.h"

#include "codegen/bundle/lanes/lane_addresses.h"
#include "dsl/support/check.h"
#include "dsl/support/counts.h"
#include "dsl/support/wide_table.h"

#include <algorithm>
#include <deque>

namespace mpf {

void runWide(const LaneOperation &operation, std::span<const WideNumber *const> tables,
             WideNumber *result) {
  const LaneAddresses addresses = laneAddresses(operation);
  const SlotAddresses &to = addresses.slots.back();
  const bool isMax = operation.semiring.reduce == Reduce::Max;
  for (size_t k = 0; k < addresses.keptCount; ++k) {
    WideNumber total;
    for (size_t r = 0; r < addresses.reducedCount; ++r) {
      WideNumber product = tables[0][addresses.slots[0].kept[k] + addresses.slots[0].reduced[r]];
      for (size_t s = 1; s < tables.size(); ++s)
        product = product * tables[s][addresses.slots[s].kept[k] + addresses.slots[s].reduced[r]];
      if (r == 0)
        total = product;
      else if (!isMax)
        total = total + product;
      else if (total < product)
        total = product;
    }
    result[to.kept[k]] = total;
  }
}

namespace {

std::vector<std::span<const double>> ownValues(const LaneProgram &program) {
  std::vector<std::span<const double>> values;
  for (const LaneValues &one : program.values) {
    MPF_CHECK(one.values != nullptr, "factor {} has no values", one.factor);
    values.emplace_back(*one.values);
  }
  return values;
}

} // namespace

CommonTables::CommonTables(const LaneProgram &program)
    : CommonTables(program, ownValues(program)) {}

CommonTables::CommonTables(const LaneProgram &program,
                           const std::vector<std::span<const double>> &values)
    : program_(program), tables_(program.tables.size()) {
  for (size_t i = 0; i < program.tables.size(); ++i) {
    const LaneTable &table = program.tables[i];
    if (table.kind == LaneTableKind::Common)
      tables_[i].resize(table.sizeElems);
    if (table.kind != LaneTableKind::Values)
      continue;
    MPF_CHECK(holdsValues(values[table.source].size(), table.sizeElems),
              "{} has {} entries, {} values", table.name, table.sizeElems,
              values[table.source].size());
    const StoredValues given(values[table.source], table.sizeElems);
    tables_[i].reserve(given.size());
    for (uint64_t e = 0; e < given.size(); ++e)
      tables_[i].push_back(WideNumber::of(given.mantissa(e), given.exponent(e)));
  }
  for (const LaneOperation &operation : program.commonOperations)
    run(operation);
}

namespace {

/// Returns the entries of an indicator while an operation reads them. They are no more than the
/// addresses of the operation.
std::vector<WideNumber> indicatorEntries(uint64_t states) {
  std::vector<WideNumber> entries((states + 1) * states);
  for (uint64_t state = 0; state < states; ++state)
    entries[state * states + state] = entries[states * states + state] = WideNumber::of(1);
  return entries;
}

} // namespace

void CommonTables::run(const LaneOperation &operation) {
  std::vector<const WideNumber *> tables;
  std::deque<std::vector<WideNumber>> indicators;
  for (const LaneAccess &operand : operation.operands) {
    const LaneTable &table = program_.tables[operand.table];
    if (table.kind == LaneTableKind::Indicator)
      indicators.push_back(indicatorEntries(program_.schema.observed[table.source].extent));
    tables.push_back(table.kind == LaneTableKind::Indicator ? indicators.back().data()
                                                            : tables_[operand.table].data());
  }
  runWide(operation, tables, tables_[operation.result.table].data());
}

uint64_t CommonTables::bytes(const LaneProgram &program) {
  uint64_t elems = 0, most = 0; // bytes of one operation's addresses and indicators
  for (const LaneTable &table : program.tables)
    if (table.kind == LaneTableKind::Values || table.kind == LaneTableKind::Common)
      elems = saturatingAdd(elems, table.sizeElems);
  for (const LaneOperation &operation : program.commonOperations) {
    uint64_t bytes = saturatingMul(laneAddressCount(operation), sizeof(uint64_t));
    for (const LaneAccess &operand : operation.operands)
      if (const LaneTable &table = program.tables[operand.table];
          table.kind == LaneTableKind::Indicator)
        bytes = saturatingAdd(bytes, saturatingMul(table.sizeElems, sizeof(WideNumber)));
    most = std::max(most, bytes);
  }
  return saturatingAdd(saturatingMul(elems, sizeof(WideNumber)), most);
}

ExponentBounds CommonTables::bounds(uint32_t index) const {
  ExponentBounds bounds;
  for (const WideNumber &entry : tables_[index])
    if (entry.mantissa != 0) { // mantissas are in [1/2, 1)
      bounds.least = std::min(bounds.least, entry.exponent - 1);
      bounds.greatest = std::max(bounds.greatest, entry.exponent - 1);
      bounds.negative |= entry.mantissa < 0;
    }
  return bounds;
}

} // namespace mpf
