#include "codegen/kernel/cost/log_sum_cost.h"

#include "codegen/kernel/cost/cost_traffic.h"
#include "codegen/kernel/plan/hoist_products.h"
#include "codegen/kernel/plan/kernel_shape.h"
#include "codegen/kernel/plan/log_form.h"
#include "codegen/kernel/plan/page_sequence.h"
#include "dsl/support/check.h"

namespace mpf {

namespace {
constexpr Conversion kPower32 = {2, 1, 1};      ///< difference, ex2
constexpr Conversion kPower64 = {16, 13, 0};    ///< polynomial of degree 9
constexpr Conversion kLogarithm32 = {7, 2, 1};  ///< exponent, lg2, two sums, range
constexpr Conversion kLogarithm64 = {19, 9, 0}; ///< two look-ups, polynomial of degree 6, range

/// Returns the number of terms or loaded entries that a block converts.
double convertedTerms(const NestPlan &plan) {
  return static_cast<double>(pageCount(plan)) * plan.launch.blockThreads *
         static_cast<double>(roleExtent(plan, AxisRole::Register)) *
         static_cast<double>(roleExtent(plan, AxisRole::Sum));
}

double convertedLoads(const NestPlan &plan) {
  double loads = 0;
  for (const Segment &segment : plan.segments) {
    if (plan.form.operands[segment.operand].packed)
      continue; // its two entries are converted once
    if (segment.placement == Placement::Shared) {
      loads += static_cast<double>(segment.sizeElems) * fetchesPerBlock(plan, segment);
      continue;
    }
    const double times = segment.placement == Placement::Registers
                             ? fetchesPerBlock(plan, segment)
                             : static_cast<double>(pageCount(plan));
    loads += formationsPerPage(plan, segment.operand) * plan.launch.blockThreads * times;
  }
  return loads;
}

double outputs(const NestPlan &plan) {
  double elems =
      static_cast<double>(roleExtent(plan, AxisRole::Register)) * plan.launch.blockThreads;
  const AxisRange pageAxes = axesOfRole(plan, AxisRole::Page);
  for (uint32_t a = pageAxes.begin; a < pageAxes.end; ++a)
    if (!plan.form.digits[plan.axes[a].digit.index()].reduced)
      elems *= static_cast<double>(plan.axes[a].extent);
  return elems;
}
} // namespace

Conversion powerConversion(ElementType type) {
  return type == ElementType::F32 ? kPower32 : kPower64;
}

Conversion logarithmConversion(ElementType type) {
  return type == ElementType::F32 ? kLogarithm32 : kLogarithm64;
}

LogSum cheapestLogSum(const NestPlan &plan) {
  MPF_CHECK(usesExp2(plan.form, plan.valueForm), "a sum of {} operands adds no logarithms",
            plan.form.operands.size());
  return convertedLoads(plan) <= convertedTerms(plan) ? LogSum::MantissaLoads
                                                      : LogSum::MantissaTerms;
}

ConversionCounts countConversions(const NestPlan &plan, const Target &target) {
  const Conversion power = powerConversion(plan.type);
  const Conversion logarithm = logarithmConversion(plan.type);
  MPF_CHECK(plan.logSum != LogSum::Running, "a running maximum over {} operands converts nothing",
            plan.form.operands.size());
  const double powers =
      plan.logSum == LogSum::MantissaLoads ? convertedLoads(plan) : convertedTerms(plan);
  const double logarithms = outputs(plan);
  return {(powers * power.slots + logarithms * logarithm.slots) / target.warpThreads,
          (powers * power.arithmetic + logarithms * logarithm.arithmetic) / target.warpThreads,
          powers * power.special + logarithms * logarithm.special};
}

} // namespace mpf
