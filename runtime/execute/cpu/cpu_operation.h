// An operation prepared for the CPU: its digits as loops, and the way that runs it, one of three.
// It is made once per session (prepareOperation) and read-only afterwards.
//
//   Entries  few addresses: scalar loops over lists of offsets, no set-up at all
//   Rows     vectors over a *row* of addresses of the fastest digits; any operands, any semiring,
//            linear and log form. Bound by memory or by the operands' loads.
//   Tiles    pages of results, rows times columns over any digits: matrix products whose operands
//            are products formed while packing (Van Zee and van de Geijn, "BLIS", section 3), times
//            what varies with rows and columns alike
#pragma once

#include "codegen/bundle/bundle.h"
#include "runtime/execute/cpu/cpu_kernels.h"
#include "runtime/execute/cpu/entry_lists.h"
#include "runtime/execute/host/digit_loop.h"

#include <memory>
#include <optional>

namespace mpf {

enum class CpuPath : uint8_t { Entries, Rows, Tiles };
const char *cpuPathName(CpuPath path);

/// Number of terms whose rows stay copied, for operands that must be copied.
inline constexpr size_t kCopiedTerms = 4;

/// Longest row, in elements: a few rows fit the first-level cache together.
inline constexpr size_t kRowElems = 512;

enum class RowAccess : uint8_t {
  Constant,   ///< one entry for the whole row
  Contiguous, ///< neighbouring entries
  Strided,    ///< a fixed stride
  Gathered,   ///< a table of offsets
};

struct RowSlot {
  RowAccess access = RowAccess::Constant;
  uint64_t stride = 0;    ///< Strided
  bool everyTerm = false; ///< varies over the terms of one row; otherwise applied once
};

/// The loops of Rows: for each outer address, for each term, one row of products is reduced into
/// accumulators.
struct RowShape {
  /// True: the row runs over reduced digits and is totalled at the end. False: over kept digits.
  bool horizontal = false;
  std::vector<LoopDigit> outer; ///< kept digits outside the row
  std::vector<LoopDigit> terms; ///< reduced digits outside the row
  std::vector<LoopDigit> row;   ///< digits of the row; the first may be cut into pieces
  uint64_t outerCount = 1;
  uint64_t termCount = 1;
  size_t rowElems = 1;
  /// Length of the rows of the last piece if the row's first digit is cut; otherwise rowElems. The
  /// pieces are the fastest digit of `outer` (of `terms` when horizontal).
  size_t lastRowElems = 1;
  bool cut = false;
  std::array<RowSlot, kMaxSlots> slots;
};

/// The directions inside a page, besides the terms, that an operand varies with. Faces: both.
enum class TileGroup : uint8_t { Rows, Columns, Faces };
inline constexpr size_t kTileGroups = 3;

/// The digits of one direction inside a page. The first may be a piece of a digit. Then an outside
/// digit counts the pieces, and the last piece gives pages of `lastElems`.
struct PageDigits {
  static constexpr size_t kUncut = ~size_t{0};
  std::vector<LoopDigit> digits;
  size_t elems = 1, lastElems = 1;
  size_t pieces = kUncut; ///< index of the outside digit that counts the pieces
};

/// Sizes of a page, in elements. A packed block of rows and depth stays in the second-level cache.
/// A panel of one tile's columns stays in the first, the faces of a page in the second.
struct TilePage {
  static constexpr uint64_t kRows = 96;
  static constexpr uint64_t kDepth = 256;
  static constexpr uint64_t kColumns = 1024;
  static constexpr uint64_t kFaceElems = 1 << 16; ///< rows x whole tiles of columns x depth
  static constexpr uint64_t kFaceRows = 16;
  static constexpr uint64_t kNearBytes = 24 << 10;
  /// True if columns times terms stay in the first-level cache; then they are one panel.
  static constexpr bool isNear(uint64_t columns, uint64_t depth, uint64_t entryBytes) {
    return columns * depth * entryBytes <= kNearBytes;
  }
  /// Contiguous columns are read in place, unless more than this number of the tallest tiles read
  /// them.
  static constexpr uint64_t kDirectTiles = 2;
};

/// The pages of Tiles: result(i, j) = reduce over k of A(i, k) . B(k, j) . C(i, k, j). Each of the
/// three is a product of operands or absent. A packed operand stays valid until an outside digit in
/// its scope changes (page validity of the ICS'08 paper, section 5).
struct TileShape {
  std::array<TileGroup, kMaxBundleOperands> groups{};
  std::array<bool, kTileGroups> present{}; ///< true if some operand is in this group
  PageDigits rows, columns, depth;
  std::vector<LoopDigit> pages;      ///< outside kept digits, slowest first
  std::vector<LoopDigit> depthPages; ///< outside reduced digits
  uint64_t pageCount = 1, depthPageCount = 1;
  /// The number of neighbouring pages whose depth pages all run before the next pages.
  uint64_t innerPages = 1;
  double timeNs = 0; ///< estimate, one thread
};

/// The target of the tile path's layout: the register tile and the number of threads.
struct TileTarget {
  size_t rows = 0, columns = 0;
  size_t threads = 1;
  size_t pickLanes = 0; ///< CpuKernels::pickLanes
  size_t entryBytes = 8;
};
template <class T> TileTarget tileTarget(const CpuKernels<T> &kernels, size_t threads) {
  return {kernels.tileRows, kernels.tileColumns, threads, kernels.pickLanes, sizeof(T)};
}

struct CpuOperation {
  StoredSemiring semiring = StoredSemiring::SumTimes;
  bool scaled = true;              ///< Times on scaled tables; false: plain max-sum and min-sum
  CpuPath path = CpuPath::Entries; ///< on linear entries
  uint8_t operandCount = 0;
  int32_t termsLog2 = 0; ///< ceil(log2(terms per result entry))
  uint64_t keptElems = 1;
  uint64_t reducedElems = 1;
  double allElems = 0;                     ///< entries of operands and result together
  std::vector<LoopDigit> kept;             ///< by descending stride in the result
  std::vector<LoopDigit> reduced;          ///< by descending stride in the largest operand
  std::shared_ptr<const EntryLists> lists; ///< path Entries only; made by the executor (ListPool)
  std::unique_ptr<RowShape> rows;          ///< present unless path is Entries
  /// Present if path is Tiles, or if tiles are faster on logarithms only.
  std::unique_ptr<TileShape> tiles;
  double timeNs = 0; ///< estimated time of `path` on one thread; 0 for Entries

  size_t slotCount() const { return size_t{operandCount} + 1; }
  /// Returns the number of entries of the table in `slot`.
  double tableElems(size_t slot) const {
    return static_cast<double>(entriesAlong(kept, slot)) *
           static_cast<double>(entriesAlong(reduced, slot));
  }
  double addresses() const {
    return static_cast<double>(keptElems) * static_cast<double>(reducedElems);
  }
};

/// Prepares only the loops and the semiring; path stays Entries.
CpuOperation prepareLoops(const BundleOperation &operation, bool logInputs);

/// Makes CpuOperation::lists. Operations of equal loops share them, if they are not far apart:
/// programs of thousands of small operations have few forms.
class ListPool {
public:
  void listEntries(CpuOperation &operation);

private:
  struct Known {
    std::vector<LoopDigit> kept, reduced;
    uint8_t operandCount = 0;
    std::shared_ptr<const EntryLists> lists;
  };
  std::vector<Known> known_; ///< the last few
  size_t oldest_ = 0;        ///< modulo kMostKnown: the place in known_ that is used next
};

/// Builds the parts, for tests: rows for any operation; the best tiles, or none if it can have
/// none.
RowShape buildRowShape(const CpuOperation &operation);
std::optional<TileShape> buildTileShape(const CpuOperation &operation, const TileTarget &target);

/// Returns the height of the next register tile when `rows` >= 1 rows are left.
size_t nextTileHeight(size_t rows, size_t tallest);

} // namespace mpf
