#include "codegen/kernel/text/print_chain.h"

#include "codegen/kernel/text/plan_text.h"
#include "dsl/source/line_reader.h"

namespace mpf {

namespace {

using namespace plantext;

std::string digitList(const std::vector<DigitId> &digits) {
  return joined(digits, [](DigitId digit) { return fmt::format("{}", digit); });
}

std::string partNames(const ChainPlan &plan, const std::vector<uint32_t> &parts) {
  return joined(parts, [&](uint32_t part) { return plan.parts[part].name; });
}

std::string slotTexts(const ChainPlan &plan, const std::vector<ChainSlot> &slots) {
  return joined(slots, [&](const ChainSlot &slot) {
    return fmt::format("{}:{}:{}", plan.parts[slot.part].name, slot.extent, slot.step);
  });
}

void printForm(Text &text, const ChainForm &form, const TableProgram *program) {
  printDigits(text, form.digits, program);
  printAccess(text, "message", form.message, program);
  for (const DigitAccess &factor : form.factors)
    printAccess(text, "factor", factor, program);
  printAccess(text, "result", form.result, program);
  for (const ChainStep &step : form.steps)
    line(text, "  step factors={} introduced={} reduced={}", step.factorCount,
         digitList(step.introduced), digitList(step.reduced));
}

} // namespace

std::string printChain(const ChainPlan &plan, const TableProgram *program) {
  Text text;
  line(text, "chain {}", quoteWord(plan.name));
  printValues(text, plan.form.semiring, plan);
  printForm(text, plan.form, program);
  for (const ChainPart &part : plan.parts)
    line(text, "  part {} digit={} extent={} step={}", part.name, part.digit, part.extent,
         part.step);
  line(text, "  pages outer={} per_block={}", partNames(plan, plan.outerParts), plan.pagesPerBlock);
  line(text, "  fetch vector={} threads={} loops={}", plan.fetch.vector,
       slotTexts(plan, plan.fetch.threadSlots), slotTexts(plan, plan.fetch.loopSlots));
  for (const ChainPhase &phase : plan.phases)
    line(text,
         "  phase steps={} registers={} threads={} strides_elems={} allocated_elems={} "
         "factors_first={}",
         phase.stepCount, partNames(plan, phase.registerParts), partNames(plan, phase.threadParts),
         joined(phase.stridesElems), phase.allocatedElems, phase.factorsFirst ? "yes" : "no");
  printStore(text, plan);
  line(text, "  shared conflict_free={}", plan.conflictFree ? "yes" : "no");
  printTail(text, plan);
  return text;
}

} // namespace mpf
