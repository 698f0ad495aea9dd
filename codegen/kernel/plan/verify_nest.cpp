#include "codegen/kernel/plan/verify_nest.h"

#include "codegen/kernel/plan/kernel_shape.h"
#include "codegen/kernel/plan/log_form.h"
#include "codegen/kernel/plan/page_sequence.h"
#include "codegen/kernel/plan/planned_name.h"
#include "codegen/kernel/plan/vector_width.h"
#include "dsl/support/counts.h"
#include "dsl/support/identifier.h"

#include <algorithm>

namespace mpf {

namespace {
constexpr size_t kMaxAxes = 512; ///< five parts of each of 64 digits, and some
constexpr uint64_t kMaxUnrolledStatements = 1u << 16;
constexpr uint32_t kMaxStages = 8;

bool roleFits(AxisRole role, bool reduced) {
  return role == AxisRole::Page || reduced == (role == AxisRole::Sum);
}

std::string findAxisFault(const NestPlan &plan) {
  if (plan.axes.size() > kMaxAxes)
    return fmt::format("{} axes, at most {} make sense", plan.axes.size(), kMaxAxes);
  uint64_t statements = 1;
  for (size_t a = 0; a < plan.axes.size(); ++a) {
    const Axis &axis = plan.axes[a];
    if (!isIdentifier(axis.name))
      return fmt::format("axis name '{}' is not an identifier", axis.name);
    for (size_t b = 0; b < a; ++b)
      if (plan.axes[b].name == axis.name)
        return fmt::format("two axes are called {}", axis.name);
    if (axis.digit.index() >= plan.form.digits.size())
      return fmt::format("axis {} is over digit {} of {}", axis.name, axis.digit,
                         plan.form.digits.size());
    const bool reduced = plan.form.digits[axis.digit.index()].reduced;
    if (!roleFits(axis.role, reduced))
      return fmt::format("{} axis {} over a {} digit", roleName(axis.role), axis.name,
                         reduced ? "reduced" : "kept");
    if (a > 0 && plan.axes[a - 1].role > axis.role)
      return fmt::format("{} axis {} after a {} axis", roleName(axis.role), axis.name,
                         roleName(plan.axes[a - 1].role));
    if (a > 0 && axis.role == AxisRole::Page && plan.axes[a - 1].role == AxisRole::Page &&
        !reduced && plan.form.digits[plan.axes[a - 1].digit.index()].reduced)
      return fmt::format("page axis {} over a kept digit inside one over a reduced digit",
                         axis.name);
    if (axis.extent == 0 || axis.step == 0 || axis.unroll == 0 || axis.unroll > axis.extent)
      return fmt::format("axis {} has extent {}, step {}, unroll {}", axis.name, axis.extent,
                         axis.step, axis.unroll);
    if (axis.role == AxisRole::Register)
      statements = saturatingMul(statements, axis.extent);
    if (axis.role == AxisRole::Sum)
      statements = saturatingMul(statements, axis.unroll);
  }
  if (statements > kMaxUnrolledStatements)
    return fmt::format("{} unrolled statements, at most {} compile", statements,
                       kMaxUnrolledStatements);
  return {};
}

/// Returns a fault of the axes. Sorted by step, each axis of a digit must step over exactly the
/// values that the finer axes cover.
std::string findCoverFault(const NestPlan &plan) {
  for (size_t d = 0; d < plan.form.digits.size(); ++d) {
    std::vector<const Axis *> axes;
    for (const Axis &axis : plan.axes)
      if (axis.digit.index() == d && axis.extent > 1)
        axes.push_back(&axis);
    std::sort(axes.begin(), axes.end(),
              [](const Axis *a, const Axis *b) { return a->step < b->step; });
    uint64_t covered = 1;
    for (const Axis *axis : axes) {
      if (axis->step != covered)
        return fmt::format("axis {} has step {}, the finer axes of its digit cover {}", axis->name,
                           axis->step, covered);
      if (covered >= plan.form.digits[d].extent)
        return fmt::format("axis {} lies outside the {} values of its digit", axis->name,
                           plan.form.digits[d].extent);
      covered = saturatingMul(covered, axis->extent);
    }
    if (covered < plan.form.digits[d].extent)
      return fmt::format("the axes of digit {} cover {} of {} values", d, covered,
                         plan.form.digits[d].extent);
    if (covered == UINT64_MAX)
      return fmt::format("the axes of digit {} cover more than 2^64 values", d);
  }
  return {};
}

std::string findProductFault(const NestPlan &plan) {
  const size_t operands = plan.form.operands.size();
  if (plan.products.size() + 1 != operands)
    return fmt::format("{} products for {} operands", plan.products.size(), operands);
  std::vector<uint32_t> uses(operands + plan.products.size(), 0);
  for (size_t k = 0; k < plan.products.size(); ++k) {
    for (uint32_t source : {plan.products[k].left, plan.products[k].right}) {
      if (source >= operands + k)
        return fmt::format("product {} uses source {} before it is formed", k, source);
      if (++uses[source] > 1)
        return fmt::format("source {} is used twice", source);
    }
  }
  // Every source but the last is used once now: m - 1 steps have 2(m - 1) distinct uses.
  for (size_t k = 0; k < plan.products.size(); ++k) {
    std::vector<uint32_t> varying;
    const AxisRange registers = axesOfRole(plan, AxisRole::Register);
    for (uint32_t a = registers.begin; a < registers.end; ++a)
      if (sourceVaries(plan, static_cast<uint32_t>(operands + k), a))
        varying.push_back(a);
    if (varying != plan.products[k].registerAxes)
      return fmt::format("product {} varies over {} register axes, {} are listed", k,
                         varying.size(), plan.products[k].registerAxes.size());
  }
  return {};
}

std::string findLaunchFault(const NestPlan &plan, const Target &target) {
  const LaunchShape &launch = plan.launch;
  if (launch.gridBlocks != roleExtent(plan, AxisRole::Block) || launch.gridBlocks > INT32_MAX)
    return fmt::format("grid of {} blocks, the block axes make {}", launch.gridBlocks,
                       roleExtent(plan, AxisRole::Block));
  const uint64_t threads = roleExtent(plan, AxisRole::Thread);
  if (launch.blockThreads != threads || threads > target.maxThreadsPerBlock)
    return fmt::format("{} threads per block, the thread axes make {}, {} allows {}",
                       launch.blockThreads, threads, target.name, target.maxThreadsPerBlock);
  if (plan.stages == 0 || plan.stages > kMaxStages ||
      (plan.stages > 1 && (pageCount(plan) < 2 || !copiesSuffice(plan))))
    return fmt::format("{} stages for {} pages: 1, or up to {} where there is a page to come and "
                       "copies need no conversion",
                       plan.stages, pageCount(plan), kMaxStages);
  if (launch.sharedBytes > target.sharedBytesPerBlock)
    return fmt::format("{} bytes of shared memory, {} has {}", launch.sharedBytes, target.name,
                       target.sharedBytesPerBlock);
  if (plan.indexWidth == IndexWidth::Bits32)
    for (size_t t = 0; t <= plan.form.operands.size(); ++t) {
      uint64_t last = 0;
      for (uint32_t a = 0; a < plan.axes.size(); ++a)
        last =
            saturatingAdd(last, saturatingMul(plan.axes[a].extent - 1, globalStride(plan, t, a)));
      if (last >= INT32_MAX)
        return fmt::format("32-bit indices, but an offset reaches {}", last);
    }
  return {};
}
} // namespace

std::string findFault(const NestPlan &plan, const Target &target) {
  if (!isIdentifier(plan.name))
    return fmt::format("kernel name '{}' is not an identifier", plan.name);
  std::string fault = findFault(plan.form);
  if (fault.empty() && plan.form.readsPacked())
    if (const auto why = packingFaultOf(plan.form.semiring, isIntegerType(plan.type)); !why.empty())
      return fmt::format("an operand is packed, but {}", why);
  if (fault.empty() && isIntegerType(plan.type) &&
      (plan.valueForm == ValueForm::Log || plan.form.semiring.reduce == Reduce::LogSum))
    fault = fmt::format("{} has no log form", elementTypeName(plan.type));
  const bool logSums = plan.form.semiring.reduce == Reduce::LogSum;
  if (fault.empty() && logSums && plan.valueForm == ValueForm::Linear)
    fault = "log sums have no linear form";
  if (fault.empty() && !logSums && plan.form.semiring.combine == Combine::Plus &&
      plan.valueForm == ValueForm::Log)
    fault = "plain values have no log form";
  if (fault.empty() && isIntegerType(plan.type) && plan.form.semiring.reduce == Reduce::Min)
    fault = fmt::format("a minimum of {}: terms outside a digit's extent would win",
                        elementTypeName(plan.type));
  if (fault.empty() && plan.logSum != LogSum::Running && !usesScaledMantissas(plan.form, plan))
    fault = fmt::format("log sums are {}, but no logarithms are summed", logSumName(plan.logSum));
  if (fault.empty())
    fault = findAxisFault(plan);
  if (fault.empty())
    fault = findCoverFault(plan);
  if (fault.empty())
    fault = findLaunchFault(plan, target);
  if (fault.empty() && plan.segments.size() != plan.form.operands.size())
    fault =
        fmt::format("{} segments for {} operands", plan.segments.size(), plan.form.operands.size());
  if (fault.empty())
    fault = findProductFault(plan);
  for (size_t i = 0; i < plan.segments.size() && fault.empty(); ++i) {
    if (plan.segments[i].operand != i)
      return fmt::format("segment {} is of operand {}", i, plan.segments[i].operand);
    fault = detail::findSegmentFault(plan, plan.segments[i], target);
  }
  if (fault.empty() && !storeAllowed(plan, plan.storeVector))
    fault = fmt::format("stores of {} elements are not contiguous, aligned and all inside or "
                        "outside",
                        plan.storeVector);
  return fault;
}

bool hasPlannedNames(const NestPlan &plan) {
  return std::all_of(plan.axes.begin(), plan.axes.end(),
                     [](const Axis &axis) { return isPlannedName(axis.name, false); });
}

} // namespace mpf
