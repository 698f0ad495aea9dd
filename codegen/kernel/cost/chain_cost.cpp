#include "codegen/kernel/cost/chain_cost.h"

#include "codegen/kernel/cost/cost_instructions.h"
#include "codegen/kernel/cost/cost_model.h"
#include "codegen/kernel/cost/cost_traffic.h"
#include "codegen/kernel/cost/floor.h"
#include "codegen/kernel/plan/chain_layout.h"
#include "codegen/kernel/plan/chain_shape.h"
#include "codegen/kernel/plan/kernel_shape.h"
#include "codegen/kernel/plan/log_form.h"
#include "codegen/kernel/plan/warp_lanes.h"
#include "dsl/support/check.h"

#include <algorithm>
#include <cmath>

namespace mpf {

namespace {

// Slots of one warp, counted in compiled kernels.
constexpr double kBlockSlots = 150;      ///< states, decision, recording of the range
constexpr double kChainPageSlots = 40;   ///< page number, outer offsets, barriers
constexpr double kPhaseSlots = 20;       ///< thread indices, addresses, barriers
constexpr double kStoreSlots32 = 6;      ///< two multiplications and the range, per stored entry
constexpr double kStoreSlots64 = 12;     ///< 64-bit comparisons take two instructions
constexpr double kPageLatencyUs = 1.0;   ///< fetch of a page until all threads pass the barrier
constexpr double kStoreLineClocks = 3.5; ///< clocks of a multiprocessor per line of a store
constexpr double kSmBytesPerClock = 64;  ///< the most bytes that one multiprocessor gets from L2
constexpr double kAloneFactor = 1.5;     ///< one block's warps do not fill the issue slots
constexpr double kPhaseLatencyUs = 0.15; ///< barriers and shared memory's latency
constexpr double kOverlap = 0.1;         ///< share of each shorter term that is not hidden

double product(double elems, const std::vector<DigitId> &digits, const ChainForm &form) {
  for (const DigitId digit : digits)
    elems *= static_cast<double>(form.digits[digit.index()].extent);
  return elems;
}

struct Work {
  double slots = 0, arithmetic = 0, wavefronts = 0, storeLines = 0, exp2 = 0;
};

/// Returns one step as an operation on the message and the product of its factors.
DigitForm stepForm(const ChainPlan &plan, size_t step) {
  MPF_CHECK(step < plan.form.steps.size(), "step {} of {}", step, plan.form.steps.size());
  DigitForm form;
  form.semiring = plan.form.semiring;
  form.operands.resize(plan.form.steps[step].factorCount == 0 ? 1 : 2);
  for (const DigitId digit : plan.form.steps[step].reduced)
    form.digits.push_back(plan.form.digits[digit.index()]);
  return form;
}

/// Returns the semiring instructions of one term.
double slotsPerTerm(const ChainPlan &plan, const DigitForm &step) {
  return step.digits.empty() ? 1 : termSlots(step, plan.type, plan.valueForm, LogSum::Running);
}

/// Returns the work of one warp for one page in phase `p`, with its loads and stores.
Work phaseWork(const ChainPlan &plan, size_t p, const Target &target) {
  const ChainPhase &phase = plan.phases[p];
  const size_t end = phase.firstStep + phase.stepCount;
  Work work;
  work.slots =
      kPhaseSlots + static_cast<double>(tileElems(plan, p, phase.firstStep)) / loadVector(plan, p);
  for (size_t s = phase.firstStep; s < end; ++s) {
    const ChainStep &step = plan.form.steps[s];
    const double terms =
        product(static_cast<double>(tileElems(plan, p, s)), step.introduced, plan.form);
    const DigitForm form = stepForm(plan, s);
    work.arithmetic += terms * slotsPerTerm(plan, form);
    if (usesExp2(form, plan.valueForm) && plan.type == ElementType::F32)
      work.exp2 += terms * target.warpThreads;
    for (uint32_t f = step.firstFactor; f < step.firstFactor + step.factorCount; ++f) {
      const double loads =
          static_cast<double>(factorEntries(plan, p, f)) / factorVector(plan, p, f);
      const auto lanes =
          threadOffsets(threadSlots(plan, p), partStrides(plan, plan.form.factors[f]), 0,
                        std::min<uint64_t>(target.warpThreads, plan.launch.blockThreads));
      work.slots += 2 * loads;
      work.wavefronts += loads * distinctUnits(lanes, elementBytes(plan.type), 128);
    }
  }
  const double out = static_cast<double>(tileElems(plan, p, end));
  if (p + 1 < plan.phases.size()) {
    work.slots += out / writeVector(plan, p);
  } else {
    const double stores = out / plan.storeVector;
    const auto lanes =
        threadOffsets(threadSlots(plan, p), partStrides(plan, plan.form.result), 0,
                      std::min<uint64_t>(target.warpThreads, plan.launch.blockThreads));
    work.slots +=
        2 * stores + out * (plan.type == ElementType::F32 ? kStoreSlots32 : kStoreSlots64);
    work.storeLines += stores * distinctUnits(lanes, elementBytes(plan.type), 128);
  }
  work.slots += work.arithmetic;
  return work;
}

/// Returns the contiguous bytes of a page in a table, at most a line.
double runBytes(const ChainPlan &plan, const DigitAccess &access) {
  std::vector<std::pair<uint64_t, uint64_t>> parts; // stride, extent
  for (uint32_t part = 0; part < plan.parts.size(); ++part)
    if (partStride(plan, access, part) != 0 && !isOuter(plan, part))
      parts.emplace_back(partStride(plan, access, part), plan.parts[part].extent);
  std::sort(parts.begin(), parts.end());
  uint64_t run = 1;
  for (const auto &[stride, extent] : parts)
    run = stride == run ? run * extent : run;
  return std::min(static_cast<double>(run * elementBytes(plan.type)), 128.0);
}

/// Returns the bytes moved for each byte used. Sectors are moved whole. Runs shorter than a line of
/// 128 bytes lose up to an eighth more.
double transferFactor(double runBytes) {
  const double sectors = std::max(1.0, kSectorBytes / runBytes);
  return runBytes < 128 ? sectors * (1 + (128 - runBytes) / 128 / 8) : sectors;
}

/// Returns the work of all warps for one page. Without `exactShared` images count as free of bank
/// conflicts.
Work pageWork(const ChainPlan &plan, const Target &target, bool exactShared) {
  const double warps = std::ceil(double(plan.launch.blockThreads) / target.warpThreads);
  const double bytes = elementBytes(plan.type);
  Work page;
  for (size_t p = 0; p < plan.phases.size(); ++p) {
    const Work work = phaseWork(plan, p, target);
    page.slots += warps * work.slots;
    page.arithmetic += warps * work.arithmetic;
    page.exp2 += warps * work.exp2;
    page.wavefronts += warps * work.wavefronts;
    page.storeLines += warps * work.storeLines;
    if (exactShared) {
      page.wavefronts += static_cast<double>(imageCost(plan, p, target).wavefronts);
    } else {
      const ChainPhase &phase = plan.phases[p];
      page.wavefronts += 2 * static_cast<double>(tileElems(plan, p, phase.firstStep)) *
                         static_cast<double>(busyThreads(plan, p)) * bytes / 128;
    }
  }
  double fetchLoads = warps;
  for (const ChainSlot &slot : plan.fetch.loopSlots)
    fetchLoads *= static_cast<double>(slot.extent);
  page.slots += warps * kChainPageSlots +
                fetchLoads * (1 + double(plan.fetch.vector) / fetchStoreVector(plan));
  page.wavefronts += fetchLoads * plan.fetch.vector * bytes / 4;
  page.slots += warps * kBlockSlots / static_cast<double>(plan.pagesPerBlock);
  return page;
}

double chainDramBytes(const ChainPlan &plan) {
  const double bytes = elementBytes(plan.type);
  return static_cast<double>(plan.form.message.sizeElems) * bytes *
             transferFactor(runBytes(plan, plan.form.message)) +
         static_cast<double>(plan.form.result.sizeElems) * bytes *
             transferFactor(runBytes(plan, plan.form.result));
}

/// Returns the time of one page of a block that runs alone.
double pageAloneUs(const ChainPlan &plan, const Work &page, double dramBytes,
                   const Target &target) {
  const double warps = std::ceil(double(plan.launch.blockThreads) / target.warpThreads);
  const double pages = static_cast<double>(pageCount(plan));
  const double aloneUs =
      (std::max(kAloneFactor * page.slots / std::min(4.0, warps), page.wavefronts) +
       dramBytes / pages / kSmBytesPerClock) /
      (target.clockGhz * 1e3);
  return kPageLatencyUs + kPhaseLatencyUs * static_cast<double>(plan.phases.size()) + aloneUs;
}

std::vector<CostTerm> chainCostTerms(const ChainPlan &plan, const Target &target,
                                     bool exactShared) {
  const Work page = pageWork(plan, target, exactShared);
  const double pages = static_cast<double>(pageCount(plan));
  const double clocks = target.clockGhz * 1e3 * target.smCount; // SM clocks per microsecond
  const double lanes = arithmeticPeak(plan.type, target) / (2 * clocks);
  const double pipe = std::max(1.0, 4 * target.warpThreads / lanes);
  const double dramBytes = chainDramBytes(plan);
  const double active = std::max(1u, plan.launch.minBlocksPerSm);
  const double rounds =
      std::ceil(static_cast<double>(plan.launch.gridBlocks) / (active * target.smCount));
  return {
      {"dram", dramBytes / target.copyBytesPerUs},
      {"shared", pages * page.wavefronts / clocks},
      {"stores", pages * page.storeLines * kStoreLineClocks / clocks},
      {"issue", pages * page.slots / (4 * clocks)},
      {"arithmetic", pages * page.arithmetic * pipe / (4 * clocks)},
      {"exp2", pages * page.exp2 / target.exp2PerUs},
      {"latency", rounds * static_cast<double>(plan.pagesPerBlock) *
                      pageAloneUs(plan, page, dramBytes, target)},
  };
}

} // namespace

void modelCost(ChainPlan &plan, const Target &target, bool exactShared) {
  MPF_CHECK(!plan.phases.empty() && plan.pagesPerBlock > 0, "{} phases, {} pages a block",
            plan.phases.size(), plan.pagesPerBlock);
  plan.costTerms = chainCostTerms(plan, target, exactShared);
  double longest = 0, sum = 0;
  for (const CostTerm &term : plan.costTerms) {
    longest = std::max(longest, term.timeUs);
    sum += term.timeUs;
  }
  plan.costTerms.push_back({"launch", target.launchUs});
  plan.predictedUs = longest + kOverlap * (sum - longest) + target.launchUs;
  MPF_CHECK(plan.predictedUs > 0 && std::isfinite(plan.predictedUs),
            "a chain of {} steps is predicted to take {} us", plan.form.steps.size(),
            plan.predictedUs);
  plan.floorUs = floorTerms(plan.form, plan.type, target).longerUs();
}

} // namespace mpf
