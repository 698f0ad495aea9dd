// The addresses of a product as the table-driven kernels of teams read them
// (codegen/emit/preamble/mpf_team_products.cuh): a list of records for each part of a split.
#pragma once

#include "codegen/bundle/lanes/team_split.h"

#include <cstdint>
#include <vector>

namespace mpf {

/// The begin of each list; record n is at list + n * teamRecordElems(numbers of a record). A record
/// holds the distances by which one value of the list's digits moves some tables.
/// - `left`: records of the left digits, for the result, then each left operand.
/// - `right`: records of the right digits, for the result, then each right operand.
/// - `rest`: records of the rest, for the result, the left operands and the right ones. They
///   include the places of these tables.
/// - `terms`: records of the terms, for the left operands and the right ones.
struct TeamLists {
  int32_t left = 0, right = 0, rest = 0, terms = 0;
};

/// Records are one load, of 4, 8 or 16 bytes, or several of 16.
constexpr uint64_t teamRecordElems(uint64_t numbers) {
  return numbers <= 2 ? numbers : (numbers + 3) / 4 * 4;
}

/// Numbers that the four lists take, with what aligns them; saturates.
uint64_t teamListElems(const LaneOperation &operation, const TeamSplit &split);

/// Appends the lists to `addresses`, which may hold 2^31 numbers; call teamListElems before.
/// `places` has the begin of each table. Throws Error(MemoryBound) for an address beyond 2^31.
TeamLists addTeamLists(const LaneOperation &operation, const TeamSplit &split,
                       const std::vector<uint64_t> &places, std::vector<int32_t> &addresses);

/// Returns `value` in 32 bits. Throws Error(MemoryBound) if it does not fit.
int32_t teamNumber(uint64_t value);

} // namespace mpf
