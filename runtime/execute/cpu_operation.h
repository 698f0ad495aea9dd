// An operation prepared for the CPU: its digits as loops, and which of three ways runs it.
// Made once per session (prepareOperation), read-only afterwards.
//
//   Entries  few addresses: scalar loops, no set-up at all
//   Rows     vectors over a *row* of addresses of the fastest digits; any operands, any algebra,
//            linear and log form. Bound by memory or by the operands' loads.
//   Tiles    the operands split into two groups A and B such that every kept digit outside the
//            batch belongs to one group: a matrix product whose operands are products formed while
//            packing (Van Zee and van de Geijn, "BLIS", section 3)
#pragma once

#include "codegen/bundle/bundle.h"
#include "runtime/execute/cpu_kernels.h"
#include "runtime/execute/digit_loop.h"

#include <memory>
#include <optional>

namespace mpf {

enum class CpuPath : uint8_t { Entries, Rows, Tiles };
const char *cpuPathName(CpuPath path);

/// Longest row, in elements: a few rows fit the first-level cache together.
inline constexpr size_t kRowElems = 512;

enum class RowAccess : uint8_t {
  Constant,   ///< the same entry for the whole row
  Contiguous, ///< neighbours
  Strided,    ///< a fixed stride
  Gathered,   ///< a table of offsets
};

struct RowSlot {
  RowAccess access = RowAccess::Constant;
  uint64_t stride = 0;    ///< Strided
  bool everyTerm = false; ///< varies over the terms of one row; otherwise it is applied once
};

/// Rows: for each outer address: for each term: one row of products, reduced into accumulators.
struct RowShape {
  /// True: the row runs over reduced digits and is totalled at the end. False: over kept digits.
  bool horizontal = false;
  std::vector<LoopDigit> outer; ///< kept digits outside the row
  std::vector<LoopDigit> terms; ///< reduced digits outside the row
  std::vector<LoopDigit> row;   ///< the digits inside; the first may be cut into pieces
  uint64_t outerCount = 1;
  uint64_t termCount = 1;
  size_t rowElems = 1;
  /// When the row's first digit is cut, its pieces are the fastest digit of `outer` (of `terms`
  /// when horizontal) and the last piece gives rows of this length; otherwise rowElems.
  size_t lastRowElems = 1;
  bool cut = false;
  std::array<RowSlot, kMaxSlots> slots;
};

/// Tiles: result(batch, i, j) = reduce over k of A(batch, i, k) . B(batch, k, j).
struct TileShape {
  std::array<bool, kMaxBundleOperands> inA{}; ///< group of each operand
  std::vector<LoopDigit> batch, rows, columns, depth;
  uint64_t batchCount = 1, rowCount = 1, columnCount = 1, depthCount = 1;
};

struct CpuOperation {
  Algebra algebra = Algebra::SumTimes;
  bool scaled = true; ///< Times on scaled tables; false: plain max-sum and min-sum
  CpuPath path = CpuPath::Entries;
  uint8_t operandCount = 0;
  int32_t termsLog2 = 0; ///< ceil(log2(terms per result entry))
  uint64_t keptElems = 1;
  uint64_t reducedElems = 1;
  std::vector<LoopDigit> kept;      ///< by descending stride in the result
  std::vector<LoopDigit> reduced;   ///< by descending stride in the largest operand
  std::unique_ptr<RowShape> rows;   ///< present unless path is Entries
  std::unique_ptr<TileShape> tiles; ///< present when path is Tiles

  size_t slotCount() const { return size_t{operandCount} + 1; }
  double addresses() const {
    return static_cast<double>(keptElems) * static_cast<double>(reducedElems);
  }
};

/// Its digits as loops and its algebra only; path stays Entries.
CpuOperation prepareLoops(const BundleOperation &operation, bool logInputs);

/// `logInputs`: the bundle's values are logs, so Plus multiplies the values behind them.
/// `tileRows`, `tileColumns`: the register tile of the kernels that will run it.
CpuOperation prepareOperation(const BundleOperation &operation, bool logInputs, size_t tileRows,
                              size_t tileColumns);

/// The parts, for tests: rows for any operation; tiles only where they beat the rows.
RowShape buildRowShape(const CpuOperation &operation);
std::optional<TileShape> buildTileShape(const CpuOperation &operation, size_t tileRows,
                                        size_t tileColumns);

} // namespace mpf
