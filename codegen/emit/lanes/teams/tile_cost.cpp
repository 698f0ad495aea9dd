#include "codegen/emit/lanes/teams/tile_cost.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace mpf {

namespace {

// The greatest numbers of words in a thread's registers: for a tile, and for a tile with the
// entries of its operands.
constexpr uint64_t kTileWords = 40, kLoadedWords = 72;
constexpr double kSchedulers = 4; ///< schedulers of a multiprocessor, each with its own warps
constexpr double kTileInstructions = 20; ///< instructions to find a tile, and to start
constexpr double kTermInstructions = 3;  ///< instructions of the loop over terms
constexpr double kLatencyShare = 0.3; ///< share of a tile's instructions that no other work hides

} // namespace

TileCost::TileCost(const TeamOperation &operation, const std::vector<char> &isShared,
                   ElementType type)
    : operation_(operation), isShared_(isShared), words_(elementBytes(type) / 4),
      vectorElems_(laneVectorElems(type)), kept_(operation.slots.keptCount()) {
  for (size_t d = 0; d < operation.slots.digits.size(); ++d)
    reducedBy_.push_back(operation.reducedBy(d));
}

std::vector<uint64_t> TileCost::leastCuts() const {
  std::vector<uint64_t> cuts(kept_, 1);
  for (size_t d = 0; d < kept_; ++d)
    if (reducedBy_[d] < operation_.passes.size())
      cuts[d] = extent(d);
  return cuts;
}

uint64_t TileCost::entriesOf(const std::vector<uint64_t> &cuts, size_t slot) const {
  uint64_t entries = 1;
  for (size_t d = 0; d < kept_; ++d)
    entries *= operation_.slots.slot(slot).stridesElems[d] == 0 ? 1 : cuts[d];
  return entries;
}

uint64_t TileCost::entriesIn(const std::vector<uint64_t> &cuts, size_t pass) const {
  uint64_t entries = 1;
  for (size_t d = 0; d < kept_; ++d)
    entries *= reducedBy_[d] < pass ? 1 : cuts[d];
  return entries;
}

double TileCost::termsOf(size_t slot) const {
  double terms = 1;
  for (size_t d = kept_; d < operation_.slots.digits.size(); ++d)
    if (operation_.slots.slot(slot).stridesElems[d] != 0)
      terms *= static_cast<double>(operation_.slots.digits[d].extent);
  return terms;
}

bool TileCost::fits(const std::vector<uint64_t> &cuts) const {
  const uint64_t entries = entriesIn(cuts, 0);
  if (entries * words_ > kTileWords)
    return false;
  uint64_t held = entries;
  const TeamPass &first = operation_.passes.front();
  for (size_t s = first.firstOperand; s < first.firstOperand + first.operandCount; ++s)
    held += entriesOf(cuts, s);
  return entries == 1 || held * words_ <= kLoadedWords;
}

/// Multiplies operands in ascending order of their numbers of entries, so that products of the
/// first ones serve several entries. An entry is loaded again only in a loop over terms that moves
/// it.
void TileCost::addPass(const std::vector<uint64_t> &cuts, size_t pass, Work &work) const {
  const TeamPass &own = operation_.passes[pass];
  std::vector<std::pair<uint64_t, size_t>> bySize;
  for (size_t s = own.firstOperand; s < own.firstOperand + own.operandCount; ++s) {
    const uint64_t entries = entriesOf(cuts, s);
    const uint64_t vectors = (entries + vectorElems_ - 1) / vectorElems_;
    const double terms = termsOf(s);
    work.instructions += terms * static_cast<double>(isShared_[s] != 0 ? vectors : entries);
    work.wavefronts += terms * static_cast<double>(isShared_[s] != 0 ? vectors : entries * words_);
    bySize.emplace_back(entries, s);
  }
  std::sort(bySize.begin(), bySize.end());
  std::vector<char> isMoved(operation_.slots.digits.size(), 0);
  double products = 0;
  for (size_t i = 0; i < bySize.size(); ++i) {
    double formed = 1;
    for (size_t d = 0; d < isMoved.size(); ++d) {
      if (operation_.slots.operands[bySize[i].second].stridesElems[d] != 0)
        isMoved[d] = 1;
      if (isMoved[d] != 0)
        formed *= static_cast<double>(d < kept_ ? cuts[d] : operation_.slots.digits[d].extent);
    }
    products += i == 0 ? 0 : formed;
  }
  // The last multiplication and the addition are one instruction.
  double added = static_cast<double>(entriesIn(cuts, pass));
  for (size_t d = kept_; d < isMoved.size() && pass == 0; ++d)
    added *= static_cast<double>(operation_.slots.digits[d].extent);
  work.instructions += std::max(products, added) * static_cast<double>(words_);
}

double TileCost::cycles(const std::vector<uint64_t> &cuts) const {
  Work tile;
  for (size_t p = 0; p < operation_.passes.size(); ++p)
    addPass(cuts, p, tile);
  const double stored = static_cast<double>(entriesIn(cuts, operation_.passes.size()) * words_);
  tile.wavefronts += stored;
  tile.instructions += stored + kTileInstructions +
                       kTermInstructions * static_cast<double>(operation_.slots.reducedAddresses());
  const double tiles = static_cast<double>(operation_.slots.keptAddresses()) /
                       static_cast<double>(entriesIn(cuts, 0));
  return std::max(tiles * tile.wavefronts, std::ceil(tiles / kSchedulers) * tile.instructions) +
         kLatencyShare * tile.instructions;
}

} // namespace mpf
