// The tile path: BLIS-like blocked matrix product. Both operands are products of several tables,
// formed while the panels are packed (Van Zee and van de Geijn, "BLIS: A framework for rapidly
// instantiating BLAS functionality", section 3; loop order and block sizes as there).
#include "runtime/execute/cpu_run.h"

#include <algorithm>
#include <cmath>

namespace mpf {

namespace {

template <class T> class TileRunner {
public:
  TileRunner(const RunArgs<T> &args, Scratch<T> &scratch)
      : op_(*args.op), shape_(*args.op->tiles), kernels_(*args.kernels), args_(args),
        scratch_(scratch), algebra_(static_cast<size_t>(op_.algebra)), plus_(!op_.scaled) {}

  void run(const TileBox &box, WrittenRange<T> &range) {
    AbsRange<T> seen;
    DigitLoop batch(shape_.batch, op_.slotCount());
    batch.seek(box.batchBegin);
    // With one block in each direction the offsets are the same for every batch address.
    rowsSet_ = columnsSet_ = depthSet_ = {};
    for (uint64_t i = box.batchBegin; i < box.batchEnd; ++i, batch.next())
      multiply(batch, box, seen);
    if (seen.greatest > 0) {
      range.add(seen.least);
      range.add(seen.greatest);
    }
  }

private:
  /// A range of one direction's addresses whose offsets are in the scratch.
  struct OffsetRange {
    uint64_t begin = 0;
    size_t count = 0;
    friend bool operator==(const OffsetRange &, const OffsetRange &) = default;
  };

  uint64_t *rowOffsets(size_t slot) {
    return scratch_.tileOffsets.data() + slot * TileBlocks::kRows;
  }
  uint64_t *columnOffsets(size_t slot) {
    return scratch_.tileOffsets.data() + kMaxSlots * TileBlocks::kRows +
           slot * TileBlocks::kColumns;
  }
  uint64_t *depthOffsets(size_t slot) {
    return scratch_.tileOffsets.data() + kMaxSlots * (TileBlocks::kRows + TileBlocks::kColumns) +
           slot * TileBlocks::kDepth;
  }

  void setRows(OffsetRange range) {
    if (range == rowsSet_)
      return;
    rowsSet_ = range;
    for (size_t s = 0; s < op_.slotCount(); ++s)
      if (s == op_.operandCount || shape_.inA[s])
        fillOffsets(shape_.rows, s, range.begin, range.count, rowOffsets(s));
  }
  void setColumns(OffsetRange range) {
    if (range == columnsSet_)
      return;
    columnsSet_ = range;
    for (size_t s = 0; s < op_.slotCount(); ++s)
      if (s == op_.operandCount || !shape_.inA[s])
        fillOffsets(shape_.columns, s, range.begin, range.count, columnOffsets(s));
  }
  void setDepth(OffsetRange range) {
    if (range == depthSet_)
      return;
    depthSet_ = range;
    for (size_t s = 0; s < op_.operandCount; ++s)
      fillOffsets(shape_.depth, s, range.begin, range.count, depthOffsets(s));
  }

  void multiply(const DigitLoop &batch, const TileBox &box, AbsRange<T> &seen) {
    for (uint64_t j = box.columnBegin; j < box.columnEnd; j += TileBlocks::kColumns) {
      setColumns({j, std::min<uint64_t>(TileBlocks::kColumns, box.columnEnd - j)});
      for (uint64_t k = 0; k < shape_.depthCount; k += TileBlocks::kDepth) {
        setDepth({k, std::min<uint64_t>(TileBlocks::kDepth, shape_.depthCount - k)});
        packGroup(batch, false, columnsSet_.count, kernels_.tileColumns, scratch_.packedB.data());
        for (uint64_t i = box.rowBegin; i < box.rowEnd; i += TileBlocks::kRows) {
          setRows({i, std::min<uint64_t>(TileBlocks::kRows, box.rowEnd - i)});
          packGroup(batch, true, rowsSet_.count, kernels_.tileRows, scratch_.packedA.data());
          multiplyBlock(batch, seen);
        }
      }
    }
  }

  /// Panels of `width` neighbouring rows (columns): entry (k, i) of a panel at k * width + i. The
  /// last panel's missing entries are whatever was there: their results are not stored.
  void packGroup(const DigitLoop &batch, bool groupA, size_t count, size_t width, T *packed) {
    bool first = true;
    for (size_t s = 0; s < op_.operandCount; ++s) {
      if (shape_.inA[s] != groupA)
        continue;
      const T *from = args_.entries[s] + batch.offset(s);
      const uint64_t *along = groupA ? rowOffsets(s) : columnOffsets(s);
      for (size_t i = 0; i < count; i += width) {
        const size_t valid = std::min(width, count - i);
        T *panel = packed + i * depthSet_.count;
        if (first)
          packPanel<0>(from, along + i, depthOffsets(s), valid, width, panel);
        else if (plus_)
          packPanel<2>(from, along + i, depthOffsets(s), valid, width, panel);
        else
          packPanel<1>(from, along + i, depthOffsets(s), valid, width, panel);
      }
      first = false;
    }
  }

  /// Mode 0 copies, 1 multiplies into, 2 adds to what the panel holds. Width: of whole panels,
  /// whose loops unroll; 0 for the last one.
  template <int Mode, size_t Width>
  void packWide(const T *from, const uint64_t *along, const uint64_t *deep, size_t valid,
                size_t width, T *panel) const {
    const size_t count = Width == 0 ? valid : Width;
    const auto put = [panel](size_t at, T value) {
      panel[at] = Mode == 0 ? value : Mode == 1 ? panel[at] * value : panel[at] + value;
    };
    // Offsets of an operand may go back and forth: every one has to be looked at.
    bool contiguous = true;
    for (size_t i = 1; i < valid; ++i)
      contiguous &= along[i] == along[0] + i;
    if (contiguous) {
      for (size_t k = 0; k < depthSet_.count; ++k)
        for (size_t i = 0; i < count; ++i)
          put(k * width + i, from[deep[k] + along[0] + i]);
      return;
    }
    for (size_t k = 0; k < depthSet_.count; ++k)
      for (size_t i = 0; i < count; ++i)
        put(k * width + i, from[deep[k] + along[i]]);
  }

  template <int Mode>
  void packPanel(const T *from, const uint64_t *along, const uint64_t *deep, size_t valid,
                 size_t width, T *panel) const {
    // The register tiles of the instruction sets (makeKernels).
    if (valid == width)
      switch (width) {
      case 4:
        return packWide<Mode, 4>(from, along, deep, valid, 4, panel);
      case 6:
        return packWide<Mode, 6>(from, along, deep, valid, 6, panel);
      case 8:
        return packWide<Mode, 8>(from, along, deep, valid, 8, panel);
      case 12:
        return packWide<Mode, 12>(from, along, deep, valid, 12, panel);
      case 16:
        return packWide<Mode, 16>(from, along, deep, valid, 16, panel);
      case 32:
        return packWide<Mode, 32>(from, along, deep, valid, 32, panel);
      default:
        break;
      }
    packWide<Mode, 0>(from, along, deep, valid, width, panel);
  }

  void multiplyBlock(const DigitLoop &batch, AbsRange<T> &seen) {
    TileArgs<T> tile;
    tile.depth = depthSet_.count;
    tile.result = args_.result + batch.offset(op_.operandCount);
    tile.first = depthSet_.begin == 0;
    tile.last = depthSet_.begin + depthSet_.count == shape_.depthCount;
    tile.factor = static_cast<T>(std::ldexp(1.0, -args_.shift));
    tile.range = &seen;
    for (size_t j = 0; j < columnsSet_.count; j += kernels_.tileColumns) {
      tile.columns = std::min(kernels_.tileColumns, columnsSet_.count - j);
      tile.columnOffsets = columnOffsets(op_.operandCount) + j;
      // Result offsets only grow, so the last one tells.
      tile.contiguous =
          tile.columnOffsets[tile.columns - 1] - tile.columnOffsets[0] == tile.columns - 1;
      tile.b = scratch_.packedB.data() + j * depthSet_.count;
      for (size_t i = 0; i < rowsSet_.count; i += kernels_.tileRows) {
        tile.rows = std::min(kernels_.tileRows, rowsSet_.count - i);
        tile.rowOffsets = rowOffsets(op_.operandCount) + i;
        tile.a = scratch_.packedA.data() + i * depthSet_.count;
        kernels_.tile[algebra_](tile);
      }
    }
  }

  const CpuOperation &op_;
  const TileShape &shape_;
  const CpuKernels<T> &kernels_;
  const RunArgs<T> &args_;
  Scratch<T> &scratch_;
  size_t algebra_;
  bool plus_;
  OffsetRange rowsSet_, columnsSet_, depthSet_;
};

} // namespace

template <class T>
void runTiles(const RunArgs<T> &args, const TileBox &box, Scratch<T> &scratch,
              WrittenRange<T> &range) {
  TileRunner<T>(args, scratch).run(box, range);
}

template void runTiles(const RunArgs<double> &, const TileBox &, Scratch<double> &,
                       WrittenRange<double> &);
template void runTiles(const RunArgs<float> &, const TileBox &, Scratch<float> &,
                       WrittenRange<float> &);

} // namespace mpf
