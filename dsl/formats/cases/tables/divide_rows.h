// Rows of conditional tables that cases set: their sums, and the division by these.
#pragma once

#include "dsl/support/cases/case_block.h"

#include <cstdint>
#include <functional>

namespace mpf {

/// A table of a block: entry e of case i is weight firstWeight + e. A row has rowElems entries.
struct CaseRows {
  uint64_t firstWeight = 0, sizeElems = 0, rowElems = 1;
};

/// Returns the sum of row `row` in the case at `place`.
ScaledNumber rowSum(const CaseBlock &block, const CaseRows &table, uint64_t row, uint32_t place);

/// Divides the rows of all cases whose sum in doubles is not exactly 1. Rows that have an entry
/// below 0, or no sum or share that tables hold, stay as they are. `onDivided` receives the number
/// and the former sum of each divided row.
void divideRows(CaseBlock &block, const CaseRows &table,
                const std::function<void(uint64_t row, const ScaledNumber &sum)> &onDivided);

} // namespace mpf
