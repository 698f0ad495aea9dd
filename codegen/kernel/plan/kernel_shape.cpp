#include "codegen/kernel/plan/kernel_shape.h"

#include "dsl/support/check.h"
#include "dsl/support/counts.h"

#include <algorithm>

namespace mpf {

AxisRange axesOfRole(const NestPlan &plan, AxisRole role) {
  AxisRange range;
  const auto count = static_cast<uint32_t>(plan.axes.size());
  while (range.begin < count && plan.axes[range.begin].role < role)
    ++range.begin;
  range.end = range.begin;
  while (range.end < count && plan.axes[range.end].role == role)
    ++range.end;
  return range;
}

uint64_t roleExtent(const NestPlan &plan, AxisRole role) {
  const AxisRange range = axesOfRole(plan, role);
  uint64_t extent = 1;
  for (uint32_t a = range.begin; a < range.end; ++a)
    extent = saturatingMul(extent, plan.axes[a].extent);
  return extent;
}

bool isGuarded(const NestPlan &plan, DigitId digit) {
  MPF_CHECK(digit.index() < plan.form.digits.size(), "digit {} of {}", digit,
            plan.form.digits.size());
  uint64_t last = 0;
  for (const Axis &axis : plan.axes)
    if (axis.digit == digit)
      last = saturatingAdd(last, saturatingMul(axis.extent - 1, axis.step));
  return last >= plan.form.digits[digit.index()].extent;
}

uint64_t globalStride(const NestPlan &plan, size_t operand, uint32_t axis) {
  const DigitAccess &access =
      operand == plan.form.operands.size() ? plan.form.result : plan.form.operands[operand];
  const Axis &a = plan.axes[axis];
  return access.stridesElems[a.digit.index()] * a.step;
}

uint64_t fragmentStride(const NestPlan &plan, const Segment &segment, uint32_t axis) {
  if (segment.placement != Placement::Shared)
    return globalStride(plan, segment.operand, axis);
  for (size_t i = 0; i < segment.tagAxes.size(); ++i)
    if (segment.tagAxes[i] == axis)
      return segment.stridesElems[i];
  return 0;
}

bool sourceVaries(const NestPlan &plan, uint32_t source, uint32_t axis) {
  const size_t operands = plan.form.operands.size();
  if (source < operands)
    return plan.form.operands[source].stridesElems[plan.axes[axis].digit.index()] != 0;
  MPF_CHECK(source - operands < plan.products.size(), "source {} of {} operands and {} products",
            source, operands, plan.products.size());
  const ProductStep &step = plan.products[source - operands];
  return sourceVaries(plan, step.left, axis) || sourceVaries(plan, step.right, axis);
}

uint32_t loopDepth(const NestPlan &plan, uint32_t source) {
  const AxisRange sums = axesOfRole(plan, AxisRole::Sum);
  // Registers: the whole fragment, sum axes included, is loaded before the loops.
  if (source < plan.segments.size() && plan.segments[source].placement == Placement::Registers)
    return 0;
  for (uint32_t a = sums.end; a > sums.begin; --a)
    if (sourceVaries(plan, source, a - 1))
      return a - sums.begin;
  return 0;
}

uint64_t copiedBytes(const NestPlan &plan, const Segment &segment) {
  const bool live =
      std::any_of(segment.pageAxes.begin(), segment.pageAxes.end(), [&](uint32_t axis) {
        return plan.form.digits[plan.axes[axis].digit.index()].reduced;
      });
  const uint64_t accumulators = roleExtent(plan, AxisRole::Register) * elementBytes(plan.type);
  return kCopiedBytes + (live ? 0 : accumulators);
}

bool holdsWords(const NestPlan &plan, const Segment &segment) {
  return segment.placement != Placement::Shared && plan.form.operands[segment.operand].packed;
}

uint64_t bufferCount(const NestPlan &plan, const Segment &segment) {
  if (plan.stages <= 1 || segment.pageAxes.empty())
    return 1;
  MPF_CHECK(segment.lifetimePages > 0, "segment {} has a lifetime of no page", segment.operand);
  // Copies of contents number q start `stages - 1` pages before their first page. By then the pages
  // of number q - buffers are over.
  const uint64_t ahead = plan.stages - 1;
  return 1 + (ahead + segment.lifetimePages - 1) / segment.lifetimePages;
}

std::vector<uint64_t> dealtOut(const Segment &segment, uint64_t threads) {
  std::vector<uint64_t> extents(segment.fetchParts.size(), 1);
  for (size_t i = extents.size(); i-- > 0;) {
    const uint64_t extent = segment.fetchParts[i].extent;
    MPF_CHECK(extent > 0 && threads > 0, "{} threads share out part {} of {} values", threads, i,
              extent);
    if (threads % extent != 0 && extent % threads != 0)
      return {};
    extents[i] = std::min(threads, extent);
    threads /= extents[i];
  }
  return extents;
}

bool copiesSuffice(const NestPlan &plan) {
  if (plan.valueForm != ValueForm::Linear || plan.form.semiring.reduce == Reduce::LogSum ||
      isIntegerType(plan.type))
    return false;
  for (const Segment &segment : plan.segments)
    if (segment.placement == Placement::Shared && plan.form.operands[segment.operand].packed)
      return false;
  if (plan.form.semiring.combine == Combine::Times && plan.form.semiring.reduce != Reduce::Min)
    return true;
  for (size_t d = plan.form.keptCount(); d < plan.form.digits.size(); ++d)
    if (isGuarded(plan, DigitId(d)))
      return false;
  return true;
}

uint32_t reducedSource(const NestPlan &plan) {
  MPF_CHECK(plan.products.size() + 1 == plan.form.operands.size(), "{} products for {} operands",
            plan.products.size(), plan.form.operands.size());
  return static_cast<uint32_t>(plan.form.operands.size() + plan.products.size() - 1);
}

namespace {
/// Chains axes from stride 1 up until their counts multiply to `width`.
template <class StrideOf>
std::vector<AxisSpan> spanOf(const NestPlan &plan, const std::vector<uint32_t> &axes,
                             uint64_t width, StrideOf strideOf) {
  std::vector<AxisSpan> spans;
  uint64_t covered = 1;
  while (covered < width) {
    const auto next = std::find_if(axes.begin(), axes.end(), [&](uint32_t a) {
      return plan.axes[a].extent > 1 && strideOf(a) == covered;
    });
    if (next == axes.end())
      return {};
    const uint64_t count = std::min(plan.axes[*next].extent, width / covered);
    // Only whole axes may be followed by another one.
    if (width % (covered * count) != 0 || plan.axes[*next].extent % count != 0 ||
        (covered * count < width && count != plan.axes[*next].extent))
      return {};
    spans.push_back({*next, count});
    covered *= count;
  }
  return spans;
}

std::vector<uint32_t> axesIn(AxisRange first, AxisRange second = {}) {
  std::vector<uint32_t> axes;
  for (uint32_t a = first.begin; a < first.end; ++a)
    axes.push_back(a);
  for (uint32_t a = second.begin; a < second.end; ++a)
    axes.push_back(a);
  return axes;
}
} // namespace

std::vector<AxisSpan> vectorSpan(const NestPlan &plan, const Segment &segment) {
  const AxisRange registers = axesOfRole(plan, AxisRole::Register);
  const auto axes = segment.placement == Placement::Registers
                        ? axesIn(registers, axesOfRole(plan, AxisRole::Sum))
                        : axesIn(registers);
  return spanOf(plan, axes, segment.fragmentVector,
                [&](uint32_t a) { return fragmentStride(plan, segment, a); });
}

std::vector<AxisSpan> storeSpan(const NestPlan &plan) { return storeSpan(plan, plan.storeVector); }

std::vector<AxisSpan> storeSpan(const NestPlan &plan, uint32_t width) {
  return spanOf(plan, axesIn(axesOfRole(plan, AxisRole::Register)), width,
                [&](uint32_t a) { return globalStride(plan, plan.form.operands.size(), a); });
}

std::string_view kindName(NestKind kind) {
  switch (kind) {
  case NestKind::Stream:
    return "stream";
  case NestKind::Tile:
    return "tile";
  }
  MPF_UNREACHABLE("kind {}", static_cast<int>(kind));
}

std::string_view roleName(AxisRole role) {
  switch (role) {
  case AxisRole::Block:
    return "block";
  case AxisRole::Page:
    return "page";
  case AxisRole::Thread:
    return "thread";
  case AxisRole::Register:
    return "register";
  case AxisRole::Sum:
    return "sum";
  }
  MPF_UNREACHABLE("role {}", static_cast<int>(role));
}

std::string_view placementName(Placement placed) {
  switch (placed) {
  case Placement::Shared:
    return "shared";
  case Placement::Bypass:
    return "bypass";
  case Placement::Registers:
    return "registers";
  }
  MPF_UNREACHABLE("placement {}", static_cast<int>(placed));
}

} // namespace mpf
