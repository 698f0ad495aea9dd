#include "codegen/kernel/cost/cost_instructions.h"

#include "codegen/kernel/cost/cost_traffic.h"
#include "codegen/kernel/cost/log_sum_cost.h"
#include "codegen/kernel/plan/bank_conflicts.h"
#include "codegen/kernel/plan/hoist_products.h"
#include "codegen/kernel/plan/interleave_lanes.h"
#include "codegen/kernel/plan/kernel_shape.h"
#include "codegen/kernel/plan/log_form.h"
#include "codegen/kernel/plan/page_sequence.h"
#include "codegen/kernel/plan/warp_lanes.h"
#include "dsl/support/check.h"

#include <algorithm>
#include <cmath>

namespace mpf {

namespace {
// Slots per event, counted in compiled kernels of this shape.
constexpr double kPrologueSlots = 40; ///< decoding blockIdx and threadIdx
constexpr double kPageSlots = 24;     ///< page loop, two barriers, base addresses
constexpr double kIterationSlots = 4; ///< one iteration of a sum loop that is not unrolled
constexpr double kFetchSlots = 10;    ///< address of one staging vector
constexpr double kFetchPartSlots = 3; ///< addition to kFetchSlots for each part of the fetch
constexpr double kEvenCopySlots = 2;  ///< one asynchronous copy of an even share
constexpr double kAddressSlots = 2;   ///< a global access whose offset is no constant
constexpr double kGuardSlots = 2;     ///< a comparison and its predicate
constexpr double kWordSlots = 2;  ///< the place of a packed table's word, and that of its first bit
constexpr double kBitSlots = 1;   ///< test of a packed entry, which is the condition of an addition
constexpr double kBit64Slots = 3; ///< the same in f64, where the words of a number are chosen
constexpr double kUnpackSlots = 2;    ///< conversion of a packed entry to a number in a segment
constexpr double kEntry32Slots = 6;   ///< rescaling an entry and recording its exponent
constexpr double kEntry64Slots = 13;  ///< 64-bit comparisons are pairs
constexpr double kLogSum32Slots = 7;  ///< difference, exp2, compare, two sums, choice, maximum
constexpr double kLogSum64Slots = 90; ///< two f64 exponentials in software
constexpr double kExp2PerLogTerm = 1;

double pages(const NestPlan &plan) { return static_cast<double>(pageCount(plan)); }

struct LoadCost {
  double slots = 0, wavefronts = 0;
};

double conflictFactor(const RequestCost &cost) {
  return cost.phases == 0 ? 1 : static_cast<double>(cost.wavefronts) / cost.phases;
}

/// Returns the number of lines of 128 bytes that hold the entries at these offsets of a table.
double distinctLines(const DigitAccess &table, ElementType type,
                     const std::vector<uint64_t> &offsets) {
  return table.packed ? distinctUnits(offsets, 1, 8 * 128)
                      : distinctUnits(offsets, elementBytes(type), 128);
}

/// Returns the cost of the fragment loads of one warp and page.
LoadCost fragmentLoads(const NestPlan &plan, const Segment &segment, const Target &target,
                       Paddings paddings) {
  const uint32_t bytes = elementBytes(plan.type);
  const uint32_t vectorBytes = segment.fragmentVector * bytes;
  MPF_CHECK(segment.fragmentVector > 0 && segment.lifetimePages > 0,
            "segment {} has fragments of {} entries for {} pages", segment.operand,
            segment.fragmentVector, segment.lifetimePages);
  const double loads = formationsPerPage(plan, segment.operand) / segment.fragmentVector;
  const auto offsets = laneOffsets(plan, 0, target.warpThreads, [&](uint32_t axis) {
    return fragmentStride(plan, segment, axis);
  });
  LoadCost cost;
  if (segment.placement == Placement::Shared) {
    // Without conflicts the way back to the registers is the limit: 128 bytes per clock, also for
    // lanes that read the same word. The fitted constants include the average effect of merged
    // phases. Tiles over three digits exceed this average, because their lanes are interleaved.
    cost = {loads, loads * std::max(1.0, target.warpThreads * vectorBytes / 128.0)};
    if (plan.stages > 1 && tilesThreeDigits(plan.form, plan.axes))
      cost.wavefronts = loads * mergedWavefronts(offsets, segment.fragmentVector, bytes, target,
                                                 paddings == Paddings::Chosen);
    if (paddings == Paddings::Chosen && !segment.conflictFree)
      cost.wavefronts *= conflictFactor(fragmentConflicts(plan, segment, target));
  } else {
    // The cost is one line a clock, and the same way back as for shared memory.
    const bool packed = plan.form.operands[segment.operand].packed;
    const double lines = distinctLines(plan.form.operands[segment.operand], plan.type, offsets);
    const double wayBack = target.warpThreads * (packed ? 4.0 : vectorBytes) / 128;
    cost = {loads * (1 + kAddressSlots), loads * std::max(lines, wayBack)};
    if (packed)
      cost.slots += loads * kWordSlots;
  }
  if (segment.placement == Placement::Registers)
    cost.wavefronts /= static_cast<double>(segment.lifetimePages),
        cost.slots /= static_cast<double>(segment.lifetimePages);
  return cost;
}

/// Returns the products of one warp and page that use entries of packed operands.
double packedUses(const NestPlan &plan, double terms) {
  const size_t operands = plan.form.operands.size();
  double uses = 0;
  for (const Segment &segment : plan.segments) {
    if (!holdsWords(plan, segment))
      continue;
    size_t step = 0;
    while (step < plan.products.size() && plan.products[step].left != segment.operand &&
           plan.products[step].right != segment.operand)
      ++step;
    uses += step + 1 < plan.products.size()
                ? formationsPerPage(plan, static_cast<uint32_t>(operands + step))
                : terms;
  }
  return uses;
}

/// Returns the cost of one fetch of a segment by all warps.
LoadCost staging(const NestPlan &plan, const Segment &segment, const Target &target,
                 Paddings paddings) {
  const double factor = paddings == Paddings::Chosen && !segment.conflictFree
                            ? conflictFactor(stagingConflicts(plan, segment, target))
                            : 1;
  const double requests = std::ceil(static_cast<double>(fetchCount(segment)) / target.warpThreads);
  if (plan.stages > 1) {
    const bool even =
        segment.fetchParts.empty() || !dealtOut(segment, plan.launch.blockThreads).empty();
    const double uneven = even ? 0 : kFetchPartSlots * double(segment.fetchParts.size());
    return {requests * (kEvenCopySlots + uneven),
            stagingWavefronts(plan, segment, target) * factor};
  }
  double stores = fetchElementStride(plan, segment) == 1 ? 1 : segment.fetchVector;
  if (plan.form.operands[segment.operand].packed)
    stores += kWordSlots + kUnpackSlots * segment.fetchVector;
  return {requests * (kFetchSlots + kFetchPartSlots * double(segment.fetchParts.size()) + stores),
          stagingWavefronts(plan, segment, target) * factor};
}

LoadCost stores(const NestPlan &plan, const Target &target) {
  MPF_CHECK(plan.storeVector > 0, "stores of {} entries", plan.storeVector);
  const double count = static_cast<double>(roleExtent(plan, AxisRole::Register)) / plan.storeVector;
  const auto offsets = laneOffsets(plan, 0, target.warpThreads, [&](uint32_t axis) {
    return globalStride(plan, plan.form.operands.size(), axis);
  });
  const double lines = distinctUnits(offsets, elementBytes(plan.type), 128);
  const double vector = target.warpThreads * plan.storeVector * elementBytes(plan.type) / 128.0;
  const double entrySlots = usesScaledMantissas(plan.form, plan) ? 0 // log_sum_cost.h
                            : plan.type == ElementType::F32      ? kEntry32Slots
                                                                 : kEntry64Slots;
  return {count * (1 + kAddressSlots + plan.storeVector * entrySlots),
          count * std::max(lines, vector)};
}

/// Returns the instructions of a term of whole numbers. One product of words is two instructions
/// (IMAD.WIDE of halves gives the low word in three).
double integerTermSlots(const DigitForm &form, ElementType type) {
  const bool wide = type == ElementType::U128;
  const double product = form.semiring.combine == Combine::Times ? (wide ? 16 : 4) : (wide ? 4 : 2);
  const double reduction = form.semiring.reduce == Reduce::Sum ? (wide ? 4 : 2) : (wide ? 8 : 4);
  return product * (form.operands.size() > 1 ? 1 : 0) + reduction;
}

} // namespace

double termSlots(const DigitForm &form, ElementType type, ValueForm valueForm, LogSum logSum) {
  if (isIntegerType(type))
    return integerTermSlots(form, type);
  const bool f64 = type == ElementType::F64;
  const double product = form.operands.size() > 1 ? 1 : 0;
  if (usesExp2(form, valueForm))
    return logSum == LogSum::MantissaLoads   ? 1
           : logSum == LogSum::MantissaTerms ? product + 1
                                             : product + (f64 ? kLogSum64Slots : kLogSum32Slots);
  if (form.semiring.reduce == Reduce::Sum) // a multiply-add where there is one
    return form.semiring.combine == Combine::Times ? 1 : 1 + product;
  return product + (f64 ? 2 : 1); // f64 has no maximum instruction
}

double stagingWavefronts(const NestPlan &plan, const Segment &segment, const Target &target) {
  const double bytes = elementBytes(plan.type);
  const uint64_t count = fetchCount(segment);
  const double requests = std::ceil(static_cast<double>(count) / target.warpThreads);
  std::vector<uint64_t> lanes; // of the first warp's first request
  for (uint64_t n = 0; n < std::min<uint64_t>(target.warpThreads, count); ++n)
    lanes.push_back(fetchPlace(plan, segment, n).globalElems);
  const double lines = distinctLines(plan.form.operands[segment.operand], plan.type, lanes);
  const double stored = target.warpThreads * bytes * segment.fetchVector / 128.0;
  return requests * (std::max(lines, stored) + std::max(1.0, stored));
}

InstructionCounts countInstructions(const NestPlan &plan, const Target &target, Paddings paddings) {
  MPF_CHECK(plan.segments.size() == plan.form.operands.size(), "{} segments for {} operands",
            plan.segments.size(), plan.form.operands.size());
  const double warps = std::ceil(double(plan.launch.blockThreads) / target.warpThreads);
  const double outputs = static_cast<double>(roleExtent(plan, AxisRole::Register));
  const double terms = outputs * static_cast<double>(roleExtent(plan, AxisRole::Sum));
  const AxisRange sums = axesOfRole(plan, AxisRole::Sum);

  // One warp, one page.
  LoadCost perPage;
  perPage.slots = kPageSlots;
  double arithmetic = terms * termSlots(plan.form, plan.type, plan.valueForm, plan.logSum);
  for (uint32_t k = 0; k + 1 < plan.products.size(); ++k)
    arithmetic += formationsPerPage(plan, static_cast<uint32_t>(plan.form.operands.size() + k));
  perPage.slots += arithmetic + packedUses(plan, terms) *
                                    (plan.type == ElementType::F64 ? kBit64Slots : kBitSlots);
  double iterations = 1;
  for (uint32_t a = sums.begin; a < sums.end; ++a) {
    iterations *= static_cast<double>(plan.axes[a].extent);
    perPage.slots += iterations / plan.axes[a].unroll * kIterationSlots;
    if (isGuarded(plan, plan.axes[a].digit))
      perPage.slots += iterations * kGuardSlots;
  }
  for (const Segment &segment : plan.segments) {
    const LoadCost loads = fragmentLoads(plan, segment, target, paddings);
    perPage.slots += loads.slots;
    perPage.wavefronts += loads.wavefronts;
  }

  InstructionCounts counts;
  counts.issueSlots = warps * (kPrologueSlots + pages(plan) * perPage.slots);
  counts.wavefronts = warps * pages(plan) * perPage.wavefronts;
  counts.arithmetic = warps * pages(plan) * arithmetic;
  for (const Segment &segment : plan.segments)
    if (segment.placement == Placement::Shared) {
      const LoadCost fetch = staging(plan, segment, target, paddings);
      counts.issueSlots += fetch.slots * fetchesPerBlock(plan, segment);
      counts.wavefronts += fetch.wavefronts * fetchesPerBlock(plan, segment);
    }
  double outerPages = 1; // each of them stores its outputs once
  const AxisRange pageAxes = axesOfRole(plan, AxisRole::Page);
  for (uint32_t a = pageAxes.begin; a < pageAxes.end; ++a)
    if (!plan.form.digits[plan.axes[a].digit.index()].reduced)
      outerPages *= static_cast<double>(plan.axes[a].extent);
  const LoadCost written = stores(plan, target);
  counts.issueSlots += warps * outerPages * written.slots;
  counts.wavefronts += warps * outerPages * written.wavefronts;
  if (usesScaledMantissas(plan.form, plan)) {
    const ConversionCounts conversions = countConversions(plan, target);
    counts.issueSlots += conversions.issueSlots;
    counts.arithmetic += conversions.arithmetic;
    counts.exp2 = conversions.exp2;
  } else if (usesExp2(plan.form, plan.valueForm) && plan.type == ElementType::F32) {
    counts.exp2 = pages(plan) * terms * plan.launch.blockThreads * kExp2PerLogTerm;
  }
  return counts;
}

} // namespace mpf
