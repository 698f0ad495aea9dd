// Finds the best layout of an operation in pages of tiles.
#include "runtime/execute/cpu/tile_draft.h"
#include "runtime/execute/threads/spread_options.h"

#include <algorithm>

namespace mpf {

namespace {

/// Tries candidates and keeps the best.
class TileSearch {
public:
  TileSearch(const CpuOperation &op, const TileTarget &target) : op_(op), target_(target) {
    target_.threads = 1;
  }

  /// Tries a matrix product: kept digits of only operands in `groupA` are rows, those of only the
  /// others columns, and the batch goes outside.
  void trySplit(unsigned groupA) {
    TileRoles roles{};
    for (size_t d = 0; d < op_.kept.size(); ++d) {
      bool a = false, b = false;
      for (size_t s = 0; s < op_.operandCount; ++s)
        if (op_.kept[d].strides[s] != 0)
          ((groupA >> s & 1) != 0 ? a : b) = true;
      roles[d] = a == b ? TileRole::Outside : a ? TileRole::Row : TileRole::Column;
    }
    attempt(roles);
  }

  /// Tries one digit as the only column digit, along which vectors run.
  void tryColumn(size_t digit) {
    TileRoles roles{};
    roles[digit] = TileRole::Column;
    attempt(roles);
  }

  /// Changes the roles of single digits until no digit improves the time.
  void improve() {
    constexpr size_t kRounds = 4;
    const size_t count = op_.kept.size();
    for (size_t i = 0, vain = 0; i < kRounds * count && vain < count; ++i) {
      const double before = bestNs_;
      for (const TileRole role : {TileRole::Outside, TileRole::Row, TileRole::Column}) {
        TileRoles roles = best_;
        roles[i % count] = role;
        if (role != best_[i % count])
          attempt(roles);
      }
      vain = bestNs_ < before ? 1 : vain + 1; // the digit's other roles were tried too
    }
  }

  bool found() const { return bestNs_ >= 0; }
  double bestNs() const { return bestNs_; }
  const TileRoles &best() const { return best_; }

private:
  void attempt(const TileRoles &roles) {
    const auto end = roles.begin() + static_cast<ptrdiff_t>(op_.kept.size());
    if (std::find(roles.begin(), end, TileRole::Column) == end)
      return;
    const double ns = draftTiles(op_, roles, target_).timeNs;
    if (bestNs_ < 0 || ns < bestNs_) {
      bestNs_ = ns;
      best_ = roles;
    }
  }

  const CpuOperation &op_;
  TileTarget target_;
  TileRoles best_{};
  double bestNs_ = -1;
};

LoopDigit pieceOf(LoopDigit digit, uint64_t step) {
  digit.extent = step;
  return digit;
}

PageDigits pageDigits(std::span<const LoopDigit> digits, const DraftDirection &draft) {
  PageDigits page;
  for (size_t i = 0; i < draft.count; ++i) {
    const LoopDigit &digit = digits[draft.digits[i]];
    page.digits.push_back(i == 0 && draft.step != 0 ? pieceOf(digit, draft.step) : digit);
  }
  page.elems = draft.elems;
  page.lastElems = draft.lastElems;
  page.pieces = draft.pieces;
  return page;
}

TileShape shapeOf(const CpuOperation &op, const TileDraft &draft) {
  TileShape shape;
  shape.groups = draft.groups;
  for (size_t group = 0; group < kTileGroups; ++group)
    shape.present[group] = (draft.present >> group & 1) != 0;
  shape.rows = pageDigits(op.kept, draft.rows);
  shape.columns = pageDigits(op.kept, draft.columns);
  shape.depth = pageDigits(op.reduced, draft.depth);
  for (size_t i = 0; i < draft.outsideCount; ++i) {
    const OutsideDigit &digit = draft.outside[i];
    shape.pages.push_back(piecesOf(op.kept[digit.digit], digit.extent, digit.step));
  }
  // The outside reduced digits: those before the page's digits, the cut one last.
  const size_t whole = op.reduced.size() - draft.depth.count;
  for (size_t d = 0; d < whole; ++d)
    shape.depthPages.push_back(op.reduced[d]);
  if (draft.depth.step != 0) {
    const LoopDigit &cut = op.reduced[whole];
    shape.depth.pieces = shape.depthPages.size();
    shape.depthPages.push_back(
        piecesOf(cut, (cut.extent + draft.depth.step - 1) / draft.depth.step, draft.depth.step));
  }
  shape.pageCount = draft.pageCount;
  shape.innerPages = draft.innerPages;
  shape.depthPageCount = draft.depthPageCount;
  shape.timeNs = draft.timeNs;
  return shape;
}

} // namespace

std::optional<TileShape> buildTileShape(const CpuOperation &op, const TileTarget &target) {
  if (op.operandCount < 2 || op.reduced.empty() || op.kept.empty())
    return std::nullopt;
  TileSearch search(op, target);
  const unsigned splits = 1U << op.operandCount;
  for (unsigned groupA = 1; groupA + 1 < splits; ++groupA)
    search.trySplit(groupA);
  // A longer search does not pay for short operations.
  constexpr double kWorthSearching = 1 << 14;
  if (op.addresses() >= kWorthSearching) {
    for (size_t d = 0; d < op.kept.size(); ++d)
      search.tryColumn(d);
    search.improve();
  }
  if (!search.found())
    return std::nullopt;
  const bool shared = target.threads > 1 && worthWaking(search.bestNs());
  TileTarget chosen = target;
  chosen.threads = shared ? target.threads : 1;
  TileShape shape = shapeOf(op, draftTiles(op, search.best(), chosen));
  shape.timeNs = search.bestNs();
  return shape;
}

} // namespace mpf
