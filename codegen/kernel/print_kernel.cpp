#include "codegen/kernel/print_kernel.h"

#include "codegen/kernel/kernel_shape.h"
#include "codegen/kernel/page_sequence.h"
#include "dsl/source/line_reader.h"
#include "dsl/support/number_text.h"

#include <fmt/format.h>
#include <iterator>

namespace mpf {

namespace {
constexpr uint64_t kPagesShown = 8;

using Text = std::string;
template <class... Args> void line(Text &text, fmt::format_string<Args...> format, Args &&...args) {
  fmt::format_to(std::back_inserter(text), format, std::forward<Args>(args)...);
  text += '\n';
}

/// "1,2,3", or "-" for an empty list.
template <class List, class Show> std::string joined(const List &list, Show show) {
  std::string text;
  for (const auto &item : list)
    text += (text.empty() ? "" : ",") + show(item);
  return text.empty() ? "-" : text;
}
std::string numbers(const std::vector<uint64_t> &list) {
  return joined(list, [](uint64_t n) { return fmt::format("{}", n); });
}
std::string axisNames(const KernelPlan &plan, const std::vector<uint32_t> &list) {
  return joined(list, [&](uint32_t a) { return plan.axes[a].name; });
}

std::string tableComment(const TableProgram *program, TableId table) {
  if (program == nullptr || table.index() >= program->tables.size())
    return {};
  const ProgramTable &t = program->table(table);
  const auto scope = joined(t.scope, [&](VarId v) { return program->variables[v.index()].name; });
  return fmt::format("  # {}({})", t.name, scope == "-" ? "" : scope);
}

void printForm(Text &text, const KernelPlan &plan, const TableProgram *program) {
  const DigitForm &form = plan.form;
  for (size_t d = 0; d < form.digits.size(); ++d) {
    const Digit &digit = form.digits[d];
    std::string comment;
    if (program != nullptr)
      for (VarId v : digit.variables)
        comment += (comment.empty() ? "  # " : " ") + program->variables[v.index()].name;
    line(text, "  digit {} {} extent={} variables={}{}", d, digit.reduced ? "reduced" : "kept",
         digit.extent, joined(digit.variables, [](VarId v) { return fmt::format("{}", v); }),
         comment);
  }
  const auto access = [&](const char *keyword, const DigitAccess &a) {
    line(text, "  {} table={} size_elems={} strides_elems={}{}", keyword, a.table, a.sizeElems,
         numbers(a.stridesElems), tableComment(program, a.table));
  };
  for (const DigitAccess &operand : form.operands)
    access("operand", operand);
  access("result", form.result);
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
                   numbers(segment.stridesElems), segment.allocatedElems, segment.offsetElems,
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
    line(text, "  # page {} invalid={} offsets_elems={}", numbers(page.indices), invalid,
         numbers(page.offsetsElems));
  }
  if (pageCount(plan) > kPagesShown)
    line(text, "  # {} pages in all", pageCount(plan));
}
} // namespace

std::string printKernel(const KernelPlan &plan, const TableProgram *program) {
  Text text;
  line(text, "kernel {}", quoteWord(plan.name));
  line(text, "  family {}", familyName(plan.family));
  line(text, "  semiring {}", semiringName(plan.form.semiring));
  line(text, "  values {} {}", plan.valueForm == ValueForm::Linear ? "linear" : "log",
       plan.type == ElementType::F32 ? "f32" : "f64");
  printForm(text, plan, program);
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
  line(text, "  index bits={}", plan.indexWidth == IndexWidth::Bits32 ? 32 : 64);
  line(text,
       "  launch grid_blocks={} block_threads={} shared_bytes={} min_blocks_per_sm={} "
       "estimated_registers={}",
       plan.launch.gridBlocks, plan.launch.blockThreads, plan.launch.sharedBytes,
       plan.launch.minBlocksPerSm, plan.launch.estimatedRegisters);
  for (const CostTerm &term : plan.costTerms)
    line(text, "  cost {} time_us={}", quoteWord(term.name), formatDouble(term.timeUs));
  line(text, "  predicted time_us={} floor_us={}", formatDouble(plan.predictedUs),
       formatDouble(plan.floorUs));
  line(text, "end");
  return text;
}

} // namespace mpf
