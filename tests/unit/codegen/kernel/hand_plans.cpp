#include "tests/unit/codegen/kernel/hand_plans.h"

#include "codegen/kernel/plan/kernel_shape.h"

#include <algorithm>

namespace mpf::test {

PlanMaker::PlanMaker(std::string name, NestKind kind, ElementType type, Semiring semiring,
                     ValueForm form) {
  plan.name = std::move(name);
  plan.kind = kind;
  plan.type = type;
  plan.valueForm = form;
  plan.form.semiring = semiring;
}

size_t PlanMaker::addDigit(uint64_t extent, bool reduced) {
  plan.form.digits.push_back({extent, reduced, {}});
  return plan.form.digits.size() - 1;
}

DigitAccess PlanMaker::access(const std::vector<size_t> &digits) const {
  DigitAccess access;
  access.stridesElems.assign(plan.form.digits.size(), 0);
  access.sizeElems = 1;
  for (size_t i = digits.size(); i-- > 0;) {
    access.stridesElems[digits[i]] = access.sizeElems;
    access.sizeElems *= plan.form.digits[digits[i]].extent;
  }
  return access;
}

void PlanMaker::operand(const std::vector<size_t> &digits, Placement placement) {
  Segment segment;
  segment.operand = static_cast<uint32_t>(plan.form.operands.size());
  segment.placement = placement;
  plan.form.operands.push_back(access(digits));
  plan.segments.push_back(segment);
}

void PlanMaker::result(const std::vector<size_t> &digits) { plan.form.result = access(digits); }

uint32_t PlanMaker::axis(AxisRole role, size_t digit, uint64_t extent, uint64_t step,
                         uint32_t unroll) {
  const auto number = static_cast<uint32_t>(plan.axes.size());
  plan.axes.push_back({fmt::format("d{}_{}{}", digit, "bptrs"[static_cast<int>(role)], number),
                       role, DigitId(digit), extent, step, unroll});
  for (Segment &segment : plan.segments) {
    if (globalStride(plan, segment.operand, number) == 0)
      continue;
    if (role == AxisRole::Page)
      segment.pageAxes.push_back(number);
    else if (role != AxisRole::Block)
      segment.tagAxes.push_back(number);
  }
  return number;
}

void PlanMaker::segment(size_t operand, std::vector<uint64_t> strides, std::vector<FetchPart> fetch,
                        uint32_t fetchVector, uint32_t fragmentVector) {
  Segment &segment = plan.segments[operand];
  segment.stridesElems = std::move(strides);
  segment.fetchParts = std::move(fetch);
  segment.fetchVector = fetchVector;
  segment.fragmentVector = fragmentVector;
}

void PlanMaker::product(uint32_t left, uint32_t right) {
  plan.products.push_back({left, right, {}});
  const auto value = static_cast<uint32_t>(plan.form.operands.size() + plan.products.size() - 1);
  for (uint32_t axis = 0; axis < plan.axes.size(); ++axis)
    if (plan.axes[axis].role == AxisRole::Register && sourceVaries(plan, value, axis))
      plan.products.back().registerAxes.push_back(axis);
}

NestPlan PlanMaker::finish(uint32_t blockThreads, uint32_t minBlocks) {
  uint64_t used = 0;
  for (Segment &segment : plan.segments) {
    segment.sizeElems = 1;
    uint64_t last = 0;
    for (size_t i = 0; i < segment.tagAxes.size(); ++i) {
      const uint64_t extent = plan.axes[segment.tagAxes[i]].extent;
      segment.sizeElems *= extent;
      if (segment.placement == Placement::Shared)
        last += (extent - 1) * segment.stridesElems[i];
    }
    if (segment.placement != Placement::Shared)
      continue;
    segment.allocatedElems = last + 1;
    segment.offsetElems = used;
    used += (segment.allocatedElems + 3) / 4 * 4;
  }
  plan.launch.gridBlocks = roleExtent(plan, AxisRole::Block);
  plan.launch.blockThreads = blockThreads;
  plan.launch.sharedBytes = static_cast<uint32_t>(used * elementBytes(plan.type));
  plan.launch.minBlocksPerSm = minBlocks;
  return plan;
}

NestPlan pairTile(uint64_t x, uint64_t y, uint64_t k, ValueForm form) {
  PlanMaker maker("tile_pair", NestKind::Tile, ElementType::F32, {Reduce::Sum, Combine::Times},
                  form);
  const size_t dx = maker.keep(x), dy = maker.keep(y), dk = maker.reduce(k);
  maker.operand({dx, dk}, Placement::Shared);
  maker.operand({dy, dk}, Placement::Shared);
  maker.result({dx, dy});
  maker.axis(AxisRole::Block, dx, x / 128, 128);
  maker.axis(AxisRole::Block, dy, y / 128, 128);
  maker.axis(AxisRole::Page, dk, k / 16, 16);
  const uint32_t xt = maker.axis(AxisRole::Thread, dx, 16, 4);
  const uint32_t yt = maker.axis(AxisRole::Thread, dy, 16, 4);
  const uint32_t xh = maker.axis(AxisRole::Register, dx, 2, 64);
  const uint32_t xl = maker.axis(AxisRole::Register, dx, 4, 1);
  const uint32_t yh = maker.axis(AxisRole::Register, dy, 2, 64);
  const uint32_t yl = maker.axis(AxisRole::Register, dy, 4, 1);
  const uint32_t sk = maker.axis(AxisRole::Sum, dk, 16, 1, 16);
  // Tag axes in order: t, h, l, k. The row of one k is 128 entries and padded.
  maker.segment(0, {4, 64, 1, 132}, {{xh, 2, 1}, {xt, 16, 1}, {xl, 4, 1}, {sk, 4, 4}}, 4, 4);
  maker.segment(1, {4, 64, 1, 132}, {{yh, 2, 1}, {yt, 16, 1}, {yl, 4, 1}, {sk, 4, 4}}, 4, 4);
  maker.product(0, 1);
  maker.plan.storeVector = 4;
  return maker.finish(256, 2);
}

NestPlan oneStepStream(uint64_t x, uint64_t k, ElementType type) {
  PlanMaker maker("stream_step", NestKind::Stream, type, {Reduce::Sum, Combine::Times});
  const size_t dx = maker.keep(x), dk = maker.reduce(k);
  maker.operand({dx, dk}, Placement::Registers);
  maker.result({dx});
  const uint32_t vector = 16 / elementBytes(type);
  maker.axis(AxisRole::Block, dx, (x + 256 * vector - 1) / (256 * vector), 256 * vector);
  maker.axis(AxisRole::Thread, dx, 256, vector);
  maker.axis(AxisRole::Register, dx, vector, 1);
  maker.axis(AxisRole::Sum, dk, k, 1, static_cast<uint32_t>(k));
  maker.plan.segments[0].fragmentVector = vector;
  maker.plan.storeVector = vector;
  return maker.finish(256, 8);
}

} // namespace mpf::test
