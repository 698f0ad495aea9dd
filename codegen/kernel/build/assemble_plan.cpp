#include "codegen/kernel/build/assemble_plan.h"

#include "codegen/kernel/build/segment_layout.h"
#include "codegen/kernel/cost/capacity_rule.h"
#include "codegen/kernel/cost/log_sum_cost.h"
#include "codegen/kernel/cost/occupancy.h"
#include "codegen/kernel/plan/hoist_products.h"
#include "codegen/kernel/plan/kernel_shape.h"
#include "codegen/kernel/plan/log_form.h"
#include "codegen/kernel/plan/page_sequence.h"
#include "codegen/kernel/plan/vector_width.h"
#include "dsl/support/check.h"
#include "dsl/support/counts.h"

#include <algorithm>

namespace mpf {

namespace {
constexpr uint64_t kHoistedWords = 16;        ///< words of 4 bytes that may be hoisted
constexpr uint64_t kMaxBodyStatements = 4096; ///< unrolled; more do not compile in useful time
constexpr uint64_t kMaxRegisterOutputs = 128;
constexpr uint64_t kMostWords = 16; ///< words of a packed operand's page, per thread
constexpr uint64_t kMaxGridBlocks = INT32_MAX;

/// A fragment array can only stay in registers when every loop over it is unrolled as a whole.
bool loopsUnrolled(const NestPlan &plan, uint32_t operand) {
  return std::all_of(plan.axes.begin(), plan.axes.end(), [&](const Axis &axis) {
    return axis.role != AxisRole::Sum || axis.unroll == axis.extent ||
           plan.form.operands[operand].stridesElems[axis.digit.index()] == 0;
  });
}

Segment segmentOf(const NestPlan &plan, uint32_t operand, Placement placement) {
  Segment segment;
  segment.operand = operand;
  segment.placement = placement;
  segment.sizeElems = 1;
  for (uint32_t a = 0; a < plan.axes.size(); ++a) {
    if (!sourceVaries(plan, operand, a))
      continue;
    const AxisRole role = plan.axes[a].role;
    if (role == AxisRole::Page)
      segment.pageAxes.push_back(a);
    if (role == AxisRole::Block || role == AxisRole::Page)
      continue;
    segment.tagAxes.push_back(a);
    segment.sizeElems = saturatingMul(segment.sizeElems, plan.axes[a].extent);
  }
  segment.lifetimePages = segmentLifetime(plan, segment);
  if (segment.sizeElems == 1 && placement == Placement::Shared)
    segment.placement = Placement::Registers; // one value for the whole block: nothing to stage
  if (segment.placement == Placement::Registers && !loopsUnrolled(plan, operand))
    segment.placement = Placement::Bypass;
  return segment;
}

/// Lets a thread hold its entries of a packed operand in registers if they are few words. They are
/// loaded at once for a whole page.
void holdWords(const NestPlan &plan, Segment &segment) {
  if (!plan.form.operands[segment.operand].packed || !loopsUnrolled(plan, segment.operand))
    return;
  Segment held = segment;
  held.placement = Placement::Registers;
  const uint32_t vector = widestFragment(plan, held);
  MPF_CHECK(vector > 0, "operand {} is loaded by {} entries", segment.operand, vector);
  uint64_t elems = 1;
  for (const uint32_t a : held.tagAxes)
    if (plan.axes[a].role != AxisRole::Thread)
      elems = saturatingMul(elems, plan.axes[a].extent);
  if (elems / vector <= kMostWords)
    segment.placement = Placement::Registers;
}

/// Returns the elements that a compiler would hoist out of loop `outer`, because they vary over the
/// unrolled axis `inner` and not over `outer`.
uint64_t hoistedOver(const NestPlan &plan, uint32_t outer, uint32_t inner) {
  uint64_t hoisted = 0;
  for (uint32_t i = 0; i < plan.form.operands.size(); ++i) {
    if (sourceVaries(plan, i, outer) || !sourceVaries(plan, i, inner))
      continue;
    uint64_t values = 1;
    for (uint32_t a = 0; a < plan.axes.size(); ++a)
      if (sourceVaries(plan, i, a) && (plan.axes[a].role == AxisRole::Register || a == inner))
        values *= plan.axes[a].extent;
    hoisted += values;
  }
  return hoisted;
}

/// Keeps a compiler from hoisting more values out of an outer sum loop than there are registers:
/// the inner loop is only unrolled in part.
void limitUnrolls(NestPlan &plan) {
  const AxisRange sums = axesOfRole(plan, AxisRole::Sum);
  const uint64_t limit = kHoistedWords * 4 / elementBytes(plan.type);
  for (uint32_t inner = sums.begin; inner < sums.end; ++inner)
    for (uint32_t outer = sums.begin; outer < inner; ++outer) {
      Axis &axis = plan.axes[inner];
      const bool loops = plan.axes[outer].unroll < plan.axes[outer].extent;
      if (!loops || axis.unroll < axis.extent || hoistedOver(plan, outer, inner) <= limit)
        continue;
      uint64_t part = axis.extent / 2;
      while (part > 1 && axis.extent % part != 0)
        --part;
      axis.unroll = static_cast<uint32_t>(part > 1 ? part : (axis.extent + 1) / 2);
      MPF_CHECK(axis.unroll >= 1 && axis.unroll < axis.extent, "axis {} of {} values, {} unrolled",
                axis.name, axis.extent, axis.unroll);
    }
}

/// Decides by the capacity rule of ICS'08 which of the segments that ask for shared memory get it.
void applyCapacityRule(NestPlan &plan, const Target &target) {
  std::vector<SegmentDemand> demands;
  std::vector<size_t> wanting;
  for (size_t i = 0; i < plan.segments.size(); ++i)
    if (plan.segments[i].placement == Placement::Shared) {
      demands.push_back({plan.segments[i].sizeElems * bufferCount(plan, plan.segments[i]),
                         plan.segments[i].lifetimePages});
      wanting.push_back(i);
    }
  const uint64_t capacity = target.sharedBytesPerBlock / elementBytes(plan.type);
  const auto cached = chooseCached(demands, capacity);
  MPF_CHECK(cached.size() == wanting.size(), "the rule judged {} of {} segments", cached.size(),
            wanting.size());
  for (size_t i = 0; i < wanting.size(); ++i)
    if (!cached[i])
      plan.segments[wanting[i]].placement = Placement::Bypass;
}

/// Returns the largest offset of any table access, guarded overshoot included.
uint64_t largestOffset(const NestPlan &plan) {
  uint64_t largest = 0;
  for (size_t t = 0; t <= plan.form.operands.size(); ++t) {
    uint64_t last = 0;
    for (uint32_t a = 0; a < plan.axes.size(); ++a)
      last = saturatingAdd(last, saturatingMul(plan.axes[a].extent - 1, globalStride(plan, t, a)));
    largest = std::max(largest, last);
  }
  return largest;
}
} // namespace

NestPlan assemblePlan(const DigitForm &form, const NestCandidate &candidate,
                      const KernelOptions &options) {
  MPF_CHECK(candidate.placements.size() == form.operands.size(), "{} placements for {} operands",
            candidate.placements.size(), form.operands.size());
  NestPlan plan;
  plan.kind = candidate.kind;
  plan.valueForm = options.valueForm;
  plan.type = options.type;
  plan.form = form;
  plan.axes = candidate.axes;
  plan.stages = candidate.stages;
  limitUnrolls(plan);
  if (!options.tagDigits)
    orderPageAxes(plan);
  plan.launch.gridBlocks = roleExtent(plan, AxisRole::Block);
  plan.launch.blockThreads =
      static_cast<uint32_t>(std::min<uint64_t>(roleExtent(plan, AxisRole::Thread), UINT32_MAX));
  for (uint32_t i = 0; i < form.operands.size(); ++i) {
    plan.segments.push_back(segmentOf(plan, i, candidate.placements[i]));
    holdWords(plan, plan.segments.back());
  }
  applyCapacityRule(plan, options.target);
  for (Segment &segment : plan.segments) {
    if (segment.placement == Placement::Shared)
      applyLayout(plan, segment,
                  options.tagDigits ? globalLayout(plan, segment) : fragmentLayout(plan, segment));
    else
      segment.fragmentVector = widestFragment(plan, segment);
  }
  placeSegments(plan);
  plan.products = hoistProducts(plan);
  if (usesExp2(form, plan.valueForm))
    plan.logSum = options.logSum.value_or(cheapestLogSum(plan));
  plan.storeVector = widestStore(plan);
  plan.indexWidth = largestOffset(plan) < INT32_MAX ? IndexWidth::Bits32 : IndexWidth::Bits64;
  setOccupancy(plan, options.target);
  return plan;
}

bool fitsTarget(const NestPlan &plan, const Target &target) {
  const AxisRange sums = axesOfRole(plan, AxisRole::Sum);
  uint64_t statements = roleExtent(plan, AxisRole::Register);
  if (statements > kMaxRegisterOutputs)
    return false;
  for (uint32_t a = sums.begin; a < sums.end; ++a)
    statements = saturatingMul(statements, plan.axes[a].unroll);
  return statements <= kMaxBodyStatements &&
         roleExtent(plan, AxisRole::Thread) <= target.maxThreadsPerBlock &&
         roleExtent(plan, AxisRole::Block) <= kMaxGridBlocks &&
         plan.launch.sharedBytes <= target.sharedBytesPerBlock &&
         plan.launch.estimatedRegisters + kRegisterReserve <= target.maxRegistersPerThread &&
         plan.launch.estimatedRegisters <= reservedRegisters(plan.launch, target);
}

} // namespace mpf
