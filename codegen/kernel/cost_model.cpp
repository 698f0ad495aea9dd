#include "codegen/kernel/cost_model.h"

#include "codegen/kernel/cost_instructions.h"
#include "codegen/kernel/cost_traffic.h"
#include "codegen/kernel/kernel_shape.h"
#include "codegen/kernel/occupancy.h"
#include "codegen/kernel/page_sequence.h"

#include <algorithm>
#include <cmath>

namespace mpf {

namespace {
constexpr double kMemoryLatencyUs = 0.8;  ///< loaded, to device memory
constexpr double kStagingLatencyUs = 0.9; ///< the fetch, the stores and two barriers of a page
constexpr double kBlockStartUs = 0.6;     ///< launch of a block, index arithmetic, first load
constexpr double kOverlap = 0.1;          ///< share of each shorter term that is not hidden

/// Bytes one thread asks for before it must wait for the first of them.
double bytesInFlight(const KernelPlan &plan) {
  double elems = 0;
  for (const Segment &segment : plan.segments)
    elems += elemsInFlight(plan, segment);
  return std::clamp(elems * elementBytes(plan.type), 4.0, kInFlightBytes);
}

/// Rounds of dependent loads a thread goes through in one page.
double waitsPerPage(const KernelPlan &plan) {
  double waits = 0;
  const AxisRange sums = axesOfRole(plan, AxisRole::Sum);
  for (const Segment &segment : plan.segments) {
    if (segment.placement == Placement::Shared) {
      waits = std::max(waits, kStagingLatencyUs / kMemoryLatencyUs /
                                  static_cast<double>(segment.lifetimePages));
      continue;
    }
    double rounds = 1;
    if (segment.placement == Placement::Bypass)
      for (uint32_t a = sums.begin; a < sums.end; ++a)
        if (sourceVaries(plan, segment.operand, a))
          rounds *= std::ceil(static_cast<double>(plan.axes[a].extent) / plan.axes[a].unroll);
    // A small table sits in L1 after its first use: a tenth of the way.
    const bool cached = plan.form.operands[segment.operand].sizeElems * elementBytes(plan.type) <=
                        uint64_t{64} * 1024;
    waits = std::max(waits, cached ? 1 + rounds / 10 : rounds);
  }
  return waits;
}

/// Warps per multiprocessor that keep its four schedulers busy: fewer when a thread has many
/// independent accumulators (an instruction's result is there after about 4 clocks, a shared
/// memory load's after 30).
double fullIssueWarps(const KernelPlan &plan) {
  const double outputs = static_cast<double>(roleExtent(plan, AxisRole::Register));
  return std::clamp(64.0 / outputs, 6.0, 24.0);
}

/// Pipe clocks of one warp instruction relative to one issue slot.
double pipeFactor(const KernelPlan &plan, const Target &target) {
  const double peak = plan.type == ElementType::F32 ? target.f32FlopsPerUs : target.f64FlopsPerUs;
  const double lanes = peak / (2 * target.clockGhz * 1e3 * target.smCount);
  return std::max(1.0, 4 * target.warpThreads / lanes);
}

double latencyUs(const KernelPlan &plan, const Target &target, double dramBytes,
                 const InstructionCounts &perBlock) {
  const double active =
      std::min<double>(plan.launch.minBlocksPerSm,
                       std::ceil(static_cast<double>(plan.launch.gridBlocks) / target.smCount));
  const double residentThreads = active * plan.launch.blockThreads;
  const double usedSms =
      std::min<double>(target.smCount, static_cast<double>(plan.launch.gridBlocks));
  const double bytesPerUs = usedSms * residentThreads * bytesInFlight(plan) / kMemoryLatencyUs;
  // Blocks resident together overlap; one after another on the same slot do not.
  const double rounds = std::ceil(static_cast<double>(plan.launch.gridBlocks) /
                                  (double(target.smCount) * plan.launch.minBlocksPerSm));
  const double clocksPerUs = target.clockGhz * 1e3;
  const double warps = std::ceil(double(plan.launch.blockThreads) / target.warpThreads);
  const double slots =
      std::max(perBlock.issueSlots, perBlock.arithmetic * pipeFactor(plan, target));
  const double alone =
      std::max(slots / 4 * std::max(1.0, fullIssueWarps(plan) / warps), perBlock.wavefronts) /
      clocksPerUs;
  const double waits = waitsPerPage(plan) * static_cast<double>(pageCount(plan));
  const double serial = rounds * (kBlockStartUs + waits * kMemoryLatencyUs + alone);
  return std::max(dramBytes / bytesPerUs, serial);
}
} // namespace

FloorTerms floorTerms(const DigitForm &form, ElementType type, ValueForm valueForm,
                      const Target &target) {
  double addresses = 1;
  for (const Digit &digit : form.digits)
    addresses *= static_cast<double>(digit.extent);
  const bool reduces = form.reducedAddresses() > 1;
  const double operations =
      addresses * (static_cast<double>(form.operands.size() - 1) + (reduces ? 1 : 0));
  const double peak = type == ElementType::F32 ? target.f32FlopsPerUs : target.f64FlopsPerUs;
  double arithmetic = operations / peak;
  if (reduces && usesExp2(form.semiring, valueForm) && type == ElementType::F32)
    arithmetic = std::max(arithmetic, addresses / target.exp2PerUs);
  return {compulsoryBytes(form, type) / target.copyBytesPerUs, arithmetic};
}

double floorUs(const DigitForm &form, ElementType type, ValueForm valueForm, const Target &target) {
  const FloorTerms terms = floorTerms(form, type, valueForm, target);
  return std::max(terms.bytesUs, terms.arithmeticUs);
}

void modelCost(KernelPlan &plan, const Target &target) {
  Traffic total = resultTraffic(plan);
  for (const Segment &segment : plan.segments) {
    const Traffic traffic = operandTraffic(plan, segment, target);
    total.dramBytes += traffic.dramBytes;
    total.l2Bytes += traffic.l2Bytes;
  }
  const InstructionCounts perBlock = countInstructions(plan, target);
  const double blocks = static_cast<double>(plan.launch.gridBlocks);
  const double clocks = target.clockGhz * 1e3 * target.smCount; // SM clocks per microsecond
  const double shared = blocks * perBlock.wavefronts / clocks;
  const double issue = blocks * perBlock.issueSlots / (4 * clocks);
  const double arithmetic = blocks * perBlock.arithmetic * pipeFactor(plan, target) / (4 * clocks);
  const double exp2 = blocks * perBlock.exp2 / target.exp2PerUs;
  plan.costTerms = {
      {"dram", total.dramBytes / target.copyBytesPerUs},
      {"l2", total.l2Bytes / target.l2BytesPerUs},
      {"shared", shared},
      {"issue", issue},
      {"arithmetic", arithmetic},
      {"exp2", exp2},
      {"waves", std::max({shared, issue, arithmetic, exp2}) * waveFactor(plan, target)},
      {"latency", latencyUs(plan, target, total.dramBytes, perBlock)},
  };
  double longest = 0, sum = 0;
  for (const CostTerm &term : plan.costTerms) {
    longest = std::max(longest, term.timeUs);
    // L2 moves what device memory moves, and waves repeats the terms before it.
    sum += term.name == "l2" || term.name == "waves" ? 0 : term.timeUs;
  }
  plan.costTerms.push_back({"launch", target.launchUs});
  plan.predictedUs = longest + kOverlap * std::max(0.0, sum - longest) + target.launchUs;
  plan.floorUs = floorUs(plan.form, plan.type, plan.valueForm, target);
}

} // namespace mpf
