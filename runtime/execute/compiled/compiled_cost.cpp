#include "runtime/execute/compiled/compiled_cost.h"

#include <algorithm>
#include <cmath>

namespace mpf {

namespace {

// Costs in clock cycles of a core with 32-byte vectors.
constexpr double kNsPerCycle = 0.24;
constexpr double kLoadCycles = 0.3; ///< load one vector, or one entry for all lanes
constexpr double kPickCycles = 0.3; ///< load one lane of a vector that is built from single entries
constexpr double kConflictCycles = 1; ///< kPickCycles if the entries share few sets of the cache
constexpr uint64_t kConflictBytes = 1024;
constexpr double kCombineCycles = 0.3; ///< one product, or product and sum, of vectors
constexpr double kStoreCycles = 1.5;   ///< scale, record the range, store
constexpr double kTurnCycles = 1.5;    ///< one turn of an inner loop
constexpr double kBlockCycles = 4;     ///< addresses of one block; each operand adds:
constexpr double kOperandCycles = 0.5;

/// Factor for loops around accumulators, which wait for them.
constexpr double kSumFactor = 1.4;

/// The estimated size of a cache level, and the rate and delay of reading from the next level.
/// `nsPerRun` is the delay wherever reading starts anew, before prefetching works.
struct CacheLevel {
  double bytes, bytesPerNs, nsPerRun;
};
constexpr CacheLevel kLevels[] = {{32e3, 60, 0}, {700e3, 30, 4}, {16e6, 30, 4}};
constexpr double kLineBytes = 64;
constexpr double kLongRunBytes = 4096; ///< a page of memory, where prefetching always starts anew

/// Returns the cycles to load one block's lanes of an operand once.
double laneCycles(const CompiledKernelPlan &plan, size_t slot, uint64_t width) {
  if (!CompiledKernelPlan::moves(plan.lanes, slot))
    return kLoadCycles;
  double cycles = 0;
  for (uint64_t lane = 0; lane < plan.blockLanes; lane += width) {
    const uint64_t end = std::min(lane + width, plan.blockLanes);
    bool same = true, dense = true;
    const uint64_t first = CompiledKernelPlan::offsetOf(plan.lanes, slot, lane);
    for (uint64_t l = lane; l < end; ++l) {
      const uint64_t offset = CompiledKernelPlan::offsetOf(plan.lanes, slot, l) - first;
      same &= offset == 0;
      dense &= offset == l - lane;
    }
    const uint64_t step = CompiledKernelPlan::offsetOf(plan.lanes, slot, lane + 1) - first;
    const bool conflicts = step * elementBytes(plan.type) % kConflictBytes == 0;
    const double pick = conflicts && step != 0 ? kConflictCycles : kPickCycles;
    cycles += same || dense ? kLoadCycles : pick * static_cast<double>(end - lane);
  }
  return cycles;
}

/// Returns the bytes of the longest contiguous run that the addresses of `digits` form.
double runBytes(std::span<const LoopDigit> digits, size_t slot, uint64_t entryBytes) {
  std::vector<std::pair<uint64_t, uint64_t>> steps; // stride, extent
  for (const LoopDigit &digit : digits)
    if (digit.strides[slot] != 0 && digit.extent > 1)
      steps.emplace_back(digit.strides[slot], digit.extent);
  std::sort(steps.begin(), steps.end());
  uint64_t run = 1;
  for (const auto &[stride, extent] : steps)
    if (stride <= run)
      run = std::max(run, stride * extent);
  return static_cast<double>(run * entryBytes);
}

/// Returns the time to bring all touched memory into one cache level. `digits`: from the outermost
/// loop to the innermost. The data of inner loops that fit the level together stay there.
double trafficNs(const CompiledKernelPlan &plan, std::span<const LoopDigit> digits,
                 const CacheLevel &level) {
  const uint64_t entryBytes = elementBytes(plan.type);
  const auto bytesOf = [&](size_t first, size_t slot) {
    const auto inner = digits.subspan(first);
    const double bytes = static_cast<double>(entriesAlong(inner, slot) * entryBytes);
    return bytes * std::max(1.0, kLineBytes / runBytes(inner, slot, entryBytes));
  };
  size_t first = digits.size();
  for (double all = 0; first > 0; --first) {
    all = 0;
    for (size_t s = 0; s <= plan.operandCount; ++s)
      all += bytesOf(first - 1, s);
    if (all > level.bytes)
      break;
  }
  if (first == 0)
    return 0;
  double timeNs = 0;
  for (size_t s = 0; s <= plan.operandCount; ++s) {
    const double turns = static_cast<double>(entriesAlong(digits.first(first), s));
    // The next iteration may continue the run of this one.
    const double run = runBytes(digits.subspan(first - 1), s, entryBytes);
    const double entries = static_cast<double>(entriesAlong(digits.subspan(first), s));
    const double bytes = entries * static_cast<double>(entryBytes);
    const double lines = bytes * std::max(1.0, kLineBytes / run);
    const double runs = run < kLongRunBytes ? bytes / run : 0;
    timeNs += turns *
              (lines * (s == plan.resultSlot() ? 2 : 1) / level.bytesPerNs + runs * level.nsPerRun);
  }
  return timeNs;
}

} // namespace

double compiledTimeNs(const CompiledKernelPlan &plan) {
  const uint64_t width = kCompiledVectorBytes / elementBytes(plan.type);
  const auto vectors = static_cast<double>((plan.blockLanes + width - 1) / width);
  const auto terms = static_cast<double>(addressCount(plan.terms));
  const auto sums = static_cast<double>(addressCount(plan.sums));
  const auto copies = static_cast<double>(plan.innerCopies);
  const double turns = static_cast<double>(plan.inner.extent) / copies;
  double once = 0, each = 0;    // loads: once for all values of inner, and for each value
  double fixed = 0, moving = 0; // operands that vary with the sum: without and with inner
  // Operands that do not vary with the sum: without and with inner.
  double fixedOutside = 0, moved = 0;
  std::vector<LoopDigit> reduced = plan.sums;
  reduced.insert(reduced.end(), plan.terms.begin(), plan.terms.end());
  for (size_t s = 0; s < plan.operandCount; ++s) {
    const bool byInner = plan.inner.strides[s] != 0;
    const bool bySum = CompiledKernelPlan::moves(reduced, s);
    const double load =
        laneCycles(plan, s, width) * static_cast<double>(entriesAlong(plan.terms, s));
    const double times = bySum ? sums : 1;
    (byInner ? each : once) += load * times;
    (bySum ? (byInner ? moving : fixed) : (byInner ? moved : fixedOutside)) += 1;
  }
  // The fixed operands are loaded in every iteration of inner with loops of sums, otherwise once.
  const double fixedTurns = plan.sums.empty() ? 1 : turns;
  double cycles = once * fixedTurns + each * copies * turns;
  const double products = vectors * terms * sums;
  cycles += kCombineCycles * products * std::max(0.0, fixed - 1) * fixedTurns;
  cycles +=
      kCombineCycles * products * std::max(1.0, moving + (fixed > 0 ? 1 : 0)) * copies * turns;
  cycles += kCombineCycles * vectors * (moved + (fixedOutside > 0 ? 1 : 0)) * copies * turns;
  cycles += kStoreCycles * vectors * copies * turns;
  cycles += kTurnCycles * turns * std::max(1.0, sums);
  cycles += kBlockCycles + kOperandCycles * static_cast<double>(plan.operandCount);

  std::vector<LoopDigit> digits = plan.pieces;
  const auto append = [&](std::span<const LoopDigit> more) {
    digits.insert(digits.end(), more.begin(), more.end());
  };
  append(plan.outer);
  const double blocks =
      static_cast<double>(addressCount(digits)) *
      std::ceil(static_cast<double>(plan.laneCount()) / static_cast<double>(plan.blockLanes));
  if (plan.lanes.size() == 1 && plan.blockLanes < plan.laneCount()) {
    LoopDigit block = plan.lanes.front();
    const uint64_t count = (block.extent + plan.blockLanes - 1) / plan.blockLanes;
    append(std::array{piecesOf(block, count, plan.blockLanes), plan.inner});
    block.extent = plan.blockLanes;
    append(plan.sums);
    append(std::array{block});
  } else {
    append(std::array{plan.inner});
    append(plan.sums);
    append(plan.lanes);
  }
  append(plan.terms);
  double timeNs = blocks * cycles * kNsPerCycle * (plan.sums.empty() ? 1 : kSumFactor);
  for (const CacheLevel &level : kLevels)
    timeNs = std::max(timeNs, trafficNs(plan, digits, level));
  return timeNs;
}

double builtInTimeNs(const CpuOperation &op) {
  // The estimate of tiles assumes that the last run left the tables in the caches. If other
  // operations run in between, as in programs, tiles take 1.2 to 1.5 times that, rows and compiled
  // kernels 0.9.
  constexpr double kColdTiles = 1.3;
  switch (op.path) {
  case CpuPath::Entries:
    return op.addresses() * op.operandCount;
  case CpuPath::Rows:
    return op.timeNs;
  case CpuPath::Tiles:
    return op.timeNs * kColdTiles;
  }
  return 0;
}

} // namespace mpf
