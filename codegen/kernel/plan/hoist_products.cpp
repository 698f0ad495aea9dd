#include "codegen/kernel/plan/hoist_products.h"

#include "codegen/kernel/plan/kernel_shape.h"
#include "dsl/support/check.h"

#include <bit>

namespace mpf {

namespace {
using OperandSet = uint32_t; ///< bit i = operand i

/// Returns the multiplications of a thread that form the product of a set in one page.
double formationCost(const NestPlan &plan, OperandSet set) {
  double cost = 1;
  bool insideLoop = false;
  // Innermost sum axis first: from the first one in scope outwards every iteration counts.
  for (size_t a = plan.axes.size(); a-- > 0;) {
    const Axis &axis = plan.axes[a];
    if (axis.role != AxisRole::Register && axis.role != AxisRole::Sum)
      continue;
    bool varies = false;
    for (uint32_t i = 0; i < plan.form.operands.size(); ++i)
      varies |= (set >> i & 1) != 0 && sourceVaries(plan, i, static_cast<uint32_t>(a));
    if (axis.role == AxisRole::Sum) {
      insideLoop |= varies;
      varies = insideLoop;
    }
    if (varies)
      cost *= static_cast<double>(axis.extent);
  }
  return cost;
}

/// Returns the cost of a product with a packed table's entry, relative to another product, if it is
/// not the last one. A last product is a condition on the addition, or on a multiply-add in f32.
double choiceCost(ElementType type) {
  return type == ElementType::F32 ? 2 : type == ElementType::F64 ? 0.8 : 1;
}

bool isPacked(const NestPlan &plan, OperandSet set) {
  return std::has_single_bit(set) &&
         plan.form.operands[static_cast<size_t>(std::countr_zero(set))].packed;
}

struct BestTree {
  double cost = 0;
  OperandSet left = 0; ///< 0: a single operand
};

std::vector<BestTree> bestTrees(const NestPlan &plan) {
  const auto count = static_cast<uint32_t>(plan.form.operands.size());
  MPF_CHECK(count > 0 && count <= kMaxOperands, "products of {} operands, at most {}", count,
            kMaxOperands);
  std::vector<BestTree> best(size_t{1} << count);
  for (OperandSet set = 1; set < best.size(); ++set) {
    if (std::has_single_bit(set))
      continue;
    const double formation = formationCost(plan, set);
    const bool whole = set + 1 == best.size();
    const OperandSet last = std::bit_floor(set);
    // The part with the last operand is `right`, so that each split is tried once. The first one,
    // all other operands times the last one, wins ties.
    for (OperandSet left = set ^ last; left != 0; left = (left - 1) & (set ^ last)) {
      const bool chooses = !whole && (isPacked(plan, left) || isPacked(plan, set ^ left));
      const double cost = best[left].cost + best[set ^ left].cost +
                          formation * (chooses ? choiceCost(plan.type) : 1);
      if (best[set].left == 0 || cost < best[set].cost)
        best[set] = {cost, left};
    }
  }
  return best;
}

uint32_t appendSteps(const NestPlan &plan, const std::vector<BestTree> &best, OperandSet set,
                     std::vector<ProductStep> &steps) {
  if (best[set].left == 0)
    return static_cast<uint32_t>(std::countr_zero(set));
  MPF_CHECK((best[set].left & ~set) == 0 && best[set].left != set,
            "operands {:#x} are taken from {:#x}", best[set].left, set);
  ProductStep step;
  step.left = appendSteps(plan, best, best[set].left, steps);
  step.right = appendSteps(plan, best, set ^ best[set].left, steps);
  const AxisRange registers = axesOfRole(plan, AxisRole::Register);
  for (uint32_t a = registers.begin; a < registers.end; ++a)
    for (uint32_t i = 0; i < plan.form.operands.size(); ++i)
      if ((set >> i & 1) != 0 && sourceVaries(plan, i, a)) {
        step.registerAxes.push_back(a);
        break;
      }
  steps.push_back(std::move(step));
  return static_cast<uint32_t>(plan.form.operands.size() + steps.size() - 1);
}
} // namespace

std::vector<ProductStep> hoistProducts(const NestPlan &plan) {
  std::vector<ProductStep> steps;
  const auto best = bestTrees(plan);
  appendSteps(plan, best, static_cast<OperandSet>(best.size() - 1), steps);
  MPF_CHECK(steps.size() + 1 == plan.form.operands.size(), "{} products of {} operands",
            steps.size(), plan.form.operands.size());
  return steps;
}

double formationsPerPage(const NestPlan &plan, uint32_t source) {
  MPF_CHECK(source < plan.form.operands.size() + plan.products.size(),
            "source {} of {} operands and {} products", source, plan.form.operands.size(),
            plan.products.size());
  double count = 1;
  const AxisRange registers = axesOfRole(plan, AxisRole::Register);
  for (uint32_t a = registers.begin; a < registers.end; ++a)
    if (sourceVaries(plan, source, a))
      count *= static_cast<double>(plan.axes[a].extent);
  const AxisRange sums = axesOfRole(plan, AxisRole::Sum);
  const bool preloaded =
      source < plan.segments.size() && plan.segments[source].placement == Placement::Registers;
  const uint32_t depth = loopDepth(plan, source);
  for (uint32_t a = sums.begin; a < sums.end; ++a)
    if (preloaded ? sourceVaries(plan, source, a) : a - sums.begin < depth)
      count *= static_cast<double>(plan.axes[a].extent);
  return count;
}

} // namespace mpf
