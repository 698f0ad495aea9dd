// Chooses the digits of pages and the order of pages, and predicts their time.
#include "runtime/execute/cpu/tile_draft.h"

#include "dsl/support/check.h"
#include "dsl/support/counts.h"
#include "runtime/execute/cpu/table_cost.h"

#include <algorithm>
#include <bit>

namespace mpf {

namespace {

// Nanoseconds on a typical core; only their ratios matter.
constexpr double kStepNs = 0.3;      ///< one row of a tile, two vectors wide, one k
constexpr double kFaceStepNs = 0.6;  ///< kStepNs with faces
constexpr double kTermNs = 1.1;      ///< one k of a tile, at least: multiply-adds of one result
constexpr double kShortTermNs = 0.5; ///< kTermNs if tiles of few terms overlap
constexpr uint64_t kFewTerms = 32;
constexpr double kTileNs = 6;     ///< start one register tile
constexpr double kTileRowNs = 2;  ///< end one of its rows
constexpr double kPageNs = 60;    ///< start one page
constexpr double kPanelNs = 20;   ///< start one operand's share of a packed panel
constexpr double kAlongNs = 0.12; ///< pack one entry that is next to its neighbour in memory
constexpr double kRunNs = 2;      ///< start a run of neighbours
constexpr double kAcrossNsPerByte = 0.0375; ///< pack transposed, in square blocks of vectors
constexpr double kStridedNsPerByte = 0.02;  ///< pack strided entries, picked out of vectors
constexpr double kDirectNs = 0.03;          ///< fetch one contiguous entry
constexpr double kGatherNs = 0.6;           ///< pack a single entry
constexpr double kFarNs = 2; ///< pack a single entry that is in a separate page of memory
constexpr uint64_t kFarElems = 512;
constexpr double kScatterNs = 0.6; ///< write a single result
constexpr double kTurnNs = 0.5;    ///< write a single result if rows are neighbours: transposed
constexpr uint64_t kShortRun = 4;  ///< shorter runs of neighbours are gathered

constexpr uint8_t bitOf(TileGroup group) { return static_cast<uint8_t>(1U << unsigned(group)); }

uint64_t roundUpTo(uint64_t value, uint64_t step) { return (value + step - 1) / step * step; }

class Drafter {
public:
  Drafter(const CpuOperation &op, const TileRoles &roles, const TileTarget &target)
      : op_(op), roles_(roles), target_(target) {}

  TileDraft draft() {
    groupOperands();
    choosePage();
    orderOutside();
    draft_.timeNs = timeNs();
    return draft_;
  }

private:
  /// Places in TileDraft::outside.
  using Places = std::array<uint8_t, kMaxBundleDigits + 2>;

  void groupOperands() {
    for (size_t s = 0; s < op_.operandCount; ++s) {
      bool rows = false, columns = false;
      for (size_t d = 0; d < op_.kept.size(); ++d) {
        rows |= roles_[d] == TileRole::Row && op_.kept[d].strides[s] != 0;
        columns |= roles_[d] == TileRole::Column && op_.kept[d].strides[s] != 0;
      }
      // Operands that depend on neither join the smaller of the packed blocks.
      draft_.groups[s] = rows && columns ? TileGroup::Faces
                         : columns       ? TileGroup::Columns
                                         : TileGroup::Rows;
      draft_.present = static_cast<uint8_t>(draft_.present | bitOf(draft_.groups[s]));
    }
  }

  uint8_t groupsOf(const LoopDigit &digit) const {
    uint8_t groups = 0;
    for (size_t s = 0; s < op_.operandCount; ++s)
      if (digit.strides[s] != 0)
        groups = static_cast<uint8_t>(groups | bitOf(draft_.groups[s]));
    return groups;
  }

  /// Makes the largest page within the limits: the fastest digits of the role, whole as far as they
  /// fit, the next one in pieces of about equal size.
  void fill(DraftDirection &to, std::span<const LoopDigit> digits, TileRole role, uint64_t limit,
            uint64_t multiple) {
    to = {};
    bool full = false;
    for (size_t d = digits.size(); d-- > 0;) {
      if (role != TileRole::Outside && roles_[d] != role)
        continue;
      const uint64_t extent = digits[d].extent;
      if (!full && to.elems * extent <= limit) {
        to.elems *= extent;
        to.digits[to.count++] = static_cast<uint8_t>(d);
        continue;
      }
      const uint64_t most = limit / to.elems;
      if (full || most < 2) {
        full = true;
        addOutside(digits, d, role, extent, 1, false);
        continue;
      }
      full = true;
      uint64_t step = (extent + (extent + most - 1) / most - 1) / ((extent + most - 1) / most);
      // All pieces except the last have whole tiles.
      if (const uint64_t whole = roundUpTo(step, multiple);
          to.elems == 1 && whole <= most && whole < extent)
        step = whole;
      const uint64_t pieces = (extent + step - 1) / step;
      to.step = step;
      to.lastElems = to.elems * (extent - (pieces - 1) * step);
      to.elems *= step;
      to.digits[to.count++] = static_cast<uint8_t>(d);
      if (role != TileRole::Outside)
        to.pieces = draft_.outsideCount;
      addOutside(digits, d, role, pieces, step, true);
    }
    if (to.step == 0)
      to.lastElems = to.elems;
    std::reverse(to.digits.begin(), to.digits.begin() + static_cast<ptrdiff_t>(to.count));
  }

  void addOutside(std::span<const LoopDigit> digits, size_t d, TileRole role, uint64_t extent,
                  uint64_t step, bool piece) {
    if (role == TileRole::Outside) { // reduced digits make pages of depth
      draft_.depthPageCount *= extent;
      return;
    }
    draft_.outside[draft_.outsideCount++] = {static_cast<uint8_t>(d), piece,  role == TileRole::Row,
                                             groupsOf(digits[d]),     extent, step};
  }

  void choosePage() {
    fill(draft_.depth, op_.reduced, TileRole::Outside, TilePage::kDepth, 1);
    const bool faces = (draft_.present & bitOf(TileGroup::Faces)) != 0;
    uint64_t rowLimit = TilePage::kRows;
    if (faces)
      rowLimit = std::clamp<uint64_t>(TilePage::kFaceElems / draft_.depth.elems / target_.columns,
                                      kFaceRows, TilePage::kFaceRows);
    uint64_t columnLimit = TilePage::kColumns;
    const size_t parts = target_.threads == 1 ? 1 : 4 * target_.threads;
    for (;;) {
      draft_.outsideCount = 0;
      const uint64_t tallest = faces ? kFaceRows : target_.rows;
      fill(draft_.rows, op_.kept, TileRole::Row, rowLimit, tallest);
      if (faces) {
        const uint64_t most = TilePage::kFaceElems / draft_.rows.elems / draft_.depth.elems;
        columnLimit =
            std::clamp(most / target_.columns * target_.columns, target_.columns, columnLimit);
      }
      fill(draft_.columns, op_.kept, TileRole::Column, columnLimit, target_.columns);
      addIntegers();
      draft_.pageCount = 1;
      for (size_t i = 0; i < draft_.outsideCount; ++i)
        draft_.pageCount *= draft_.outside[i].extent;
      // Pages are halved until all threads have one.
      if (draft_.pageCount >= parts)
        return;
      if (draft_.columns.elems > 4 * target_.columns && draft_.columns.elems >= draft_.rows.elems)
        columnLimit = roundUpTo(draft_.columns.elems / 2, target_.columns);
      else if (draft_.rows.elems > 2 * tallest)
        rowLimit = roundUpTo(draft_.rows.elems / 2, tallest);
      else if (draft_.columns.elems > 2 * target_.columns)
        columnLimit = roundUpTo(draft_.columns.elems / 2, target_.columns);
      else
        return;
    }
  }

  void addIntegers() {
    for (size_t d = 0; d < op_.kept.size(); ++d)
      if (roles_[d] == TileRole::Outside)
        draft_.outside[draft_.outsideCount++] = {
            static_cast<uint8_t>(d), false, false, groupsOf(op_.kept[d]), op_.kept[d].extent, 1};
  }

  /// Returns how often a group is packed: whenever an outside digit of its operands changes.
  double packings(TileGroup group, std::span<const uint8_t> places) const {
    double count = 1, changes = 1;
    for (const uint8_t place : places) {
      count *= static_cast<double>(draft_.outside[place].extent);
      if ((draft_.outside[place].groups & bitOf(group)) != 0)
        changes = count;
    }
    if (draft_.depthPageCount > 1) {
      const double inner = group == TileGroup::Columns ? double(draft_.innerPages) : 1;
      changes = static_cast<double>(draft_.pageCount * draft_.depthPageCount) / inner;
    }
    return changes;
  }

  /// Returns the time to pack a group for one page. A single operand with contiguous columns and
  /// evenly spaced terms is not packed.
  double packPageNs(TileGroup group) const {
    const auto rows = static_cast<double>(draft_.rows.elems);
    const auto columns = static_cast<double>(draft_.columns.elems);
    const double elems =
        static_cast<double>(draft_.depth.elems) * (group == TileGroup::Rows      ? rows
                                                   : group == TileGroup::Columns ? columns
                                                                                 : rows * columns);
    const DraftDirection &along = group == TileGroup::Rows ? draft_.rows : draft_.columns;
    const auto bytes = static_cast<double>(target_.entryBytes);
    const double acrossNs = kAcrossNsPerByte * bytes * blocksOver(along.elems);
    double perEntry = 0, packNs = 0;
    size_t operands = 0;
    bool direct = group != TileGroup::Rows;
    for (size_t s = 0; s < op_.operandCount; ++s) {
      if (draft_.groups[s] != group)
        continue;
      ++operands;
      const EvenRun run = runOf(op_.kept, along, s), deep = runOf(op_.reduced, draft_.depth, s);
      const bool inLine = run.step <= 1 && run.count >= 2 * kShortRun;
      direct &= run.step == 1 && run.count >= along.elems;
      perEntry += kDirectNs + memoryNs(s);
      packNs += inLine ? kAlongNs + kRunNs / static_cast<double>(std::min(run.count, along.elems))
                : deep.step == 1 && deep.count >= kShortRun            ? acrossNs
                : run.step <= kPackSteps && run.count >= 2 * kShortRun ? kStridedNsPerByte * bytes
                : run.step >= kFarElems                                ? kFarNs
                                                                       : kGatherNs;
    }
    direct &=
        group == TileGroup::Faces || draft_.rows.elems <= TilePage::kDirectTiles * target_.rows;
    if (direct && operands == 1)
      return perEntry * elems;
    return (perEntry + packNs) * elems + kPanelNs * panels(group) * static_cast<double>(operands);
  }

  /// Returns the number of panels of a group. A panel has the rows of a tile; the columns of a
  /// tile, or all if they stay near; or such columns for one row of faces.
  double panels(TileGroup group) const {
    if (group == TileGroup::Rows)
      return static_cast<double>(ceilDivide(draft_.rows.elems, target_.rows));
    const bool near =
        TilePage::isNear(draft_.columns.elems, draft_.depth.elems, target_.entryBytes);
    const uint64_t across = near ? 1 : ceilDivide(draft_.columns.elems, target_.columns);
    return static_cast<double>(group == TileGroup::Faces ? across * draft_.rows.elems : across);
  }

  /// Returns the ratio of the entries of whole square blocks, in which vectors transpose, to the
  /// entries of the page.
  double blocksOver(uint64_t along) const {
    const uint64_t width = target_.columns / 2;
    const auto rounded = [width](uint64_t elems) {
      return static_cast<double>(roundUpTo(elems, width)) / static_cast<double>(elems);
    };
    return rounded(std::min(along, target_.columns)) * rounded(draft_.depth.elems);
  }

  /// Returns the run of a page's first addresses that have equal distances in a table.
  static EvenRun runOf(std::span<const LoopDigit> digits, const DraftDirection &along,
                       size_t slot) {
    EvenRun run;
    if (along.count == 0)
      return run;
    run.step = digits[along.digits[along.count - 1]].strides[slot];
    for (size_t i = along.count; i-- > 0;) {
      const LoopDigit &digit = digits[along.digits[i]];
      if (digit.strides[slot] != run.step * run.count)
        return run;
      run.count *= i == 0 && along.step != 0 ? along.step : digit.extent;
    }
    return run;
  }

  /// Returns the time to move one entry through the caches.
  double memoryNs(size_t slot) const {
    return memoryNsPerByte(op_, slot, target_.entryBytes) * static_cast<double>(target_.entryBytes);
  }

  /// Returns the time to pack all groups if the outside digits are in the order of `places`.
  double packNs(std::span<const uint8_t> places) const {
    double total = 0;
    for (size_t group = 0; group < kTileGroups; ++group)
      if ((draft_.present >> group & 1) != 0)
        total += packings(static_cast<TileGroup>(group), places) * packPageNs_[group];
    return total;
  }

  /// Orders the outside digits so that least is packed: digits that the costliest groups lack are
  /// fastest. With several pages of depth the loop over rows is inside them, as in BLIS.
  void orderOutside() {
    const auto isPresent = [this](size_t group) { return (draft_.present >> group & 1) != 0; };
    for (size_t group = 0; group < kTileGroups; ++group)
      if (isPresent(group))
        packPageNs_[group] = packPageNs(static_cast<TileGroup>(group));
    const size_t count = draft_.outsideCount;
    const bool deep = draft_.depthPageCount > 1;
    draft_.innerPages = 1;
    for (size_t i = 0; i < count && deep; ++i)
      draft_.innerPages *= draft_.outside[i].fromRow ? draft_.outside[i].extent : 1;
    static constexpr std::array<std::array<uint8_t, kTileGroups>, 6> kOrders{
        {{0, 1, 2}, {0, 2, 1}, {1, 0, 2}, {1, 2, 0}, {2, 0, 1}, {2, 1, 0}}};
    Places best{};
    packNs_ = -1;
    for (size_t k = 0; k < kOrders.size() && (count > 1 || k == 0); ++k) {
      if (count > 1 && !std::is_partitioned(kOrders[k].begin(), kOrders[k].end(), isPresent))
        continue; // another order differs in absent groups alone
      const Places places = sorted(kOrders[k], deep);
      if (const double ns = packNs(std::span(places).first(count)); packNs_ < 0 || ns < packNs_) {
        packNs_ = ns;
        best = places;
      }
    }
    const auto start = draft_.outside;
    const size_t rows = draft_.rows.pieces, columns = draft_.columns.pieces;
    for (size_t i = 0; i < count; ++i) {
      draft_.outside[i] = start[best[i]];
      if (rows == best[i])
        draft_.rows.pieces = i;
      if (columns == best[i])
        draft_.columns.pieces = i;
    }
  }

  /// Returns the outside digits, those first that more of the first groups of `order` depend on.
  /// Digits that are alike stay in their order.
  Places sorted(const std::array<uint8_t, kTileGroups> &order, bool deep) const {
    constexpr size_t kKeys = size_t{2} << kTileGroups;
    std::array<uint8_t, kMaxBundleDigits + 2> keys{};
    std::array<size_t, kKeys + 1> ends{}; // by key, the greatest first
    for (size_t i = 0; i < draft_.outsideCount; ++i) {
      unsigned value = deep && draft_.outside[i].fromRow ? 0 : 1;
      for (const uint8_t group : order)
        value = value << 1 | (draft_.outside[i].groups >> group & 1);
      keys[i] = static_cast<uint8_t>(kKeys - 1 - value);
      ++ends[keys[i] + 1U];
    }
    for (size_t key = 0; key < kKeys; ++key)
      ends[key + 1] += ends[key];
    Places places{};
    for (size_t i = 0; i < draft_.outsideCount; ++i)
      places[ends[keys[i]]++] = static_cast<uint8_t>(i);
    return places;
  }

  double timeNs() const {
    const bool faces = (draft_.present & bitOf(TileGroup::Faces)) != 0;
    const size_t tallest = faces ? kFaceRows : target_.rows;
    double tiles = 0, heights = 0;
    for (size_t left = draft_.rows.elems; left > 0;) {
      const size_t height = nextTileHeight(left, tallest);
      tiles += 1;
      heights += static_cast<double>(height);
      left -= std::min(left, height);
    }
    const double across =
        static_cast<double>((draft_.columns.elems + target_.columns - 1) / target_.columns);
    const double pages = static_cast<double>(draft_.pageCount * draft_.depthPageCount);
    const double step = faces ? kFaceStepNs : kStepNs;
    const double terms = static_cast<double>(draft_.depth.elems);
    const double least = draft_.depth.elems < kFewTerms ? kShortTermNs : kTermNs;
    const double stepNs = std::max(tiles * least, heights * step);
    double pageNs = kPageNs + across * (tiles * kTileNs + heights * kTileRowNs + terms * stepNs);
    const EvenRun result = runOf(op_.kept, draft_.columns, op_.operandCount);
    if (result.step != 1 || result.count < draft_.columns.elems) {
      const EvenRun rows = runOf(op_.kept, draft_.rows, op_.operandCount);
      const bool turned = rows.step == 1 && rows.count >= draft_.rows.elems && rows.count > 2;
      const bool runs = result.step == 1 && result.count >= kShortRun;
      const double entryNs = runs     ? kAlongNs + kRunNs / static_cast<double>(result.count)
                             : turned ? kTurnNs
                             : result.step >= kFarElems ? kFarNs
                                                        : kScatterNs;
      pageNs += entryNs * static_cast<double>(draft_.rows.elems * draft_.columns.elems) *
                (draft_.depthPageCount > 1 ? 2 : 1);
    }
    // The last piece of a digit may be short.
    const double whole =
        static_cast<double>(op_.keptElems) /
        static_cast<double>(draft_.pageCount * draft_.rows.elems * draft_.columns.elems);
    const double resultNs =
        memoryNs(op_.operandCount) * static_cast<double>(op_.keptElems * draft_.depthPageCount);
    return pages * pageNs * std::min(1.0, whole) + packNs_ + resultNs;
  }

  const CpuOperation &op_;
  const TileRoles &roles_;
  const TileTarget &target_;
  TileDraft draft_;
  std::array<double, kTileGroups> packPageNs_{}; ///< of present groups
  double packNs_ = 0;                            ///< of all pages
};

} // namespace

size_t nextTileHeight(size_t rows, size_t tallest) {
  if (rows >= tallest)
    return tallest;
  const auto above = std::lower_bound(kTileHeights.begin(), kTileHeights.end(), rows);
  MPF_CHECK(above != kTileHeights.end() && rows > 0, "no tile for {} rows, the tallest has {}",
            rows, tallest);
  // One unused row is cheaper than a second tile.
  return *above - rows <= 1 && *above <= tallest ? *above : *(above - 1);
}

TileDraft draftTiles(const CpuOperation &op, const TileRoles &roles, const TileTarget &target) {
  return Drafter(op, roles, target).draft();
}

} // namespace mpf
