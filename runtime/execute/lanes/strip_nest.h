// In which order a strip walks the entries of an operation's result.
//
// Large programs have messages that no cache holds: an operand is read from memory once if the
// entries that need it follow each other closely, otherwise again and again. So kept digits are
// ordered by what their loops would move between the caches (a digit that all tables have belongs
// outside: what lies within it is read once), as loop nests are permuted for locality (Wolf and Lam
// 1991; codegen/PAPERS.md). Terms are added in the order of the program whatever the order of the
// entries: results have the same bits.
//
// Among the innermost digits, whose order costs nothing, a *row* is taken whose entries are
// computed one after the other without new addresses, and a *column*, a digit that one of two
// operands lacks: two rows side by side then share what they read of it (a register tile).
#pragma once

#include "codegen/bundle/lanes/lane_program.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace mpf {

/// A loop of so many entries keeps its addresses in the first-level cache.
inline constexpr uint64_t kMostInner = 256;

/// An operation with fewer digits, of the same entries and the same order of terms: kept digits
/// that continue each other in every table are one, up to the length of a row that pays for its
/// addresses; longer ones could not be put in order.
LaneOperation mergedForStrips(LaneOperation operation);

/// Digits of an operation, by their places: loops over kept ones, from the outermost on, and one
/// over reduced ones. In each the last digit is the fastest. The address of an entry is the sum of
/// what each loop adds, so that addresses take little room.
struct StripNest {
  std::vector<size_t> outer, inner;
  std::optional<size_t> column; ///< a kept digit within `inner`; none where no tile gains by it
  std::optional<size_t> row;    ///< the innermost kept digit; none where the result is one entry
  std::vector<size_t> reduced;
};

/// `entryBytes`: by slot, of one entry; of messages for all lanes of the strip.
StripNest stripNest(const LaneOperation &operation, std::span<const uint64_t> entryBytes);

/// The numbers that the addresses of a nest take, for all slots; saturates.
uint64_t stripNestAddresses(const LaneOperation &operation, const StripNest &nest);

} // namespace mpf
