#include "codegen/kernel/cost/cost_model.h"

#include "codegen/kernel/cost/cost_traffic.h"
#include "codegen/kernel/cost/floor.h"
#include "codegen/kernel/cost/occupancy.h"
#include "codegen/kernel/plan/kernel_shape.h"
#include "codegen/kernel/plan/log_form.h"
#include "codegen/kernel/plan/page_sequence.h"
#include "dsl/support/check.h"

#include <algorithm>
#include <cmath>
#include <string_view>
#include <utility>

namespace mpf {

namespace {
// Constants fitted to 1993 kernels of 60 random buckets on one H200: linear and log, plans good and
// bad. Those for memory, overlap and pages were fitted to 925 kernels in trains of launches
// (RESULTS.md).
//
// busyShare() is the share of the schedulers' issue slots, by the count of instructions, that the
// warps of a multiprocessor use. It falls with a power of their number below kFullWarps. It also
// falls with a power of the words of accumulators above kTileWords, because large register tiles
// leave less room for loads ahead of the arithmetic.
constexpr double kFullShare = 1.2;    ///< the share that kFullWarps warps use
constexpr double kFullWarps = 60;     ///< warps that reach kFullShare
constexpr double kWarpPower = 0.274;  ///< power of the number of warps
constexpr double kTileWords = 27;     ///< words of accumulators that do no harm
constexpr double kTilePower = 0.365;  ///< power of the words of accumulators
constexpr double kSteadyTerms = 53;   ///< terms of a sum that spends half its time with full pipes
constexpr double kSharedShare = 0.87; ///< the load/store units' part of the same share
constexpr double kBusyShare = 1.1;    ///< factor on the time of the busiest unit
constexpr double kBlockUs = 1.27;     ///< start of a block, its first loads and its last stores
constexpr double kPageUs = 0.19;      ///< loads of a page
constexpr double kStagingUs = 0.23;   ///< fetch of a page: loads, stores, two barriers
// The power sum of cost_model.h models how well memory, busy units and waiting hide each other. The
// warps of one block go through its phases together; only other blocks are in another phase.
constexpr double kAloneOverlap = 1.6;   ///< exponent of the power sum with one resident block
constexpr double kSharedOverlap = 0.91; ///< addition to the exponent by kSharingBlocks other blocks
constexpr double kSharingBlocks = 3.4;  ///< further blocks add nothing
// Constants for plans with pages in flight, which do not wait for memory inside a page. The first
// two were fitted to 516 kernels of the same buckets, the others to the 925.
constexpr double kPipelinedWarps = 11.5;  ///< warps that fill the slots; fewer fill a share
constexpr double kPipelinedPower = 0.89;  ///< power of the number of warps in that share
constexpr double kPipelinedBlockUs = 4.2; ///< start of a block until its first page is there
constexpr double kTurnUs = 0.47;          ///< wait and barrier of a page
constexpr double kPipelinedOverlap = 2.5; ///< exponent of the power sum for any number of blocks
constexpr double kFirstBlockUs = 0.5;     ///< time of a launch beyond that of an empty launch
/// The loss by f64 conversions of staged entries. All warps of a block convert between two
/// barriers: n resident blocks use n / (n + kConversionWait) of the slots that they would use
/// without. In f32 the special-function units convert beside all other work.
constexpr double kConversionWait = 0.26;

/// Returns the pipe clocks of one warp instruction relative to one issue slot.
double pipeFactor(const NestPlan &plan, const Target &target) {
  if (isIntegerType(plan.type))
    return 1; // termSlots counts the instructions
  const double peak = arithmeticPeak(plan.type, target);
  const double lanes = peak / (2 * target.clockGhz * 1e3 * target.smCount);
  return std::max(1.0, 4 * target.warpThreads / lanes);
}

/// Returns the rounds of loads that a thread waits for while it stages its share of a segment.
double stagingRounds(const NestPlan &plan, const Segment &segment) {
  const double bytes = elemsInFlight(plan, segment) * elementBytes(plan.type);
  return std::max(1.0, bytes / static_cast<double>(kCopiedBytes));
}

/// Returns the time of the steps of a block, for all rounds of blocks. Blocks that are resident
/// together overlap; blocks that follow each other do not.
double serialUs(const NestPlan &plan, const Target &target) {
  const bool pipelined = plan.stages > 1;
  double stagingUs = 0;
  for (const Segment &segment : plan.segments)
    if (segment.placement == Placement::Shared)
      stagingUs = std::max(stagingUs, kStagingUs * stagingRounds(plan, segment) /
                                          static_cast<double>(segment.lifetimePages));
  const double pageUs = pipelined ? kTurnUs : kPageUs + stagingUs;
  return blockRounds(plan.launch, target) * ((pipelined ? kPipelinedBlockUs : kBlockUs) +
                                             pageUs * static_cast<double>(pageCount(plan)));
}

/// Returns the share of a multiprocessor's slots that conversions between barriers leave.
double conversionShare(const NestPlan &plan) {
  const bool staged =
      std::any_of(plan.segments.begin(), plan.segments.end(),
                  [](const Segment &segment) { return segment.placement == Placement::Shared; });
  if (!staged || plan.type == ElementType::F32 || !usesScaledMantissas(plan.form, plan))
    return 1;
  const double blocks = plan.launch.minBlocksPerSm;
  return blocks / (blocks + kConversionWait);
}

/// Returns the share of its issue slots that a multiprocessor uses.
double busyShare(const NestPlan &plan, const Target &target) {
  const double warps =
      std::ceil(double(plan.launch.blockThreads) / target.warpThreads) * plan.launch.minBlocksPerSm;
  const double words =
      static_cast<double>(roleExtent(plan, AxisRole::Register)) * elementBytes(plan.type) / 4;
  if (plan.stages > 1)
    return std::pow(std::min(1.0, warps / kPipelinedWarps), kPipelinedPower);
  const double share = kFullShare * std::pow(std::min(1.0, warps / kFullWarps), kWarpPower) /
                       std::pow(std::max(1.0, words / kTileWords), kTilePower);
  const bool staged =
      std::none_of(plan.segments.begin(), plan.segments.end(),
                   [](const Segment &segment) { return segment.placement == Placement::Bypass; });
  const double terms = staged ? static_cast<double>(plan.form.reducedAddresses()) : 0;
  return conversionShare(plan) * (share + (kFullShare - share) * terms / (terms + kSteadyTerms));
}

double nestOverlap(const NestPlan &plan) {
  if (plan.stages > 1)
    return kPipelinedOverlap;
  const double others = plan.launch.minBlocksPerSm - 1.0;
  return kAloneOverlap + kSharedOverlap * std::min(1.0, others / kSharingBlocks);
}

std::vector<CostTerm> nestCostTerms(const NestPlan &plan, const Target &target, Paddings paddings) {
  Traffic total = resultTraffic(plan, target);
  for (const Segment &segment : plan.segments) {
    const Traffic traffic = operandTraffic(plan, segment, target);
    total.dramBytes += traffic.dramBytes;
    total.l2Bytes += traffic.l2Bytes;
  }
  const InstructionCounts perBlock = countInstructions(plan, target, paddings);
  const double blocks = static_cast<double>(plan.launch.gridBlocks);
  const double clocks = target.clockGhz * 1e3 * target.smCount; // SM clocks per microsecond
  const double shared = blocks * perBlock.wavefronts / clocks;
  const double issue = blocks * perBlock.issueSlots / (4 * clocks);
  const double arithmetic = blocks * perBlock.arithmetic * pipeFactor(plan, target) / (4 * clocks);
  const double exp2 = blocks * perBlock.exp2 / target.exp2PerUs;
  const double busy = kBusyShare * std::max({issue, arithmetic, shared / kSharedShare, exp2}) *
                      waveFactor(plan.launch, target) / busyShare(plan, target);
  return {
      {"dram", total.dramBytes / target.copyBytesPerUs},
      {"l2", total.l2Bytes / target.l2BytesPerUs},
      {"shared", shared},
      {"issue", issue},
      {"arithmetic", arithmetic},
      {"exp2", exp2},
      {"waves", busy},
      {"latency", serialUs(plan, target)},
  };
}
} // namespace

void addUpTerms(KernelHeader &plan, std::vector<CostTerm> terms, const TermSum &how,
                const Target &target) {
  MPF_CHECK(how.overlap > 0 && how.copyShare > 0, "terms overlap by the power {}, copies at {}",
            how.overlap, how.copyShare);
  plan.costTerms = std::move(terms);
  plan.costTerms.push_back({"launch", target.launchUs + kFirstBlockUs + how.startUs});
  const auto timeOf = [&](std::string_view name) {
    const auto term = std::find_if(plan.costTerms.begin(), plan.costTerms.end(),
                                   [&](const CostTerm &other) { return other.name == name; });
    return term == plan.costTerms.end() ? 0 : term->timeUs;
  };
  // Each of the three times hides a part of the others.
  const double memory = std::max(timeOf("dram") / how.copyShare, timeOf("l2"));
  plan.predictedUs =
      std::pow(std::pow(memory, how.overlap) + std::pow(timeOf("waves"), how.overlap) +
                   std::pow(timeOf("latency"), how.overlap),
               1 / how.overlap) *
          how.doubt +
      timeOf("launch");
  MPF_CHECK(plan.predictedUs > 0 && std::isfinite(plan.predictedUs),
            "predicted {} us: memory {}, waves {}, latency {}", plan.predictedUs, memory,
            timeOf("waves"), timeOf("latency"));
}

void modelCost(NestPlan &plan, const Target &target, Paddings paddings) {
  addUpTerms(plan, nestCostTerms(plan, target, paddings),
             {.overlap = nestOverlap(plan), .copyShare = plan.stages > 1 ? 1 : kStreamShare},
             target);
  plan.floorUs = floorTerms(plan.form, plan.type, plan.valueForm, target).longerUs();
}

} // namespace mpf
