#include "codegen/emit/lanes/teams/team_tile.h"

#include "codegen/emit/lanes/teams/tile_cost.h"
#include "dsl/support/merge_digits.h"

#include <algorithm>
#include <limits>

namespace mpf {

namespace {

constexpr size_t kMostTrials = 20000;

class TileSearch {
public:
  TileSearch(const TileCost &cost, bool whole) : cost_(cost), cuts_(cost.leastCuts()) {
    for (size_t d = 0; whole && d < cuts_.size(); ++d)
      cuts_[d] = cost.extent(d);
  }

  /// Returns, by kept digit, the number of its values within a tile. Empty if no tile fits.
  const std::vector<uint64_t> &run() {
    tryDigit(cuts_.size());
    return best_;
  }
  double bestCycles() const { return bestCycles_; }

private:
  /// Tries all cuts of the digits below `digit`. The cuts of the digits from `digit` on are set.
  void tryDigit(size_t digit) {
    if (digit == 0) {
      ++trials_;
      const double cycles = cost_.cycles(cuts_);
      if (cycles < bestCycles_) {
        bestCycles_ = cycles;
        best_ = cuts_;
      }
      return;
    }
    const uint64_t least = cuts_[digit - 1], extent = cost_.extent(digit - 1);
    for (uint64_t cut = least; cut <= extent && trials_ < kMostTrials; ++cut) {
      cuts_[digit - 1] = cut;
      if (!cost_.fits(cuts_))
        break; // larger cuts do not fit either
      if (extent % cut == 0)
        tryDigit(digit - 1);
    }
    cuts_[digit - 1] = least;
  }

  const TileCost &cost_;
  std::vector<uint64_t> cuts_, best_;
  double bestCycles_ = std::numeric_limits<double>::infinity();
  size_t trials_ = 0;
};

/// Replaces digit d by two digits: the number of a stretch of `cut` values, and the place within
/// it.
void cutDigit(LaneOperation &operation, size_t d, uint64_t cut) {
  const auto at = static_cast<ptrdiff_t>(d);
  operation.digits[d].extent /= cut;
  operation.digits.insert(operation.digits.begin() + at + 1, {cut, operation.digits[d].reduced});
  for (LaneAccess *access : allSlots(operation)) {
    const uint64_t stride = access->stridesElems[d];
    access->stridesElems[d] = stride * cut;
    access->stridesElems.insert(access->stridesElems.begin() + at + 1, stride);
  }
}

} // namespace

uint64_t TeamTile::product(const std::vector<size_t> &digits) const {
  uint64_t count = 1;
  for (const size_t d : digits)
    count *= operation.slots.digits[d].extent;
  return count;
}

std::vector<size_t> TeamTile::movedBy(size_t slot, const std::vector<size_t> &digits) const {
  std::vector<size_t> moved;
  for (const size_t d : digits)
    if (operation.slots.slot(slot).stridesElems[d] != 0)
      moved.push_back(d);
  return moved;
}

std::vector<size_t> TeamTile::innerOf(size_t pass) const {
  std::vector<size_t> digits;
  for (const size_t d : inner)
    if (operation.reducedBy(d) >= pass)
      digits.push_back(d);
  return digits;
}

SharedOperands sharedOperands(const LaneProgram &program, const TeamOperation &operation) {
  SharedOperands shared(operation.slots.slotCount(), 0);
  for (const TeamPass &pass : operation.passes)
    for (size_t s = pass.firstOperand; s < pass.firstOperand + pass.operandCount; ++s)
      shared[s] = program.tables[operation.slots.operands[s].table].perCase() ? 0 : 1;
  return shared;
}

std::optional<TeamTile> chooseTeamTile(const TeamOperation &operation, const SharedOperands &shared,
                                       ElementType type, bool whole) {
  TeamTile tile;
  tile.operation = operation;
  LaneOperation &slots = tile.operation.slots;
  dropSingleDigits(slots);
  mergeDigits(slots);
  const TileCost cost(tile.operation, shared, type);
  TileSearch search(cost, whole);
  const std::vector<uint64_t> cuts = search.run();
  if (cuts.empty() && slots.keptCount() != 0)
    return std::nullopt;
  tile.cycles = search.bestCycles();
  size_t at = 0;
  for (const uint64_t cut : cuts) {
    if (cut != 1 && cut != slots.digits[at].extent) {
      cutDigit(slots, at, cut);
      tile.outer.push_back(at++);
    }
    (cut == 1 ? tile.outer : tile.inner).push_back(at++);
  }
  for (; at < slots.digits.size(); ++at)
    tile.terms.push_back(at);
  // The innermost loops are those that move the fewest operands.
  const TeamPass &first = tile.operation.passes.front();
  const auto moves = [&](size_t d) {
    size_t count = 0;
    for (size_t s = first.firstOperand; s < first.firstOperand + first.operandCount; ++s)
      count += slots.operands[s].stridesElems[d] != 0 ? 1 : 0;
    return count;
  };
  std::stable_sort(tile.terms.begin(), tile.terms.end(),
                   [&moves](size_t a, size_t b) { return moves(a) > moves(b); });
  return tile;
}

} // namespace mpf
