#include "runtime/execute/compiled/plan_compiled.h"

#include "dsl/support/check.h"
#include "runtime/execute/compiled/compiled_cost.h"

#include <algorithm>

namespace mpf {

namespace {

constexpr uint64_t kMostTerms = 16;     ///< reduced addresses that are unrolled
constexpr uint64_t kCutTerms = 4;       ///< unrolled addresses of a digit that is too long
constexpr uint64_t kMostLanes = 64;     ///< unrolled lanes of several digits
constexpr uint64_t kMostEntries = 2048; ///< unrolled entries of all operands in one block
constexpr uint64_t kMostCopies = 4;     ///< unrolled values of the inner digit
constexpr uint64_t kLeastInner = 16;    ///< values of a piece if the inner digit is cut
constexpr uint64_t kLeastLanes = 256;   ///< lanes of a piece if the lanes are cut
constexpr uint64_t kWantedPieces = 128; ///< enough pieces for even shares of all threads

/// Returns the digit that counts the pieces of `part` values of `digit`.
LoopDigit coarse(const LoopDigit &digit, uint64_t part) {
  return piecesOf(digit, digit.extent / part, part);
}

uint64_t largestDivisor(uint64_t number, uint64_t limit) {
  uint64_t divisor = std::min(number, limit);
  while (number % divisor != 0)
    --divisor;
  return divisor;
}

/// Chooses the fastest kept digits that fill vectors, and the number of their addresses in one
/// block.
void chooseLanes(const CpuOperation &op, uint64_t width, size_t vectors, CompiledKernelPlan &plan) {
  size_t first = op.kept.size();
  uint64_t count = 1;
  while (first > 0 && count < width)
    count *= op.kept[--first].extent;
  // Uneven rows waste the ends of vectors; longer rows waste less.
  while (first > 0 && count % width != 0 && count * op.kept[first - 1].extent <= kMostLanes)
    count *= op.kept[--first].extent;
  plan.lanes.assign(op.kept.begin() + static_cast<ptrdiff_t>(first), op.kept.end());
  plan.outer.assign(op.kept.begin(), op.kept.begin() + static_cast<ptrdiff_t>(first));
  const uint64_t mostLanes = kMostEntries / op.operandCount;
  if (plan.lanes.size() > 1 && count > mostLanes) { // cuts the slowest of the lane digits
    LoopDigit &front = plan.lanes.front();
    const uint64_t others = count / front.extent;
    const uint64_t part = largestDivisor(front.extent, std::max<uint64_t>(1, mostLanes / others));
    plan.outer.push_back(coarse(front, part));
    front.extent = part;
    count = others * part;
  }
  plan.blockLanes = plan.lanes.size() == 1 ? std::min<uint64_t>(count, width * vectors) : count;
  plan.pieceLanes = count;
}

/// Chooses the unrolled reduced digits: the last ones.
void chooseTerms(const CpuOperation &op, uint64_t most, CompiledKernelPlan &plan) {
  plan.sums = op.reduced;
  uint64_t count = 1;
  while (!plan.sums.empty() && count * plan.sums.back().extent <= most) {
    count *= plan.sums.back().extent;
    plan.terms.insert(plan.terms.begin(), plan.sums.back());
    plan.sums.pop_back();
  }
  if (plan.sums.empty() || count > 1)
    return;
  const uint64_t part = largestDivisor(plan.sums.back().extent, std::min(most, kCutTerms));
  if (part == 1)
    return;
  LoopDigit fine = plan.sums.back();
  fine.extent = part;
  plan.terms = {fine};
  plan.sums.back() = coarse(plan.sums.back(), part);
}

void chooseInner(size_t digit, CompiledKernelPlan &plan) {
  plan.inner = plan.outer[digit];
  plan.outer.erase(plan.outer.begin() + static_cast<ptrdiff_t>(digit));
  plan.innerCopies = plan.sums.empty() && plan.inner.extent > kMostCopies
                         ? 1
                         : largestDivisor(plan.inner.extent, kMostCopies);
}

void choosePieces(CompiledKernelPlan &plan) {
  uint64_t count = 1;
  while (!plan.outer.empty() && count < kWantedPieces) {
    count *= plan.outer.front().extent;
    plan.pieces.push_back(plan.outer.front());
    plan.outer.erase(plan.outer.begin());
  }
  // More pieces come from the inner digit, then from the lanes.
  for (uint64_t parts = (kWantedPieces + count - 1) / count; parts > 1; --parts) {
    const uint64_t each = plan.inner.extent / parts;
    if (plan.inner.extent % parts != 0 || each < kLeastInner || each % plan.innerCopies != 0)
      continue;
    count *= parts;
    plan.pieces.push_back(coarse(plan.inner, each));
    plan.inner.extent = each;
    break;
  }
  const uint64_t lanes = plan.laneCount();
  if (count >= kWantedPieces || plan.lanes.size() != 1 || lanes < 2 * kLeastLanes)
    return;
  const uint64_t wanted = std::max(kLeastLanes, lanes * count / kWantedPieces);
  plan.pieceLanes = (wanted + plan.blockLanes - 1) / plan.blockLanes * plan.blockLanes;
}

} // namespace

CompiledKernelPlan planCompiled(const CpuOperation &op, ElementType type) {
  MPF_CHECK(!isIntegerType(type), "operation of {} operands in whole numbers", op.operandCount);
  const uint64_t width = kCompiledVectorBytes / elementBytes(type);
  CompiledKernelPlan best;
  // Blocks of several vectors spend less on loops; blocks of one vector need fewer registers.
  for (const size_t vectors : {1, 2, 4}) {
    CompiledKernelPlan start;
    start.semiring = op.semiring;
    start.type = type;
    start.operandCount = op.operandCount;
    chooseLanes(op, width, vectors, start);
    const uint64_t mostTerms =
        std::clamp<uint64_t>(kMostEntries / (start.blockLanes * op.operandCount), 1, kMostTerms);
    chooseTerms(op, mostTerms, start);
    for (size_t inner = 0; inner <= start.outer.size(); ++inner) {
      CompiledKernelPlan plan = start;
      if (inner < start.outer.size())
        chooseInner(inner, plan);
      plan.timeNs = compiledTimeNs(plan);
      if (best.operandCount == 0 || plan.timeNs < best.timeNs)
        best = std::move(plan);
    }
  }
  choosePieces(best);
  return best;
}

} // namespace mpf
