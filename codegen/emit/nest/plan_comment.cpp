#include "codegen/emit/nest/plan_comment.h"

#include "codegen/kernel/plan/kernel_shape.h"
#include "dsl/support/check.h"

namespace mpf {

namespace {

std::string scopeText(const Nest &nest, const DigitAccess &access) {
  std::string text;
  for (size_t digit = 0; digit < nest.plan->form.digits.size(); ++digit)
    if (access.stridesElems[digit] != 0)
      text += fmt::format("{}d{}", text.empty() ? "" : ", ", digit);
  return text;
}

void writeFormula(const Nest &nest, CodeWriter &out) {
  const DigitForm &form = nest.plan->form;
  std::string reduced, product;
  for (size_t digit = 0; digit < form.digits.size(); ++digit)
    if (form.digits[digit].reduced)
      reduced += fmt::format(" d{}", digit);
  for (size_t i = 0; i < form.operands.size(); ++i)
    product += fmt::format("{}{}({})", i == 0 ? "" : " * ", nest.operands[i].name,
                           scopeText(nest, form.operands[i]));
  out.line("// {}: result({}) = [{}]{} {}", kindName(nest.plan->kind), scopeText(nest, form.result),
           semiringName(form.semiring), reduced, product);
}

void writeAxes(const Nest &nest, size_t digit, CodeWriter &out) {
  std::string axes;
  for (const Axis &axis : nest.plan->axes)
    if (axis.digit.index() == digit && axis.extent > 1)
      axes += fmt::format("{} {} {} x{} step {}", axes.empty() ? "" : ",", axis.name,
                          roleName(axis.role), axis.extent, axis.step);
  out.line("//   d{} {}{}:{}", digit, nest.plan->form.digits[digit].extent,
           nest.isGuarded(digit) ? " (guarded)" : "", axes);
}

} // namespace

void writePlanComment(const Nest &nest, CodeWriter &out) {
  MPF_CHECK(nest.operands.size() == nest.plan->segments.size(), "{}: {} operands, {} segments",
            nest.plan->name, nest.operands.size(), nest.plan->segments.size());
  writeFormula(nest, out);
  for (size_t digit = 0; digit < nest.plan->form.digits.size(); ++digit)
    writeAxes(nest, digit, out);
  for (size_t i = 0; i < nest.operands.size(); ++i) {
    const NestTable &table = nest.operands[i];
    const Segment &segment = nest.plan->segments[i];
    std::string where(placementName(table.placement));
    if (table.isShared())
      where += fmt::format(", {} entries at {}, fetched by {}", segment.sizeElems,
                           segment.offsetElems, segment.fetchVector);
    out.line("//   {}: {}", table.name, where);
  }
}

} // namespace mpf
