#include "codegen/kernel/text/print_kernel.h"

#include "codegen/kernel/plan/kernel_shape.h"
#include "codegen/kernel/plan/page_sequence.h"
#include "codegen/kernel/text/plan_text.h"
#include "dsl/source/line_reader.h"

namespace mpf {

namespace {
constexpr uint64_t kPagesShown = 8;

using namespace plantext;

std::string axisNames(const KernelPlan &plan, const std::vector<uint32_t> &list) {
  return joined(list, [&](uint32_t a) { return plan.axes[a].name; });
}

void printSegment(Text &text, const KernelPlan &plan, const Segment &segment) {
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

/// The papers' policy tables, for people.
void printPages(Text &text, const KernelPlan &plan) {
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

std::string printKernel(const KernelPlan &plan, const TableProgram *program) {
  Text text;
  line(text, "kernel {}", quoteWord(plan.name));
  line(text, "  family {}", familyName(plan.family));
  printValues(text, plan.form.semiring, plan.valueForm, plan.type);
  if (usesScaledMantissas(plan))
    line(text, "  logsum {}", logSumName(plan.logSum));
  if (plan.stages != 1)
    line(text, "  stages {}", plan.stages);
  printDigits(text, plan.form.digits, program);
  for (const DigitAccess &operand : plan.form.operands)
    printAccess(text, "operand", operand, program);
  printAccess(text, "result", plan.form.result, program);
  for (const Axis &axis : plan.axes) {
    const std::string unroll =
        axis.role == AxisRole::Sum ? fmt::format(" unroll={}", axis.unroll) : "";
    line(text, "  axis {} {} digit={} extent={} step={}{}", axis.name, roleName(axis.role),
         axis.digit, axis.extent, axis.step, unroll);
  }
  if (plan.matrix)
    text += detail::printMatrix(*plan.matrix);
  for (const Segment &segment : plan.segments)
    printSegment(text, plan, segment);
  printPages(text, plan);
  for (const ProductStep &step : plan.products)
    line(text, "  product {} {} axes={}", step.left, step.right,
         axisNames(plan, step.registerAxes));
  line(text, "  store vector={}", plan.storeVector);
  printIndex(text, plan.indexWidth);
  printLaunch(text, plan.launch);
  printCosts(text, plan.costTerms, plan.predictedUs, plan.floorUs);
  line(text, "end");
  return text;
}

} // namespace mpf
