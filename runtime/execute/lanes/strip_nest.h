// The order in which a strip computes the entries of an operation's result.
//
// Large programs have messages that no cache holds. An operand is read from memory once if the
// entries that need it are close in the order, otherwise repeatedly. So kept digits are ordered by
// the traffic of their loops between the caches, as loop nests are permuted for locality (Wolf and
// Lam 1991; codegen/PAPERS.md). A digit that all tables have belongs outside, because tables inside
// it are read once. Terms are added in the order of the program for any order of the entries, so
// results have equal bits.
//
// The order of the innermost digits does not matter for the caches. One of them is the *row*, whose
// entries are computed one after the other without new addresses. Another may be the *column*, a
// digit that one of two operands lacks: two adjacent rows share the entries of that operand (a
// register tile).
#pragma once

#include "codegen/bundle/lanes/lane_program.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace mpf {

/// The number of entries of a loop whose addresses stay in the first-level cache.
inline constexpr uint64_t kMostInner = 256;

/// Returns an equal operation with fewer digits and the same order of terms. It merges kept digits
/// that continue each other in every table, up to the length of a row that pays for its addresses.
/// Longer digits could not be reordered.
LaneOperation mergedForStrips(LaneOperation operation);

/// The loops of an operation, as indices of its digits: loops over kept digits, from the outermost
/// on, and one over reduced digits. The last digit of each loop is fastest. The address of an entry
/// is the sum of one number of each loop, so that addresses take little memory.
struct StripNest {
  std::vector<size_t> outer, inner;
  std::optional<size_t> column; ///< kept digit inside `inner`; none if no tile gains by it
  std::optional<size_t> row;    ///< innermost kept digit; none if the result is one entry
  std::vector<size_t> reduced;
};

/// Returns the loops of an operation. `entryBytes`: by slot, the bytes of one entry; for messages
/// those of all lanes of the strip.
StripNest stripNest(const LaneOperation &operation, std::span<const uint64_t> entryBytes);

/// Returns how many numbers the addresses of a nest take, for all slots; saturates.
uint64_t stripNestAddresses(const LaneOperation &operation, const StripNest &nest);

} // namespace mpf
