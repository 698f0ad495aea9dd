// A candidate of buildTileShape: one layout of an operation in pages of tiles, and its predicted
// time. Candidates are cheap enough to try hundreds.
#pragma once

#include "runtime/execute/cpu/cpu_operation.h"

namespace mpf {

/// The role of a kept digit.
enum class TileRole : uint8_t { Outside, Row, Column };

using TileRoles = std::array<TileRole, kMaxBundleDigits>; ///< by index in CpuOperation::kept

/// A digit outside the pages: a whole kept digit, or one that counts the pieces of a cut digit.
struct OutsideDigit {
  uint8_t digit = 0;    ///< index in CpuOperation::kept
  bool piece = false;   ///< counts pieces of `step` values
  bool fromRow = false; ///< has the role Row but does not fit the page
  uint8_t groups = 0;   ///< TileGroup bits of the operands that depend on it
  uint64_t extent = 1;
  uint64_t step = 1;
};

/// One direction of a page: its digits are the fastest ones of its role.
struct DraftDirection {
  std::array<uint8_t, kMaxBundleDigits> digits{}; ///< indices, slowest first; the first may be cut
  size_t count = 0;
  uint64_t elems = 1, lastElems = 1;
  uint64_t step = 0;          ///< values of the first digit in a page; 0: all
  size_t pieces = ~size_t{0}; ///< index in TileDraft::outside of the digit that counts pieces
};

struct TileDraft {
  std::array<TileGroup, kMaxBundleOperands> groups{};
  uint8_t present = 0; ///< TileGroup bits
  DraftDirection rows, columns, depth;
  std::array<OutsideDigit, kMaxBundleDigits + 2> outside{}; ///< slowest first
  size_t outsideCount = 0;
  uint64_t pageCount = 1, innerPages = 1, depthPageCount = 1;
  double timeNs = 0;
};

TileDraft draftTiles(const CpuOperation &op, const TileRoles &roles, const TileTarget &target);

} // namespace mpf
