#include "codegen/kernel/text/print_nest.h"

#include "codegen/kernel/plan/kernel_shape.h"
#include "codegen/kernel/plan/page_sequence.h"
#include "codegen/kernel/text/plan_text.h"

namespace mpf {

namespace {
constexpr uint64_t kPagesShown = 8;

using namespace plantext;

std::string axisNames(const NestPlan &plan, const std::vector<uint32_t> &list) {
  return joined(list, [&](uint32_t a) { return plan.axes[a].name; });
}

void printSegment(Text &text, const NestPlan &plan, const Segment &segment) {
  fmt::format_to(std::back_inserter(text),
                 "  segment {} {} axes={} size_elems={} pages={} lifetime_pages={} "
                 "fragment_vector={}",
                 segment.operand, placementName(segment.placement),
                 axisNames(plan, segment.tagAxes), segment.sizeElems,
                 axisNames(plan, segment.pageAxes), segment.lifetimePages, segment.fragmentVector);
  if (segment.placement == Placement::Shared) {
    const auto part = [&](const FetchPart &p) {
      return fmt::format("{}:{}:{}", plan.axes[p.axis].name, p.extent, p.step);
    };
    fmt::format_to(std::back_inserter(text),
                   " strides_elems={} allocated_elems={} offset_elems={} fetch={} "
                   "fetch_vector={} conflict_free={}",
                   joined(segment.stridesElems), segment.allocatedElems, segment.offsetElems,
                   joined(segment.fetchParts, part), segment.fetchVector,
                   segment.conflictFree ? "yes" : "no");
  }
  text += '\n';
}

/// Prints the papers' policy tables, for people.
void printPages(Text &text, const NestPlan &plan) {
  if (axesOfRole(plan, AxisRole::Page).size() == 0)
    return;
  for (const Page &page : pageSequence(plan, kPagesShown)) {
    std::string invalid;
    for (size_t i = 0; i < page.invalid.size(); ++i)
      invalid += fmt::format("{}{}", i == 0 ? "" : ",", page.invalid[i] ? 1 : 0);
    line(text, "  # page {} invalid={} offsets_elems={}", joined(page.indices), invalid,
         joined(page.offsetsElems));
  }
  if (pageCount(plan) > kPagesShown)
    line(text, "  # {} pages in all", pageCount(plan));
}
} // namespace

std::string printNest(const NestPlan &plan, const TableProgram *program) {
  Text text;
  printHead(text, plan, kindName(plan.kind), plan.form);
  if (plan.stages != 1)
    line(text, "  stages {}", plan.stages);
  printTables(text, plan.form, program);
  for (const Axis &axis : plan.axes) {
    const std::string unroll =
        axis.role == AxisRole::Sum ? fmt::format(" unroll={}", axis.unroll) : "";
    line(text, "  axis {} {} digit={} extent={} step={}{}", axis.name, roleName(axis.role),
         axis.digit, axis.extent, axis.step, unroll);
  }
  for (const Segment &segment : plan.segments)
    printSegment(text, plan, segment);
  printPages(text, plan);
  for (const ProductStep &step : plan.products)
    line(text, "  product {} {} axes={}", step.left, step.right,
         axisNames(plan, step.registerAxes));
  printStore(text, plan);
  printTail(text, plan);
  return text;
}

} // namespace mpf
