// Family `tile`. Each thread owns a block of outputs over up to three digits. So a loaded value is
// used once for each value of the register digits that it does not depend on.
#include "codegen/kernel/build/candidates.h"

#include "dsl/support/check.h"

#include <algorithm>
#include <limits>

namespace mpf {

namespace {
constexpr size_t kShortlist = 5;           ///< kept digits considered for registers
constexpr size_t kTileDigits = 3;          ///< register digits at most
constexpr uint64_t kTileOutputWords = 128; ///< of 4 bytes, per thread
constexpr size_t kSecondRound = 6;         ///< register tiles whose block shapes are tried
constexpr uint64_t kTileThreads[] = {256, 64, 128, 512};
constexpr uint64_t kTileChunks[] = {16, 8, 32, 64};

/// One register tile: digits with the number of outputs along each.
struct RegisterTile {
  std::vector<DigitId> digits;
  std::vector<uint64_t> outputs;
};

/// The block around it.
struct BlockShape {
  uint64_t threads = 256;
  uint64_t chunk = 16;
  bool squareWarps = true;     ///< lanes over two digits rather than along the fastest one
  bool bypassUnshared = false; ///< operands that no two threads share are not staged
  bool bypassAll = false;      ///< registers only: reuse without shared memory
};

/// Digits that some operand lacks come first: registers along them save loads of that operand.
std::vector<DigitId> shortlist(const DigitForm &form) {
  std::vector<DigitId> digits = keptByStride(form, form.result);
  const auto saved = [&](DigitId digit) {
    size_t lacking = 0;
    for (const DigitAccess &operand : form.operands)
      lacking += operand.stridesElems[digit.index()] == 0;
    const uint64_t extent = form.digits[digit.index()].extent;
    return static_cast<double>(lacking) * static_cast<double>(std::min<uint64_t>(extent, 16));
  };
  std::stable_sort(digits.begin(), digits.end(),
                   [&](DigitId a, DigitId b) { return saved(a) > saved(b); });
  if (digits.size() > kShortlist)
    digits.resize(kShortlist);
  std::sort(digits.begin(), digits.end());
  return digits;
}

std::vector<uint64_t> outputOptions(uint64_t extent) {
  std::vector<uint64_t> options;
  for (uint64_t n = 2; n <= 16 && n <= extent; ++n)
    if ((n & (n - 1)) == 0 || extent == n)
      if (n <= 8 || extent % n == 0)
        options.push_back(n);
  return options;
}

void extendTiles(const DigitForm &form, const std::vector<DigitId> &digits, size_t next,
                 RegisterTile tile, uint64_t room, std::vector<RegisterTile> &tiles) {
  tiles.push_back(tile); // one output per thread at first: a scalar result has nothing else
  if (tile.digits.size() == kTileDigits)
    return;
  for (size_t i = next; i < digits.size(); ++i)
    for (uint64_t n : outputOptions(form.digits[digits[i].index()].extent)) {
      if (n > room)
        break;
      RegisterTile wider = tile;
      wider.digits.push_back(digits[i]);
      wider.outputs.push_back(n);
      extendTiles(form, digits, i + 1, std::move(wider), room / n, tiles);
    }
}

/// Threads along each kept digit so that the block's tile is as square as the extents allow;
/// digits outside the register tile are used when its own are exhausted.
std::vector<uint64_t> spreadThreads(const DigitForm &form, const RegisterTile &tile,
                                    const std::vector<uint64_t> &left, uint64_t threads,
                                    ElementType type) {
  const uint64_t vectorElems = 16 / elementBytes(type);
  std::vector<uint64_t> along(form.keptCount(), 1);
  std::vector<uint64_t> side(form.keptCount(), 0);
  for (size_t i = 0; i < tile.digits.size(); ++i)
    side[tile.digits[i].index()] = tile.outputs[i];
  MPF_CHECK(left.size() == along.size(), "{} of {} kept digits have threads left for them",
            left.size(), along.size());
  const auto others = keptByStride(form, form.result);
  for (uint64_t used = 1; used * 2 <= threads; used *= 2) {
    size_t chosen = along.size();
    for (DigitId digit : tile.digits)
      if (const size_t d = digit.index(); along[d] < left[d])
        if (chosen == along.size() || side[d] * along[d] < side[chosen] * along[chosen])
          chosen = d;
    for (size_t i = 0; i < others.size() && chosen == along.size(); ++i)
      if (along[others[i].index()] < left[others[i].index()])
        chosen = others[i].index();
    if (chosen == along.size())
      break;
    along[chosen] *= 2;
  }
  for (size_t d = 0; d < along.size(); ++d) {
    const bool fastest = d == others.front().index();
    const uint64_t inner = std::min(vectorElems, std::max<uint64_t>(1, side[d]));
    along[d] = partOf(left[d], along[d], fastest ? lanesOfSector(inner, type) : 1);
  }
  return along;
}

/// Lane parts first: with square warps 8 x 4 lanes, else the fastest digit as far as it goes.
void takeThreads(AxisDivider &divider, const DigitForm &form, const std::vector<uint64_t> &along,
                 bool squareWarps) {
  std::vector<uint64_t> rest = along;
  const auto order = keptByStride(form, form.result);
  if (squareWarps) {
    uint64_t lanes = 32;
    for (uint64_t want : {8, 4}) { // the first two digits that have threads
      for (DigitId digit : order) {
        uint64_t &r = rest[digit.index()];
        if (r != along[digit.index()] || r == 1)
          continue;
        const uint64_t part = r % want == 0 ? want : r;
        if (lanes % part != 0)
          break;
        divider.take(digit, AxisRole::Thread, part);
        r /= part;
        lanes /= part;
        break;
      }
    }
  }
  for (DigitId digit : order)
    divider.take(digit, AxisRole::Thread, rest[digit.index()]);
}

/// A few values per page, the same for all threads: not worth a place in shared memory.
bool isUniform(const std::vector<Axis> &axes, const DigitAccess &operand) {
  uint64_t elems = 1;
  for (const Axis &axis : axes) {
    if (operand.stridesElems[axis.digit.index()] == 0)
      continue;
    if (axis.role == AxisRole::Thread)
      return false;
    if (axis.role == AxisRole::Register || axis.role == AxisRole::Sum)
      elems = std::min(elems * axis.extent, kUniformElems + 1);
  }
  return elems <= kUniformElems;
}

NestCandidate tileCandidate(const DigitForm &form, const KernelOptions &options,
                            const RegisterTile &tile, const BlockShape &block) {
  AxisDivider divider(form);
  const uint64_t vector = 16 / elementBytes(options.type);
  std::vector<uint64_t> outer(form.keptCount(), 1), left;
  for (size_t i = 0; i < tile.digits.size(); ++i) {
    const uint64_t n = tile.outputs[i];
    const uint64_t inner = n > vector && n % vector == 0 ? vector : n;
    divider.take(tile.digits[i], AxisRole::Register, inner);
    outer[tile.digits[i].index()] = n / inner;
  }
  for (size_t d = 0; d < form.keptCount(); ++d)
    left.push_back((divider.left(DigitId(d)) + outer[d] - 1) / outer[d]);
  const uint64_t threads = std::min<uint64_t>(block.threads, options.target.maxThreadsPerBlock);
  const auto along = spreadThreads(form, tile, left, threads, options.type);
  uint64_t dealt = 1;
  for (const uint64_t extent : along)
    dealt *= extent;
  MPF_CHECK(dealt <= threads, "{} of a block's {} threads", dealt, threads);
  takeThreads(divider, form, along, block.squareWarps);
  for (DigitId digit : tile.digits)
    divider.take(digit, AxisRole::Register, std::min(outer[digit.index()], divider.left(digit)));
  takeSums(divider, form, block.chunk,
           unrolledTerms(form, options, divider.axes(), block.bypassAll));
  takeBlocks(divider, form);

  NestCandidate candidate{NestKind::Tile, divider.axes(), {}};
  for (const DigitAccess &operand : form.operands) {
    MPF_CHECK(operand.stridesElems.size() >= along.size(), "{} strides for {} kept digits",
              operand.stridesElems.size(), along.size());
    bool shared = false; // by threads that differ in a digit the operand lacks
    for (size_t d = 0; d < along.size(); ++d)
      shared |= along[d] > 1 && operand.stridesElems[d] == 0;
    const bool bypass = block.bypassAll || (block.bypassUnshared && !shared);
    candidate.placements.push_back(isUniform(candidate.axes, operand) ? Placement::Registers
                                   : bypass                           ? Placement::Bypass
                                                                      : Placement::Shared);
  }
  return candidate;
}

std::vector<BlockShape> blockShapes() {
  std::vector<BlockShape> shapes;
  for (uint64_t threads : kTileThreads)
    for (bool square : {true, false}) {
      for (uint64_t chunk : kTileChunks)
        for (bool bypass : {false, true})
          shapes.push_back({threads, chunk, square, bypass, false});
      shapes.push_back({threads, UINT64_MAX, square, true, true});
    }
  return shapes;
}
} // namespace

std::vector<NestCandidate> tileCandidates(const DigitForm &form, const KernelOptions &options,
                                          const Judge &judge) {
  std::vector<RegisterTile> tiles;
  extendTiles(form, shortlist(form), 0, {}, kTileOutputWords * 4 / elementBytes(options.type),
              tiles);
  std::vector<std::pair<double, size_t>> ranked;
  std::vector<NestCandidate> candidates;
  for (size_t i = 0; i < tiles.size(); ++i) {
    candidates.push_back(tileCandidate(form, options, tiles[i], BlockShape{}));
    ranked.push_back({judge(candidates.back()), i});
  }
  std::stable_sort(ranked.begin(), ranked.end());
  if (ranked.size() > kSecondRound)
    ranked.resize(kSecondRound);
  for (const auto &[time, i] : ranked)
    for (const BlockShape &shape : blockShapes())
      candidates.push_back(tileCandidate(form, options, tiles[i], shape));
  return candidates;
}

} // namespace mpf
