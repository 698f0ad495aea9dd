#include "codegen/kernel/cost_traffic.h"

#include "codegen/kernel/kernel_shape.h"
#include "codegen/kernel/page_sequence.h"

#include <algorithm>

namespace mpf {

namespace {

/// Distinct pages of an operand that `blocks` consecutive blocks touch: whole fast block axes.
double distinctBlockParts(const KernelPlan &plan, uint32_t operand, double blocks) {
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

uint64_t contiguousRun(const KernelPlan &plan, size_t operand, uint64_t limit) {
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

double fetchesPerBlock(const KernelPlan &plan, const Segment &segment) {
  return static_cast<double>(pageCount(plan)) / static_cast<double>(segment.lifetimePages);
}

namespace {
/// What the blocks of a multiprocessor read through L1 in one page stays there for the next.
bool pagesFitL1(const KernelPlan &plan, const Target &target) {
  double elems = 0;
  for (const Segment &segment : plan.segments)
    if (segment.placement == Placement::Bypass)
      elems += static_cast<double>(segment.sizeElems);
  return (elems * elementBytes(plan.type) + plan.launch.sharedBytes) * plan.launch.minBlocksPerSm <=
         target.sharedBytesPerSm;
}

/// Times a block reads the segment's page from behind L1.
double readsPerBlock(const KernelPlan &plan, const Segment &segment, const Target &target) {
  if (segment.placement == Placement::Bypass && !pagesFitL1(plan, target))
    return static_cast<double>(pageCount(plan));
  return fetchesPerBlock(plan, segment);
}
} // namespace

Traffic operandTraffic(const KernelPlan &plan, const Segment &segment, const Target &target) {
  const double bytes = elementBytes(plan.type);
  const double tableBytes =
      static_cast<double>(plan.form.operands[segment.operand].sizeElems) * bytes;
  const double segmentBytes = static_cast<double>(segment.sizeElems) * bytes;
  const double blocks = static_cast<double>(plan.launch.gridBlocks);
  const double fetched = blocks * readsPerBlock(plan, segment, target) * segmentBytes;
  const double run = static_cast<double>(contiguousRun(plan, segment.operand, 8)) * bytes;
  Traffic traffic;
  traffic.l2Bytes = fetched * std::max(1.0, kSectorBytes / run);

  const double concurrent =
      std::min(blocks, static_cast<double>(target.smCount) * plan.launch.minBlocksPerSm);
  const double waves = blocks / concurrent;
  const double perBlock = readsPerBlock(plan, segment, target) * segmentBytes;
  const double perWave = perBlock * distinctBlockParts(plan, segment.operand, concurrent);
  const bool resident = tableBytes <= kResidentShare * static_cast<double>(target.l2Bytes);
  const double reread = resident ? tableBytes : waves * perWave;
  traffic.dramBytes = std::max(tableBytes, std::min(reread, traffic.l2Bytes));
  return traffic;
}

Traffic resultTraffic(const KernelPlan &plan) {
  const double bytes = static_cast<double>(plan.form.result.sizeElems) * elementBytes(plan.type);
  const double run = static_cast<double>(contiguousRun(plan, plan.form.operands.size(), 8)) *
                     elementBytes(plan.type);
  return {bytes, bytes * std::max(1.0, kSectorBytes / run)};
}

double compulsoryBytes(const DigitForm &form, ElementType type) {
  double elems = static_cast<double>(form.result.sizeElems);
  for (size_t i = 0; i < form.operands.size(); ++i) {
    bool repeated = false; // the same table twice is read once
    for (size_t j = 0; j < i; ++j)
      repeated |= form.operands[j].table == form.operands[i].table;
    elems += repeated ? 0.0 : static_cast<double>(form.operands[i].sizeElems);
  }
  return elems * elementBytes(type);
}

} // namespace mpf
