// The tile path: BLIS-like blocked matrix product. Both operands are products of several tables,
// formed while the panels are packed (Van Zee and van de Geijn, "BLIS: A framework for rapidly
// instantiating BLAS functionality", section 3; loop order and block sizes as there).
//
// Log form: the logarithms of a group are added while packing. For a sum each packed entry then
// becomes a mantissa (split_sum.h), the product is the linear one, and its results become
// logarithms at the end; those below the guard are formed again, one by one. For a maximum or
// minimum the product is that of max (min) and plus.
#include "runtime/execute/cpu_run.h"
#include "runtime/execute/split_sum.h"

#include <algorithm>
#include <cmath>

namespace mpf {

namespace {

constexpr size_t kMaxPlus = static_cast<size_t>(Algebra::MaxPlus);

/// Group 0: rows and depth, group 1: depth and columns.
template <class T> SplitSum splitOf(const RunArgs<T> &args) {
  return splitSum(
      {args.states.data(), args.op->operandCount}, 2,
      [&](size_t s) { return args.op->tiles->inA[s] ? 0 : 1; }, args.op->termsLog2,
      kElementType<T>);
}

/// The micro-kernel's algebra: that of mantissas for sums of logarithms, else of logarithms.
template <class T> Algebra tileAlgebra(const RunArgs<T> &args) {
  if (args.log && args.op->algebra == Algebra::MaxTimes)
    return Algebra::MaxPlus;
  if (args.log && args.op->algebra == Algebra::MinTimes)
    return Algebra::MinPlus;
  return args.op->algebra;
}

template <class T> class TileRunner {
public:
  TileRunner(const RunArgs<T> &args, Scratch<T> &scratch)
      : op_(*args.op), shape_(*args.op->tiles), kernels_(*args.kernels), args_(args),
        scratch_(scratch), algebra_(static_cast<size_t>(tileAlgebra(args))), plus_(!op_.scaled),
        logs_(args.log), sums_(op_.algebra == Algebra::SumTimes) {
    if (logs_ && sums_)
      split_ = splitOf(args);
  }

  void run(const TileBox &box, WrittenRange<T> &range) {
    AbsRange<T> seen;
    DigitLoop batch(shape_.batch, op_.slotCount());
    batch.seek(box.batchBegin);
    // With one block in each direction the offsets are the same for every batch address.
    rowsSet_ = columnsSet_ = depthSet_ = {};
    for (uint64_t i = box.batchBegin; i < box.batchEnd; ++i, batch.next())
      multiply(batch, box, seen, range);
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

  void multiply(const DigitLoop &batch, const TileBox &box, AbsRange<T> &seen,
                WrittenRange<T> &range) {
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
      if (logs_)
        finishLogs(batch, box, range);
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
        if (logs_)
          packLogs(s, from, along + i, valid, width, first, panel);
        else if (first)
          packPanel<0>(from, along + i, depthOffsets(s), valid, width, panel);
        else if (plus_)
          packPanel<2>(from, along + i, depthOffsets(s), valid, width, panel);
        else
          packPanel<1>(from, along + i, depthOffsets(s), valid, width, panel);
      }
      first = false;
    }
    if (logs_ && sums_) {
      const size_t entries = (count + width - 1) / width * width * depthSet_.count;
      kernels_.exp2Shifted(packed, packed, static_cast<T>(split_.exponents[groupA ? 0 : 1]),
                           entries);
    }
  }

  /// One panel of one operand, as logarithms: copied, or added to what the panel holds.
  void packLogs(size_t slot, const T *from, const uint64_t *along, size_t valid, size_t width,
                bool first, T *panel) {
    T *to = first ? panel : scratch_.panel.data();
    packPanel<0>(from, along, depthOffsets(slot), valid, width, to);
    const size_t entries = width * depthSet_.count;
    if (!args_.isLog[slot])
      kernels_.log2Abs(to, to, entries);
    if (!first)
      kernels_.combine[kMaxPlus](panel, panel, to, entries);
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
    // In log form finishLogs does what is left to do.
    tile.last = !logs_ && depthSet_.begin + depthSet_.count == shape_.depthCount;
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

  /// Results of the present columns, all rows of the box: from sums of mantissas, or from plain
  /// maxima, to logarithms relative to 2^shift.
  void finishLogs(const DigitLoop &batch, const TileBox &box, WrittenRange<T> &range) {
    const uint64_t *columns = columnOffsets(op_.operandCount);
    const size_t count = columnsSet_.count;
    const bool contiguous = columns[count - 1] - columns[0] == count - 1;
    for (uint64_t i = box.rowBegin; i < box.rowEnd; i += TileBlocks::kRows) {
      setRows({i, std::min<uint64_t>(TileBlocks::kRows, box.rowEnd - i)});
      for (size_t row = 0; row < rowsSet_.count; ++row) {
        T *to = args_.result + batch.offset(op_.operandCount) + rowOffsets(op_.operandCount)[row];
        for (size_t j = 0; j < count; j += kRowElems) {
          const size_t n = std::min(kRowElems, count - j);
          T *entries = contiguous ? to + columns[j] : scratch_.accumulator.data();
          for (size_t c = 0; c < n && !contiguous; ++c)
            entries[c] = to[columns[j + c]];
          finishRow(batch, row, j, entries, n, range);
          for (size_t c = 0; c < n && !contiguous; ++c)
            to[columns[j + c]] = entries[c];
        }
      }
    }
  }

  void finishRow(const DigitLoop &batch, size_t row, size_t column, T *entries, size_t n,
                 WrittenRange<T> &range) {
    T *sums = scratch_.product.data();
    if (sums_) {
      std::copy_n(entries, n, sums);
      kernels_.log2Abs(entries, entries, n);
    }
    const int64_t offset = sums_ ? split_.offset - args_.shift : -int64_t{args_.shift};
    kernels_.combineScalar[kMaxPlus](entries, entries, static_cast<T>(offset), n);
    if (sums_ && !split_.proven) {
      const T guard = static_cast<T>(std::ldexp(1.0, split_.guardLog2));
      for (size_t c = 0; c < n; ++c)
        if (sums[c] < guard)
          entries[c] = sumAgain(batch, row, column + c) - static_cast<T>(args_.shift);
    }
    for (size_t c = 0; c < n; ++c)
      if (std::isfinite(entries[c]))
        range.add(entries[c]);
  }

  /// One result as log-sum-exp, from the tables.
  T sumAgain(const DigitLoop &batch, size_t row, size_t column) {
    std::array<uint64_t, kMaxBundleOperands> base{};
    for (size_t s = 0; s < op_.operandCount; ++s)
      base[s] = batch.offset(s) + (shape_.inA[s] ? rowOffsets(s)[row] : columnOffsets(s)[column]);
    T greatest = -std::numeric_limits<T>::infinity(), total = 0;
    DigitLoop terms(shape_.depth, op_.operandCount);
    do {
      T term = 0;
      for (size_t s = 0; s < op_.operandCount; ++s) {
        const T entry = args_.entries[s][base[s] + terms.offset(s)];
        term += args_.isLog[s] ? entry : std::log2(entry);
      }
      if (term == -std::numeric_limits<T>::infinity())
        continue;
      if (term > greatest) {
        total = total * std::exp2(greatest - term) + 1;
        greatest = term;
      } else {
        total += std::exp2(term - greatest);
      }
    } while (terms.next());
    return total > 0 ? greatest + std::log2(total) : greatest;
  }

  const CpuOperation &op_;
  const TileShape &shape_;
  const CpuKernels<T> &kernels_;
  const RunArgs<T> &args_;
  Scratch<T> &scratch_;
  size_t algebra_;
  bool plus_;
  bool logs_, sums_;
  SplitSum split_; ///< where logarithms are summed
  OffsetRange rowsSet_, columnsSet_, depthSet_;
};

} // namespace

template <class T>
void runTiles(const RunArgs<T> &args, const TileBox &box, Scratch<T> &scratch,
              WrittenRange<T> &range) {
  TileRunner<T>(args, scratch).run(box, range);
}

template <class T> bool tilesRunLogs(const RunArgs<T> &args) {
  return !args.signedValues && (args.op->algebra != Algebra::SumTimes || splitOf(args).worthwhile);
}

template bool tilesRunLogs(const RunArgs<double> &);
template bool tilesRunLogs(const RunArgs<float> &);
template void runTiles(const RunArgs<double> &, const TileBox &, Scratch<double> &,
                       WrittenRange<double> &);
template void runTiles(const RunArgs<float> &, const TileBox &, Scratch<float> &,
                       WrittenRange<float> &);

} // namespace mpf
