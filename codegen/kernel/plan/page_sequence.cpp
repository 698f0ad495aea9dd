#include "codegen/kernel/plan/page_sequence.h"

#include "codegen/kernel/plan/kernel_shape.h"
#include "dsl/support/check.h"
#include "dsl/support/counts.h"

#include <algorithm>

namespace mpf {

uint64_t pageCount(const NestPlan &plan) { return roleExtent(plan, AxisRole::Page); }

std::vector<Page> pageSequence(const NestPlan &plan, uint64_t limit) {
  const AxisRange axes = axesOfRole(plan, AxisRole::Page);
  const uint64_t count = std::min(pageCount(plan), limit);
  std::vector<Page> pages;
  std::vector<uint64_t> indices(axes.size(), 0);
  for (uint64_t p = 0; p < count; ++p) {
    Page page;
    page.indices = indices;
    for (const Segment &segment : plan.segments) {
      uint64_t offset = 0;
      bool invalid = p == 0;
      for (uint32_t axis : segment.pageAxes) {
        const uint32_t i = axis - axes.begin;
        MPF_CHECK(axis >= axes.begin && axis < axes.end,
                  "page axis {} of segment {}, they are {} "
                  "to {}",
                  axis, segment.operand, axes.begin, axes.end);
        offset += indices[i] * globalStride(plan, segment.operand, axis);
        invalid |= p > 0 && indices[i] != pages.back().indices[i];
      }
      page.invalid.push_back(invalid);
      page.offsetsElems.push_back(offset);
    }
    pages.push_back(std::move(page));
    for (size_t i = indices.size(); i-- > 0;) {
      if (++indices[i] < plan.axes[axes.begin + i].extent)
        break;
      indices[i] = 0;
    }
  }
  return pages;
}

namespace {
/// Returns the number of entries of an operand in one page.
double tagSize(const NestPlan &plan, uint32_t operand) {
  double size = 1;
  for (uint32_t a = axesOfRole(plan, AxisRole::Thread).begin; a < plan.axes.size(); ++a)
    if (sourceVaries(plan, operand, a))
      size *= static_cast<double>(plan.axes[a].extent);
  return size;
}
} // namespace

void orderPageAxes(NestPlan &plan) {
  // Segments name axes by their places.
  MPF_CHECK(plan.segments.empty(), "axes are ordered anew under {} segments", plan.segments.size());
  AxisRange axes = axesOfRole(plan, AxisRole::Page);
  while (axes.begin < axes.end && !plan.form.digits[plan.axes[axes.begin].digit.index()].reduced)
    ++axes.begin;
  std::vector<uint32_t> alive; // operands that no axis chosen so far invalidates
  for (uint32_t i = 0; i < plan.form.operands.size(); ++i)
    alive.push_back(i);
  for (uint32_t end = axes.end; end > axes.begin; --end) {
    uint32_t best = end - 1;
    double bestSaved = 0;
    for (uint32_t a = end; a-- > axes.begin;) {
      double saved = 0;
      for (uint32_t i : alive)
        if (!sourceVaries(plan, i, a))
          saved += tagSize(plan, i) * (1 - 1 / static_cast<double>(plan.axes[a].extent));
      if (saved > bestSaved) {
        best = a;
        bestSaved = saved;
      }
    }
    std::rotate(plan.axes.begin() + best, plan.axes.begin() + best + 1, plan.axes.begin() + end);
    std::erase_if(alive, [&](uint32_t i) { return sourceVaries(plan, i, end - 1); });
  }
}

uint64_t segmentLifetime(const NestPlan &plan, const Segment &segment) {
  const AxisRange axes = axesOfRole(plan, AxisRole::Page);
  uint64_t lifetime = 1;
  for (uint32_t a = axes.end; a-- > axes.begin;) {
    if (std::find(segment.pageAxes.begin(), segment.pageAxes.end(), a) != segment.pageAxes.end())
      break;
    lifetime = saturatingMul(lifetime, plan.axes[a].extent);
  }
  return lifetime;
}

} // namespace mpf
