#include "dsl/formats/cases/tables/divide_rows.h"

#include "dsl/model/divided_table.h"
#include "dsl/support/numbers/row_sums.h"
#include "dsl/support/numbers/scaled_sum.h"
#include "dsl/support/numbers/table_number.h"

#include <algorithm>
#include <utility>
#include <vector>

namespace mpf {

namespace {

/// Returns a row of one case, as StoredValues reads it.
std::vector<double> storedRow(const CaseBlock &block, const CaseRows &table, uint64_t row,
                              uint32_t place) {
  const uint64_t first = table.firstWeight + row * table.rowElems;
  std::vector<double> values;
  std::vector<FarValue> far;
  for (uint64_t e = 0; e < table.rowElems; ++e)
    values.push_back(block.weights()[(first + e) * block.pitch() + place]);
  if (const auto own = block.far.find(place); own != block.far.end())
    for (const FarValue &one : own->second)
      if (one.index >= first && one.index < first + table.rowElems)
        far.push_back({one.index - first, one.value});
  return far.empty() ? values : widened(values, far);
}

void storeRow(const StoredValues &values, uint64_t first, uint32_t place, CaseBlock &block) {
  std::vector<FarValue> far;
  if (const auto own = block.far.find(place); own != block.far.end()) {
    far = std::move(own->second);
    block.far.erase(own);
  }
  std::erase_if(far, [&](const FarValue &one) {
    return one.index >= first && one.index < first + values.size();
  });
  for (uint64_t e = 0; e < values.size(); ++e) {
    const ScaledNumber value = values.at(e);
    block.weights()[(first + e) * block.pitch() + place] = nearestFinite(value);
    if (!value.value())
      far.push_back({first + e, value});
  }
  std::ranges::sort(far, {}, &FarValue::index);
  if (!far.empty())
    block.far.emplace(place, std::move(far));
}

} // namespace

ScaledNumber rowSum(const CaseBlock &block, const CaseRows &table, uint64_t row, uint32_t place) {
  const std::vector<double> stored = storedRow(block, table, row, place);
  return scaledSum(StoredValues(stored, table.rowElems), 0, table.rowElems);
}

void divideRows(CaseBlock &block, const CaseRows &table,
                const std::function<void(uint64_t row, const ScaledNumber &sum)> &onDivided) {
  std::vector<double> sums;
  for (uint64_t row = 0; row * table.rowElems < table.sizeElems; ++row) {
    const uint64_t first = table.firstWeight + row * table.rowElems;
    sums.assign(block.count, 0);
    for (uint64_t e = 0; e < table.rowElems; ++e)
      for (uint32_t i = 0; i < block.count; ++i)
        sums[i] += block.weights()[(first + e) * block.pitch() + i];
    for (uint32_t i = 0; i < block.count; ++i) {
      if (sums[i] == 1)
        continue;
      const std::vector<double> stored = storedRow(block, table, row, i);
      const auto fault = findRowFault(StoredValues(stored, table.rowElems), table.rowElems, 0, 0);
      DividedTable divided(stored, table.rowElems, table.rowElems);
      if (!fault || !fault->isDivisible() || !divided.divide(0))
        continue;
      const std::vector<double> made = divided.take();
      storeRow(StoredValues(made, table.rowElems), first, i, block);
      onDivided(row, fault->sum);
    }
  }
}

} // namespace mpf
