#include "tests/unit/codegen/emit/one_block.h"

#include "dsl/support/check.h"

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

/// Keeps the fastest digits, so that vectors stay; drops values beyond one tile.
void keepTile(DigitForm &form, const std::vector<DigitId> &digits, uint64_t tile) {
  for (size_t i = digits.size(); i-- > 0;) {
    uint64_t &extent = form.digits[digits[i].index()].extent;
    extent = std::min(extent, tile);
    tile = std::max<uint64_t>(1, tile / extent);
  }
}

template <class Plan> void finishBlock(Plan &plan) {
  for (DigitAccess &operand : plan.form.operands)
    makeDense(operand, plan.form.digits);
  makeDense(plan.form.result, plan.form.digits);
  plan.launch.gridBlocks = 1;
  nameKernel(plan);
}

void keepBlock(MatrixPlan &plan) {
  keepTile(plan.form, plan.batch, 1);
  keepTile(plan.form, plan.rows.digits, plan.rows.tile);
  keepTile(plan.form, plan.columns.digits, plan.columns.tile);
  finishBlock(plan);
}

void keepBlock(NestPlan &plan) {
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
  finishBlock(plan);
}

template <class Plan> void keepBlock(Plan &plan) {
  MPF_UNREACHABLE("{}: plans of its family are not cut down", plan.name);
}

} // namespace

KernelPlan oneBlock(KernelPlan plan) {
  std::visit([](auto &any) { keepBlock(any); }, plan);
  return plan;
}

} // namespace mpf::test
