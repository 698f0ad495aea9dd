// Forms products and sums of whole tables while a query is simplified. Each result is exact but for
// the rounding of the operation, or refused. If it is refused, the caller leaves the work to the
// run, whose tables have scales, and which computes in logarithms where a range is too wide.
#pragma once

#include "codegen/simplify/state/algebra.h"
#include "codegen/simplify/state/table_ops.h"

#include <optional>
#include <vector>

namespace mpf {

/// A table whose values are entry * 2^exponent; the exponent is 0 where combine adds.
struct ScaledTable {
  EntryTable table;
  int64_t exponent = 0;
};

/// Combines a table with a smaller one. Axis i of the small table is axis axisOf[i] of the big
/// table, whose extents are `extents`. Returns nothing if no exponent makes every entry of the
/// product a normal number or 0. Also returns nothing if a sum of costs leaves the range of
/// doubles, or if a whole number might have been rounded.
std::optional<ScaledTable> combineTables(const EntryTable &big, const Extents &extents,
                                         const EntryTable &small, const std::vector<size_t> &axisOf,
                                         const Algebra &algebra);

/// Reduces the entries whose states on `axis` are in the same group to one. The axis of the result
/// has `groups` states; groupOf: the group of each state; no group may be empty. Nothing if a
/// result leaves the range of doubles, or might be a rounded whole number.
std::optional<EntryTable> reduceGroups(const EntryTable &table, const Extents &extents, size_t axis,
                                       const std::vector<uint32_t> &groupOf, uint32_t groups,
                                       const Algebra &algebra);

/// Returns the entry that all entries of a table equal, if there is one. Each entry is the
/// reduction of `terms` others. Where that rounds (sums of products), entries may differ by its
/// rounding, and entries that are 1 within rounding count as 1.
std::optional<Entry> commonEntry(const EntryTable &table, uint32_t terms, const Algebra &algebra);

/// Returns the share of each entry in the sum of its group, in [0, 1]. groupOf: the group of each
/// entry, from 0. Nothing if an entry is not positive, or a share is too small for a normal double.
std::optional<std::vector<double>>
sharesOfGroups(const EntryTable &table, const std::vector<uint32_t> &groupOf, uint32_t groups);

} // namespace mpf
