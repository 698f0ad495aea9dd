#include "tests/unit/emit/one_block.h"

#include "codegen/kernel/assemble_plan.h"

#include <algorithm>

namespace mpf::test {

namespace {

void makeDense(DigitAccess &access, const std::vector<Digit> &digits) {
  std::vector<size_t> order; // nearest entries first
  for (size_t d = 0; d < digits.size(); ++d)
    if (access.stridesElems[d] != 0)
      order.push_back(d);
  std::ranges::sort(order, {}, [&](size_t d) { return access.stridesElems[d]; });
  access.sizeElems = 1;
  for (const size_t d : order) {
    access.stridesElems[d] = access.sizeElems;
    access.sizeElems *= digits[d].extent;
  }
}

} // namespace

KernelPlan oneBlock(KernelPlan plan) {
  for (Axis &block : plan.axes) {
    if (block.role != AxisRole::Block)
      continue;
    for (Axis &axis : plan.axes) // the pages above move down
      if (axis.digit == block.digit && axis.step > block.step)
        axis.step /= block.extent;
    block.extent = 1;
  }
  for (size_t d = 0; d < plan.form.digits.size(); ++d) {
    uint64_t covered = 1;
    for (const Axis &axis : plan.axes)
      covered *= axis.digit == DigitId(d) ? axis.extent : 1;
    plan.form.digits[d].extent = std::min(plan.form.digits[d].extent, covered);
  }
  for (DigitAccess &operand : plan.form.operands)
    makeDense(operand, plan.form.digits);
  makeDense(plan.form.result, plan.form.digits);
  plan.launch.gridBlocks = 1;
  nameKernel(plan);
  return plan;
}

} // namespace mpf::test
