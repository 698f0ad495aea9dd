// The tile path: a blocked matrix product over pages, in the manner of BLIS.
//
// A sum in log form is the linear product of mantissas (pack_page.h). Its results become logarithms
// at the end; those below the guard are computed again, one by one. For a maximum or minimum the
// product is that of max (min) and plus.
#include "runtime/execute/cpu/pack_page.h"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace mpf {

namespace {

/// Returns the micro-kernel's semiring: that of mantissas for sums of logarithms, else that of
/// logarithms.
template <class T> StoredSemiring tileSemiring(const RunArgs<T> &args) {
  if (args.log && args.op->semiring == StoredSemiring::MaxTimes)
    return StoredSemiring::MaxPlus;
  if (args.log && args.op->semiring == StoredSemiring::MinTimes)
    return StoredSemiring::MinPlus;
  return args.op->semiring;
}

template <class T> size_t tallestOf(const RunArgs<T> &args) {
  const bool faces = args.op->tiles->present[static_cast<size_t>(TileGroup::Faces)];
  return faces ? kFaceRows : args.kernels->tileRows;
}

template <class T> ScaledLogSum splitIfSummed(const RunArgs<T> &args) {
  return args.log && args.op->semiring == StoredSemiring::SumTimes ? splitOfTiles(args)
                                                                   : ScaledLogSum{};
}

template <class T> class TileRunner {
public:
  TileRunner(const RunArgs<T> &args, Scratch<T> &scratch)
      : op_(*args.op), shape_(*args.op->tiles), kernels_(*args.kernels), args_(args),
        scratch_(scratch), semiring_(static_cast<size_t>(tileSemiring(args))), logs_(args.log),
        sums_(op_.semiring == StoredSemiring::SumTimes), tallest_(tallestOf(args)),
        split_(splitIfSummed(args)), packer_(args, scratch, tallest_, split_),
        pages_(shape_.pages, op_.slotCount()), depthPages_(shape_.depthPages, op_.operandCount) {
    faces_ = shape_.present[static_cast<size_t>(TileGroup::Faces)];
    rowRun_ = evenRun(shape_.rows.digits, op_.operandCount);
    columnRun_ = evenRun(shape_.columns.digits, op_.operandCount);
    inLine_ = columnRun_.step == 1 && columnRun_.count == shape_.columns.elems;
    std::iota(inLineOffsets_.begin(), inLineOffsets_.end(), 0);
    for (size_t i = 0; i < tileOffsets_.size(); ++i)
      tileOffsets_[i] = i * kernels_.tileColumns;
  }

  void run(uint64_t begin, uint64_t end, WrittenRange<T> &range) {
    LaneRange<T> seen;
    for (uint64_t at = begin; at < end;) {
      const uint64_t stop = std::min(end, (at / shape_.innerPages + 1) * shape_.innerPages);
      uint64_t depthPage = 0;
      do {
        if (at == begin || depthPage > 0)
          pages_.seek(at);
        for (uint64_t page = at; page < stop; ++page, pages_.next()) {
          multiply(depthPage, seen);
          if (logs_ && depthPage + 1 == shape_.depthPageCount)
            finishLogs(range);
        }
        ++depthPage;
      } while (depthPages_.next());
      at = stop;
    }
    if (const AbsRange<T> total = seen.total(); total.greatest > 0) {
      range.add(total.least);
      range.add(total.greatest);
    }
  }

private:
  /// Limits below which results are written one by one: number of rows, and length of column runs.
  static constexpr size_t kFewAcross = 3, kShortRun = 4;
  static constexpr size_t kMaxPlus = static_cast<size_t>(StoredSemiring::MaxPlus);

  /// Returns the addresses in the current page along one direction: the last piece of a digit may
  /// be short.
  static size_t lengthOf(const PageDigits &page, const DigitLoop &outside,
                         std::span<const LoopDigit> digits) {
    const bool last = page.pieces != PageDigits::kUncut &&
                      outside.value(page.pieces) + 1 == digits[page.pieces].extent;
    return last ? page.lastElems : page.elems;
  }

  void multiply(uint64_t depthPage, LaneRange<T> &seen) {
    for (size_t s = 0; s < op_.operandCount; ++s)
      page_.base[s] = pages_.offset(s) + depthPages_.offset(s);
    page_.rows = lengthOf(shape_.rows, pages_, shape_.pages);
    page_.columns = lengthOf(shape_.columns, pages_, shape_.pages);
    page_.depth = lengthOf(shape_.depth, depthPages_, shape_.depthPages);
    packer_.load(page_);

    TileArgs<T> tile;
    tile.depth = page_.depth;
    tile.first = depthPage == 0;
    // finishLogs scales and records in log form.
    tile.last = !logs_ && depthPage + 1 == shape_.depthPageCount;
    tile.factor = static_cast<T>(std::ldexp(1.0, -args_.shift));
    tile.range = &seen;
    // If all columns stay in the first-level cache, each row of tiles passes over them, so that
    // results are written in order. Otherwise the columns of one tile stay there for all rows of
    // tiles.
    if (faces_ || packer_.near()) {
      for (size_t i = 0; i < page_.rows; i += tile.rows)
        for (size_t j = 0; j < page_.columns; j += kernels_.tileColumns)
          runTile(i, j, tile);
    } else {
      for (size_t j = 0; j < page_.columns; j += kernels_.tileColumns)
        for (size_t i = 0; i < page_.rows; i += tile.rows)
          runTile(i, j, tile);
    }
  }

  void runTile(size_t row, size_t column, TileArgs<T> &tile) {
    const size_t height = nextTileHeight(page_.rows - row, tallest_);
    tile.rows = std::min(height, page_.rows - row);
    tile.columns = std::min(kernels_.tileColumns, page_.columns - column);
    packer_.place(row, column, height, tile);
    const auto place = std::lower_bound(kTileHeights.begin(), kTileHeights.end(), height);
    const auto &kernels = faces_ ? kernels_.faceTile[semiring_] : kernels_.tile[semiring_];
    runKernel(kernels[place - kTileHeights.begin()], row, column, tile);
  }

  /// Runs a kernel. Results that are not contiguous go through a tile of the scratch memory.
  void runKernel(void (*kernel)(const TileArgs<T> &), size_t row, size_t column,
                 TileArgs<T> &tile) {
    T *to = args_.result + pages_.offset(op_.operandCount);
    const uint64_t *rows = packer_.rowOffsets(op_.operandCount) + row;
    const uint64_t *columns = packer_.columnOffsets(op_.operandCount) + column;
    if (inLine_) {
      tile.result = to + column;
      tile.rowOffsets = rows;
      return kernel(tile);
    }
    tile.result = scratch_.tile.data();
    tile.rowOffsets = tileOffsets_.data();
    if (!tile.first)
      for (size_t i = 0; i < tile.rows; ++i)
        for (size_t j = 0; j < tile.columns; ++j)
          tile.result[tileOffsets_[i] + j] = to[rows[i] + columns[j]];
    kernel(tile);
    if (tile.rows >= kFewAcross && rowRun_.step == 1 && rowRun_.count >= shape_.rows.elems) {
      writeAcross(row, column, tile);
      return;
    }
    if (columnRun_.step == 1 && columnRun_.count >= kShortRun &&
        row % rowRun_.count + tile.rows <= rowRun_.count) {
      writeRuns(row, column, tile);
      return;
    }
    for (size_t i = 0; i < tile.rows; ++i) {
      const T *from = tile.result + tileOffsets_[i];
      for (size_t j = 0; j < tile.columns; ++j)
        to[rows[i] + columns[j]] = from[j];
    }
  }

  T *resultAt(size_t row, size_t column) const {
    return args_.result + pages_.offset(op_.operandCount) +
           packer_.rowOffsets(op_.operandCount)[row] +
           packer_.columnOffsets(op_.operandCount)[column];
  }
  /// Returns how many of `most` columns from `column` on have equal distances in the result.
  size_t columnsInRun(size_t column, size_t most) const {
    return std::min<size_t>(most, columnRun_.count - column % columnRun_.count);
  }

  /// Writes a tile with some columns contiguous in the result, and all rows at equal distances.
  void writeRuns(size_t row, size_t column, const TileArgs<T> &tile) {
    PackArgs<T> p;
    p.along = inLineOffsets_.data();
    p.deep = tileOffsets_.data();
    p.width = rowRun_.step;
    p.depth = tile.rows;
    for (size_t j = 0; j < tile.columns; j += p.valid) {
      p.valid = columnsInRun(column + j, tile.columns - j);
      p.from = tile.result + j;
      p.panel = resultAt(row, column + j);
      kernels_.pack.along[1][static_cast<size_t>(PackMode::Copy)](p);
    }
  }

  /// Writes a tile whose neighbouring rows are neighbours in the result: it is transposed, as for
  /// packing.
  void writeAcross(size_t row, size_t column, const TileArgs<T> &tile) {
    PackArgs<T> p;
    p.from = tile.result;
    p.along = tileOffsets_.data();
    p.valid = tile.rows;
    p.width = columnRun_.step;
    for (size_t j = 0; j < tile.columns; j += p.depth) {
      p.depth = columnsInRun(column + j, tile.columns - j);
      p.deep = inLineOffsets_.data() + j;
      p.panel = resultAt(row, column + j);
      kernels_.pack.across[static_cast<size_t>(PackMode::Copy)](p);
    }
  }

  /// Converts the results of the current page, sums of mantissas or plain maxima, to logarithms
  /// relative to 2^shift.
  void finishLogs(WrittenRange<T> &range) {
    const uint64_t *rows = packer_.rowOffsets(op_.operandCount);
    const uint64_t *columns = packer_.columnOffsets(op_.operandCount);
    for (size_t row = 0; row < page_.rows; ++row) {
      T *to = args_.result + pages_.offset(op_.operandCount) + rows[row];
      for (size_t j = 0; j < page_.columns; j += kRowElems) {
        const size_t n = std::min(kRowElems, page_.columns - j);
        T *entries = inLine_ ? to + j : scratch_.accumulator.data();
        for (size_t c = 0; c < n && !inLine_; ++c)
          entries[c] = to[columns[j + c]];
        finishRow(row, j, entries, n, range);
        for (size_t c = 0; c < n && !inLine_; ++c)
          to[columns[j + c]] = entries[c];
      }
    }
  }

  void finishRow(size_t row, size_t column, T *entries, size_t n, WrittenRange<T> &range) {
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
          entries[c] = underflowRecompute(row, column + c) - static_cast<T>(args_.shift);
    }
    for (size_t c = 0; c < n; ++c)
      if (std::isfinite(entries[c]))
        range.add(entries[c]);
  }

  /// Computes one result as log-sum-exp from the tables.
  T underflowRecompute(size_t row, size_t column) {
    std::array<uint64_t, kMaxBundleOperands> base{};
    for (size_t s = 0; s < op_.operandCount; ++s)
      base[s] = pages_.offset(s) + packer_.rowOffsets(s)[row] + packer_.columnOffsets(s)[column];
    T greatest = -std::numeric_limits<T>::infinity(), total = 0;
    DigitLoop terms(op_.reduced, op_.operandCount);
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
  size_t semiring_;
  bool logs_, sums_, faces_ = false;
  EvenRun rowRun_, columnRun_; ///< runs of rows and columns in the result
  bool inLine_ = false;        ///< results of a page's columns are neighbours
  size_t tallest_;
  ScaledLogSum split_; ///< used if logarithms are summed
  PagePacker<T> packer_;
  DigitLoop pages_, depthPages_;
  TilePageAt page_;
  /// Offsets of the rows and columns of results in the scratch memory.
  std::array<uint64_t, kTileHeights.back()> tileOffsets_{};
  std::array<uint64_t, 64> inLineOffsets_{};
};

} // namespace

template <class T>
void runTiles(const RunArgs<T> &args, uint64_t begin, uint64_t end, Scratch<T> &scratch,
              WrittenRange<T> &range) {
  TileRunner<T>(args, scratch).run(begin, end, range);
}

template <class T> bool tilesRunLogs(const RunArgs<T> &args) {
  return !args.signedValues &&
         (args.op->semiring != StoredSemiring::SumTimes || splitOfTiles(args).worthwhile);
}

template bool tilesRunLogs(const RunArgs<double> &);
template bool tilesRunLogs(const RunArgs<float> &);
template void runTiles(const RunArgs<double> &, uint64_t, uint64_t, Scratch<double> &,
                       WrittenRange<double> &);
template void runTiles(const RunArgs<float> &, uint64_t, uint64_t, Scratch<float> &,
                       WrittenRange<float> &);

} // namespace mpf
