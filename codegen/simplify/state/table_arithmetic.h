// Products and sums of whole tables while a problem is simplified: exact but for one rounding of
// each operation, or refused. The caller then leaves the work to the run, whose tables carry scales
// and take logarithms where a range is too wide.
#pragma once

#include "codegen/simplify/state/algebra.h"
#include "codegen/simplify/state/table_ops.h"

#include <optional>
#include <vector>

namespace mpf {

/// value = entry * 2^exponent; exponent is 0 where combine adds.
struct ScaledTable {
  EntryTable table;
  int64_t exponent = 0;
};

/// Big table combined with a smaller one: axisOf[i] is the big table's axis of the small one's axis
/// i. Nothing if no exponent makes every entry of the product a normal number, if a sum of costs
/// leaves the range of doubles, or if a whole number might have been rounded.
std::optional<ScaledTable> combineTables(const EntryTable &big, const Extents &extents,
                                         const EntryTable &small, const std::vector<size_t> &axisOf,
                                         const Algebra &algebra);

/// Entries whose state on `axis` is in the same group reduced to one; the axis then has `groups`
/// places. Nothing if a result leaves the range of doubles, or might be a rounded whole number.
std::optional<EntryTable> reduceGroups(const EntryTable &table, const Extents &extents, size_t axis,
                                       const std::vector<uint32_t> &groupOf, uint32_t groups,
                                       const Algebra &algebra);

/// What all entries equal, each the reduction of `terms` others: exactly where the reduction does
/// not round, within its rounding where it adds. Rows that sum to 1 within rounding are meant to.
std::optional<Entry> commonEntry(const EntryTable &table, uint32_t terms, const Algebra &algebra);

/// Each entry's part of the sum of its group, in [0, 1]; groups are numbered from 0. Nothing if an
/// entry is not positive.
std::optional<std::vector<double>>
sharesOfGroups(const EntryTable &table, const std::vector<uint32_t> &groupOf, uint32_t groups);

} // namespace mpf
