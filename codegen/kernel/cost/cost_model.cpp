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
// Fitted to 1993 kernels of 60 random buckets, linear and log, plans good and bad, on one H200, and
// what concerns memory, overlap and pages to 925 kernels in trains of launches (RESULTS.md).
constexpr double kFullShare = 1.2;    ///< of the schedulers' slots, by the count of instructions,
constexpr double kFullWarps = 60;     ///< that enough warps fill; fewer fill a share of that, to
constexpr double kWarpPower = 0.274;  ///< this power of their number, and large register tiles
constexpr double kTileWords = 27;     ///< leave less room for loads ahead of the arithmetic: beyond
constexpr double kTilePower = 0.365;  ///< so many words of accumulators it falls with this power
constexpr double kSteadyTerms = 53;   ///< sums so long spend half their time with pipes full
constexpr double kSharedShare = 0.87; ///< of the same share: the load/store units
constexpr double kBusyShare = 1.1;    ///< time of the busy units over that
constexpr double kBlockUs = 1.27;     ///< start of a block, its first loads and its last stores
constexpr double kPageUs = 0.19;      ///< a page: its loads
constexpr double kStagingUs = 0.23;   ///< and a fetch of it: loads, stores, two barriers
// How well memory, busy units and waiting hide each other: warps of one block go through its
// phases together, and only other blocks of the multiprocessor are in another one.
constexpr double kAloneOverlap = 1.6;   ///< exponent of the sum of powers, one block resident
constexpr double kSharedOverlap = 0.91; ///< what others add to it,
constexpr double kSharingBlocks = 3.4;  ///< as many as these
// Where pages are in flight nothing waits for memory inside one (the first two from 516 kernels of
// the same buckets, the others from the 925):
constexpr double kPipelinedWarps = 11.5;  ///< fill the slots, fewer a share of them
constexpr double kPipelinedPower = 0.89;  ///< to this power of their number
constexpr double kPipelinedBlockUs = 4.2; ///< start of a block until its first page is there
constexpr double kTurnUs = 0.47;          ///< a page: wait and barrier
constexpr double kPipelinedOverlap = 2.5; ///< as kAloneOverlap, for any number of blocks
constexpr double kFirstBlockUs = 0.5;     ///< of a launch: on top of the time of an empty one
// Entries that are converted in f64 while they are staged: all warps of a block do so between two
// barriers, and n blocks resident together fill n / (n + this) of what they would without. In f32
// the special-function units do it beside everything else.
constexpr double kConversionWait = 0.26;

/// Pipe clocks of one warp instruction relative to one issue slot.
double pipeFactor(const NestPlan &plan, const Target &target) {
  if (isIntegerType(plan.type))
    return 1; // termSlots counts the instructions
  const double peak = arithmeticPeak(plan.type, target);
  const double lanes = peak / (2 * target.clockGhz * 1e3 * target.smCount);
  return std::max(1.0, 4 * target.warpThreads / lanes);
}

/// Rounds of loads that a thread waits for while it stages its share of a segment.
double stagingRounds(const NestPlan &plan, const Segment &segment) {
  const double bytes = elemsInFlight(plan, segment) * elementBytes(plan.type);
  return std::max(1.0, bytes / static_cast<double>(kCopiedBytes));
}

/// What a block goes through step by step; blocks resident together overlap, one after another in
/// the same place do not.
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

/// What conversions between barriers leave of a multiprocessor's slots.
double conversionShare(const NestPlan &plan) {
  const bool staged =
      std::any_of(plan.segments.begin(), plan.segments.end(),
                  [](const Segment &segment) { return segment.placement == Placement::Shared; });
  if (!staged || plan.type == ElementType::F32 || !usesScaledMantissas(plan.form, plan))
    return 1;
  const double blocks = plan.launch.minBlocksPerSm;
  return blocks / (blocks + kConversionWait);
}

/// Share of its issue slots that a multiprocessor makes use of.
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
  // Each of the three hides what it can of the others.
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
