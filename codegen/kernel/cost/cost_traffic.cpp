#include "codegen/kernel/cost/cost_traffic.h"

#include "codegen/kernel/plan/kernel_shape.h"
#include "codegen/kernel/plan/page_sequence.h"
#include "codegen/kernel/plan/warp_lanes.h"
#include "dsl/support/check.h"

#include <algorithm>
#include <numeric>

namespace mpf {

namespace {

constexpr uint32_t kWarpsLookedAt = 4;
constexpr uint64_t kLineBytes = 128, kWarpBytes = 512; ///< of L2; that a warp stores at once
// Additional shares of a result's bytes for runs that begin inside half lines, lines, or the bytes
// that a warp stores at once. They were fitted with the constants of cost_model.cpp.
constexpr double kInHalfLines = 0.13, kInLines = 0.11, kInWarps = 0.05;

/// Returns the distinct pages of an operand that `blocks` consecutive blocks touch: whole fast
/// block axes.
double distinctBlockParts(const NestPlan &plan, uint32_t operand, double blocks) {
  const AxisRange axes = axesOfRole(plan, AxisRole::Block);
  double distinct = 1;
  for (uint32_t a = axes.end; a-- > axes.begin && blocks > 1;) {
    const double extent = std::min(static_cast<double>(plan.axes[a].extent), blocks);
    if (sourceVaries(plan, operand, a))
      distinct *= extent;
    blocks /= static_cast<double>(plan.axes[a].extent);
  }
  return distinct;
}
} // namespace

uint64_t contiguousRun(const NestPlan &plan, size_t operand, uint64_t limit) {
  MPF_CHECK(limit > 0 && operand <= plan.form.operands.size(), "runs of table {} of {} up to {}",
            operand, plan.form.operands.size(), limit);
  uint64_t run = 1;
  for (bool grown = true; grown && run < limit;) {
    grown = false;
    for (uint32_t a = 0; a < plan.axes.size(); ++a) {
      const AxisRole role = plan.axes[a].role;
      if (role == AxisRole::Block || role == AxisRole::Page || plan.axes[a].extent == 1 ||
          globalStride(plan, operand, a) != run)
        continue;
      run *= plan.axes[a].extent;
      grown = true;
      break;
    }
  }
  return std::min(run, limit);
}

double fetchesPerBlock(const NestPlan &plan, const Segment &segment) {
  MPF_CHECK(segment.lifetimePages > 0, "segment {} lives for {} pages", segment.operand,
            segment.lifetimePages);
  return static_cast<double>(pageCount(plan)) / static_cast<double>(segment.lifetimePages);
}

namespace {
/// Whether data that the blocks of a multiprocessor read through L1 in one page stays there for the
/// next page.
bool pagesFitL1(const NestPlan &plan, const Target &target) {
  double bytes = plan.launch.sharedBytes;
  for (const Segment &segment : plan.segments)
    if (segment.placement == Placement::Bypass)
      bytes += static_cast<double>(segment.sizeElems) *
               plan.form.operands[segment.operand].elemBytes(plan.type);
  return bytes * plan.launch.minBlocksPerSm <= target.sharedBytesPerSm;
}

/// Returns how often a block reads the segment's page from behind L1.
double readsPerBlock(const NestPlan &plan, const Segment &segment, const Target &target) {
  if (segment.placement == Placement::Bypass && !pagesFitL1(plan, target))
    return static_cast<double>(pageCount(plan));
  return fetchesPerBlock(plan, segment);
}
} // namespace

Traffic operandTraffic(const NestPlan &plan, const Segment &segment, const Target &target) {
  const DigitAccess &table = plan.form.operands[segment.operand];
  const double bytes = table.elemBytes(plan.type);
  const double tableBytes = static_cast<double>(table.sizeElems) * bytes;
  const double segmentBytes = static_cast<double>(segment.sizeElems) * bytes;
  const double blocks = static_cast<double>(plan.launch.gridBlocks);
  const double fetched = blocks * readsPerBlock(plan, segment, target) * segmentBytes;
  const uint64_t sectorElems = table.packed ? 8 * static_cast<uint64_t>(kSectorBytes) : 8;
  const double run = static_cast<double>(contiguousRun(plan, segment.operand, sectorElems)) * bytes;
  Traffic traffic;
  traffic.l2Bytes = fetched * std::max(1.0, kSectorBytes / run);

  const double concurrent =
      std::min(blocks, static_cast<double>(target.smCount) * plan.launch.minBlocksPerSm);
  MPF_CHECK(concurrent > 0, "{} blocks, {} resident on each of {} multiprocessors", blocks,
            plan.launch.minBlocksPerSm, target.smCount);
  const double waves = blocks / concurrent;
  const double perBlock = readsPerBlock(plan, segment, target) * segmentBytes;
  const double perWave = perBlock * distinctBlockParts(plan, segment.operand, concurrent);
  const bool resident = tableBytes <= kResidentShare * static_cast<double>(target.l2Bytes);
  const double reread = resident ? tableBytes : waves * perWave;
  traffic.dramBytes = std::max(tableBytes, std::min(reread, traffic.l2Bytes));
  return traffic;
}

namespace {
/// Returns the greatest number of elements at whose multiples all runs of the result begin. It is
/// the common divisor of `unitElems` and the strides of all axes except lanes and stored vectors.
uint64_t runAlignment(const NestPlan &plan, uint64_t unitElems) {
  const size_t result = plan.form.operands.size();
  uint64_t alignment = unitElems;
  for (uint32_t a = 0; a < plan.axes.size(); ++a) {
    const uint64_t stride = globalStride(plan, result, a);
    const bool inVector = plan.storeVector > 1 && plan.axes[a].role == AxisRole::Register &&
                          stride < plan.storeVector;
    if (plan.axes[a].extent > 1 && plan.axes[a].role != AxisRole::Thread && !inVector)
      alignment = std::gcd(alignment, stride);
  }
  return alignment;
}

/// Returns the cost of misaligned runs, as a share of their bytes: they begin inside lines, or
/// inside the bytes that a warp stores at once. A line that two stores fill is open for longer.
double misalignment(const NestPlan &plan) {
  const uint32_t bytes = elementBytes(plan.type);
  const uint64_t alignedBytes = runAlignment(plan, kWarpBytes / bytes) * bytes;
  return alignedBytes < kLineBytes / 2 ? kInHalfLines
         : alignedBytes < kLineBytes   ? kInLines
         : alignedBytes < kWarpBytes   ? kInWarps
                                       : 0;
}

/// Returns how many ends of [first, end) are inside a sector; at most one if the run is within a
/// sector.
uint64_t partialEnds(uint64_t first, uint64_t end, uint64_t sectorElems) {
  const uint64_t ends = (first % sectorElems != 0) + (end % sectorElems != 0);
  return first / sectorElems == (end - 1) / sectorElems ? std::min<uint64_t>(ends, 1) : ends;
}
} // namespace

double partialSectors(const NestPlan &plan, const Target &target) {
  const uint64_t sectorElems = static_cast<uint64_t>(kSectorBytes) / elementBytes(plan.type);
  const size_t result = plan.form.operands.size();
  const uint64_t alignment = runAlignment(plan, sectorElems);
  MPF_CHECK(alignment > 0 && sectorElems % alignment == 0,
            "runs begin at multiples of {} entries in sectors of {}", alignment, sectorElems);
  const uint64_t places = sectorElems / alignment; // places in a sector where a run may begin
  const uint32_t warps = (plan.launch.blockThreads + target.warpThreads - 1) / target.warpThreads;
  const uint32_t looked = std::min(warps, kWarpsLookedAt);
  MPF_CHECK(looked > 0, "a block of {} threads", plan.launch.blockThreads);
  double ends = 0;
  for (uint32_t warp = 0; warp < looked; ++warp) {
    std::vector<uint64_t> lanes = laneOffsets(plan, warp, target.warpThreads, [&](uint32_t axis) {
      return globalStride(plan, result, axis);
    });
    std::sort(lanes.begin(), lanes.end());
    for (size_t i = 0; i < lanes.size();) {
      const uint64_t first = lanes[i];
      uint64_t end = first + plan.storeVector;
      for (++i; i < lanes.size() && lanes[i] <= end; ++i)
        end = std::max(end, lanes[i] + plan.storeVector);
      for (uint64_t place = 0; place < places; ++place)
        ends += static_cast<double>(
                    partialEnds(first + place * alignment, end + place * alignment, sectorElems)) /
                static_cast<double>(places);
    }
  }
  const double storedAtOnce = double(plan.launch.blockThreads) * plan.storeVector;
  return ends * warps / looked * double(plan.form.result.sizeElems) / storedAtOnce;
}

Traffic resultTraffic(const NestPlan &plan, const Target &target) {
  const double bytes = static_cast<double>(plan.form.result.sizeElems) * elementBytes(plan.type);
  const double run = static_cast<double>(contiguousRun(plan, plan.form.operands.size(), 8)) *
                     elementBytes(plan.type);
  return {bytes * (1 + misalignment(plan)) + kPartialBytes * partialSectors(plan, target),
          bytes * std::max(1.0, kSectorBytes / run)};
}

} // namespace mpf
