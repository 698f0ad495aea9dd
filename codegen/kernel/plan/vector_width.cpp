#include "codegen/kernel/plan/vector_width.h"

#include "codegen/kernel/plan/kernel_shape.h"
#include "dsl/support/check.h"

#include <algorithm>

namespace mpf {

namespace {
constexpr uint32_t kVectorBytes = 16;

bool isWidth(uint32_t width, uint32_t most) {
  return width != 0 && (width & (width - 1)) == 0 && width <= most;
}

uint32_t mostElems(const NestPlan &plan) { return kVectorBytes / elementBytes(plan.type); }

/// Returns the greatest width of a fragment load. Packed tables are loaded a word at a time.
uint32_t mostElems(const NestPlan &plan, const Segment &segment) {
  return holdsWords(plan, segment) ? kPackedWordElems : mostElems(plan);
}

/// Whether each vector is wholly inside or wholly outside every guarded extent. The axes of a digit
/// outside the span step in multiples of the values that the span covers. So it suffices that a
/// guarded extent is such a multiple.
bool staysTogether(const NestPlan &plan, const std::vector<AxisSpan> &spans) {
  for (const AxisSpan &span : spans) {
    const Axis &axis = plan.axes[span.axis];
    const uint64_t covered = axis.step * span.count;
    MPF_CHECK(covered > 0, "{} values of axis {} in steps of {}", span.count, axis.name, axis.step);
    if (isGuarded(plan, axis.digit) && plan.form.digits[axis.digit.index()].extent % covered != 0)
      return false;
  }
  return true;
}

/// Whether every axis outside the span moves a fragment by whole vectors.
template <class StrideOf>
bool keepsAlignment(const NestPlan &plan, const std::vector<AxisSpan> &spans, uint32_t width,
                    StrideOf strideOf) {
  MPF_CHECK(width > 0, "{} axes span vectors of {} entries", spans.size(), width);
  for (uint32_t a = 0; a < plan.axes.size(); ++a) {
    const auto span =
        std::find_if(spans.begin(), spans.end(), [&](const AxisSpan &s) { return s.axis == a; });
    const uint64_t steps = span == spans.end() ? 1 : span->count;
    const bool moves = plan.axes[a].extent > steps;
    if (moves && strideOf(a) * steps % width != 0)
      return false;
  }
  return true;
}

template <class Allowed> uint32_t widest(uint32_t most, Allowed allowed) {
  for (uint32_t width = most; width > 1; width /= 2)
    if (allowed(width))
      return width;
  return 1;
}
} // namespace

bool fragmentAllowed(const NestPlan &plan, const Segment &segment, uint32_t width) {
  if (width == 1)
    return true;
  Segment wider = segment;
  wider.fragmentVector = width;
  const auto spans = vectorSpan(plan, wider);
  if (!isWidth(width, mostElems(plan, segment)) || spans.empty())
    return false;
  if (segment.placement == Placement::Shared)
    return segment.offsetElems % width == 0 && keepsAlignment(plan, spans, width, [&](uint32_t a) {
             return fragmentStride(plan, segment, a);
           });
  return staysTogether(plan, spans) && keepsAlignment(plan, spans, width, [&](uint32_t a) {
           return globalStride(plan, segment.operand, a);
         });
}

bool fetchAllowed(const NestPlan &plan, const Segment &segment, uint32_t width) {
  if (width == 1)
    return true;
  const auto unit = std::find_if(segment.tagAxes.begin(), segment.tagAxes.end(), [&](uint32_t a) {
    return plan.axes[a].extent > 1 && globalStride(plan, segment.operand, a) == 1;
  });
  if (!isWidth(width, mostElems(plan)) || unit == segment.tagAxes.end() ||
      plan.axes[*unit].extent % width != 0)
    return false;
  const std::vector<AxisSpan> spans = {{*unit, width}};
  if (!staysTogether(plan, spans) || !keepsAlignment(plan, spans, width, [&](uint32_t a) {
        return globalStride(plan, segment.operand, a);
      }))
    return false;
  if (fragmentStride(plan, segment, *unit) != 1)
    return plan.stages == 1; // elements are stored one by one, which a copy cannot do
  return segment.offsetElems % width == 0 && keepsAlignment(plan, spans, width, [&](uint32_t a) {
           return fragmentStride(plan, segment, a);
         });
}

bool storeAllowed(const NestPlan &plan, uint32_t width) {
  if (width == 1)
    return true;
  const auto spans = storeSpan(plan, width);
  return isWidth(width, mostElems(plan)) && !spans.empty() && staysTogether(plan, spans) &&
         keepsAlignment(plan, spans, width, [&](uint32_t a) {
           return globalStride(plan, plan.form.operands.size(), a);
         });
}

uint32_t widestFragment(const NestPlan &plan, const Segment &segment) {
  return widest(mostElems(plan, segment),
                [&](uint32_t width) { return fragmentAllowed(plan, segment, width); });
}

uint32_t widestFetch(const NestPlan &plan, const Segment &segment) {
  return widest(mostElems(plan),
                [&](uint32_t width) { return fetchAllowed(plan, segment, width); });
}

uint32_t widestStore(const NestPlan &plan) {
  return widest(mostElems(plan), [&](uint32_t width) { return storeAllowed(plan, width); });
}

} // namespace mpf
