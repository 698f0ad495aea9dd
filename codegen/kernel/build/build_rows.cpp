// Family `tile`, rows of lanes. The lanes of a warp run along the result as it lies in memory. So
// every store is whole lines, and so is every load of an operand with the result's fastest digit.
// The register tile runs over other digits, the *rows*; each thread keeps one vector of neighbours
// of each row. All lanes read the same entry of an operand without the fastest digit.
//
// Operands that fit L1 are read through it. This needs neither barriers nor staging, and warps run
// independently. Kept page axes along the rows let a block read the operands that lack them from L1
// again, or keep them in registers.
#include "codegen/kernel/build/candidates.h"

#include "dsl/support/check.h"

#include <algorithm>

namespace mpf {

namespace {
constexpr uint64_t kLanes = 32;
constexpr uint64_t kRowLanes[] = {32, 64, 128, 256}; ///< threads along the fastest digit
constexpr uint64_t kRowThreads[] = {64, 128, 256};
constexpr uint64_t kPages[] = {1, 4, 16};
constexpr uint64_t kVectorBytes = 16;
constexpr uint64_t kRowOutputWords = 64; ///< of 4 bytes, per thread
constexpr size_t kRowDigits = 4;         ///< digits considered for rows
constexpr size_t kBestTiles = 6;         ///< register tiles whose blocks are tried
constexpr uint64_t kKeptElems = 48;      ///< of one operand in registers over the pages
constexpr uint64_t kMaxTerms = 256;      ///< of a page's sum

using Rows = std::vector<std::pair<DigitId, uint64_t>>; ///< digit, outputs along it

enum class Placing {
  Bypass,  ///< all operands are read through L1
  Shared,  ///< operands that several threads of the block read are staged
  Fast,    ///< like Shared, but only operands with the fastest digit: no page along rows waits
  Uniform, ///< like Shared, but only operands without it, with one entry for all lanes
  Kept,    ///< operands that the pages do not change are kept in registers
};

struct RowTile {
  uint64_t vector = 1;  ///< neighbours along the fastest digit
  uint64_t vectors = 1; ///< vectors of a thread, a row of lanes apart
  Rows rows;
  uint64_t lanes = kLanes; ///< along the fastest digit
  uint64_t threads = 256;
  bool warpsAlongLanes = false; ///< further warps along the fastest digit, not along the rows
  uint64_t pages = 1;
  Placing placing = Placing::Bypass;
};

uint64_t elemsPerThread(const std::vector<Axis> &axes, const DigitAccess &operand) {
  uint64_t elems = 1;
  for (const Axis &axis : axes)
    if ((axis.role == AxisRole::Register || axis.role == AxisRole::Sum) &&
        operand.stridesElems[axis.digit.index()] != 0)
      elems = std::min(elems * axis.extent, kKeptElems + 1);
  return elems;
}

bool variesOver(const std::vector<Axis> &axes, const DigitAccess &operand, AxisRole role) {
  return std::any_of(axes.begin(), axes.end(), [&](const Axis &axis) {
    return axis.role == role && operand.stridesElems[axis.digit.index()] != 0;
  });
}

/// Whether several threads of a block read the same entries.
bool isShared(const std::vector<Axis> &axes, const DigitAccess &operand) {
  return std::any_of(axes.begin(), axes.end(), [&](const Axis &axis) {
    return axis.role == AxisRole::Thread && operand.stridesElems[axis.digit.index()] == 0;
  });
}

Placement placementOf(const std::vector<Axis> &axes, const DigitAccess &operand, DigitId fast,
                      Placing placing) {
  const uint64_t elems = elemsPerThread(axes, operand);
  if (elems <= kUniformElems)
    return Placement::Registers;
  const bool alongLanes = operand.stridesElems[fast.index()] != 0;
  const bool wanted = placing == Placing::Shared || (placing == Placing::Fast && alongLanes) ||
                      (placing == Placing::Uniform && !alongLanes);
  if (wanted && isShared(axes, operand))
    return Placement::Shared;
  if (placing == Placing::Kept && elems <= kKeptElems && !variesOver(axes, operand, AxisRole::Page))
    return Placement::Registers;
  return Placement::Bypass;
}

/// Takes thread axes: first the row of lanes, whole digits of the result until a warp is full; then
/// warps.
class ThreadTaker {
public:
  ThreadTaker(AxisDivider &divider, uint64_t room) : divider_(divider), room_(room) {}

  void take(DigitId digit, uint64_t want, uint64_t unit = 1) {
    const uint64_t part = partOf(divider_.left(digit), std::min(want, room_), unit);
    divider_.take(digit, AxisRole::Thread, part);
    room_ /= part;
    taken_ *= part;
  }
  uint64_t taken() const { return taken_; }
  uint64_t room() const { return room_; }

private:
  AxisDivider &divider_;
  uint64_t room_;
  uint64_t taken_ = 1;
};

NestCandidate rowCandidate(const DigitForm &form, const KernelOptions &options,
                           const RowTile &tile) {
  AxisDivider divider(form);
  const std::vector<DigitId> order = keptByStride(form, form.result);
  MPF_CHECK(!order.empty(), "rows of an operation whose {} digits are all reduced",
            form.digits.size());
  const DigitId fast = order.front();
  divider.take(fast, AxisRole::Register, tile.vector);
  ThreadTaker threads(divider, std::min<uint64_t>(tile.threads, options.target.maxThreadsPerBlock));
  threads.take(fast, tile.lanes, lanesOfSector(tile.vector, options.type));
  for (size_t i = 1; i < order.size() && threads.taken() < kLanes; ++i)
    threads.take(order[i], kLanes / threads.taken());
  divider.take(fast, AxisRole::Register, std::min(tile.vectors, divider.left(fast)));
  for (const auto &[digit, outputs] : tile.rows)
    divider.take(digit, AxisRole::Register, std::min(outputs, divider.left(digit)));
  if (tile.warpsAlongLanes)
    threads.take(fast, threads.room());
  for (const auto &[digit, outputs] : tile.rows)
    threads.take(digit, threads.room());
  for (const DigitId digit : order)
    threads.take(digit, threads.room());

  takeSums(divider, form, kMaxTerms, unrolledTerms(form, options, divider.axes(), true));
  uint64_t pages = tile.pages;
  const auto takePages = [&](DigitId digit) {
    const uint64_t part = partOf(divider.left(digit), pages);
    divider.take(digit, AxisRole::Page, part);
    pages /= part;
  };
  for (const auto &[digit, n] : tile.rows)
    takePages(digit);
  for (size_t i = 1; i < order.size(); ++i)
    takePages(order[i]);
  takeBlocks(divider, form);

  NestCandidate candidate{NestKind::Tile, divider.axes(), {}};
  for (const DigitAccess &operand : form.operands)
    candidate.placements.push_back(placementOf(candidate.axes, operand, fast, tile.placing));
  return candidate;
}

/// Returns digits for rows: those that most operands lack come first, and long ones before short.
std::vector<DigitId> rowDigits(const DigitForm &form) {
  std::vector<DigitId> digits = keptByStride(form, form.result);
  MPF_CHECK(!digits.empty(), "rows of an operation whose {} digits are all reduced",
            form.digits.size());
  digits.erase(digits.begin());
  const auto saved = [&](DigitId digit) {
    double lacking = 0;
    for (const DigitAccess &operand : form.operands)
      lacking += operand.stridesElems[digit.index()] == 0;
    return lacking * static_cast<double>(std::min<uint64_t>(form.digits[digit.index()].extent, 16));
  };
  std::stable_sort(digits.begin(), digits.end(),
                   [&](DigitId a, DigitId b) { return saved(a) > saved(b); });
  if (digits.size() > kRowDigits)
    digits.resize(kRowDigits);
  return digits;
}

/// Returns numbers of outputs along one digit: powers of two, or all of a short digit.
std::vector<uint64_t> rowCounts(uint64_t extent) {
  std::vector<uint64_t> counts;
  for (uint64_t n = 2; n <= 16 && n <= extent; ++n)
    if (n == extent || ((n & (n - 1)) == 0 && n <= 16))
      counts.push_back(n);
  return counts;
}

std::vector<Rows> rowChoices(const DigitForm &form, uint64_t room) {
  const std::vector<DigitId> digits = rowDigits(form);
  std::vector<Rows> choices = {{}};
  const auto counts = [&](size_t i) { return rowCounts(form.digits[digits[i].index()].extent); };
  for (size_t i = 0; i < digits.size(); ++i)
    for (const uint64_t n : counts(i)) {
      if (n <= room)
        choices.push_back({{digits[i], n}});
      for (size_t j = i + 1; j < digits.size(); ++j)
        for (const uint64_t m : counts(j))
          if (n * m <= room)
            choices.push_back({{digits[i], n}, {digits[j], m}});
    }
  return choices;
}

/// Returns the blocks to try around one register tile.
std::vector<RowTile> blocksAround(const RowTile &tile) {
  std::vector<RowTile> tiles;
  for (const uint64_t lanes : kRowLanes)
    for (const uint64_t threads : kRowThreads)
      for (const bool along : {false, true}) {
        if (lanes > threads || (along && lanes != kLanes))
          continue;
        for (const uint64_t pages : kPages)
          for (const Placing placing :
               {Placing::Bypass, Placing::Shared, Placing::Fast, Placing::Uniform, Placing::Kept}) {
            if (placing == Placing::Kept && pages == 1)
              continue;
            RowTile block = tile;
            block.lanes = lanes;
            block.threads = threads;
            block.warpsAlongLanes = along;
            block.pages = pages;
            block.placing = placing;
            tiles.push_back(std::move(block));
          }
      }
  return tiles;
}
} // namespace

std::vector<NestCandidate> rowCandidates(const DigitForm &form, const KernelOptions &options,
                                         const Judge &judge) {
  if (form.keptCount() == 0)
    return {};
  const DigitId fast = keptByStride(form, form.result).front();
  const uint64_t extent = form.digits[fast.index()].extent;
  uint64_t widest = kVectorBytes / elementBytes(options.type);
  while (extent % widest != 0)
    widest /= 2;
  const uint64_t limit = kRowOutputWords * 4 / elementBytes(options.type);

  std::vector<NestCandidate> candidates;
  std::vector<std::pair<double, size_t>> ranked;
  std::vector<RowTile> tiles;
  for (const uint64_t vectors : {1, 2})
    for (Rows &rows : rowChoices(form, limit / (widest * vectors))) {
      RowTile tile;
      tile.vector = widest;
      tile.vectors = vectors;
      tile.rows = std::move(rows);
      candidates.push_back(rowCandidate(form, options, tile));
      ranked.push_back({judge(candidates.back()), tiles.size()});
      tiles.push_back(std::move(tile));
    }
  std::stable_sort(ranked.begin(), ranked.end());
  if (ranked.size() > kBestTiles)
    ranked.resize(kBestTiles);
  for (const auto &[time, i] : ranked)
    for (const RowTile &block : blocksAround(tiles[i]))
      candidates.push_back(rowCandidate(form, options, block));
  return candidates;
}

} // namespace mpf
