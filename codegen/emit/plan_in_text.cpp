#include "codegen/emit/plan_in_text.h"

#include "codegen/emit/marked_text.h"
#include "codegen/kernel/plan/without_program.h"
#include "codegen/kernel/print_kernel.h"

#include <string_view>

namespace mpf {

namespace {

/// Whether a line is a comment, or the predicted time, which withoutProgram has removed.
bool saysNothing(std::string_view line) {
  return line.starts_with("  #") || line.starts_with("  predicted ");
}

KernelPlan shapeOf(const KernelPlan &plan) {
  return std::visit([](const auto &any) { return KernelPlan(withoutProgram(any)); }, plan);
}

} // namespace

std::string planInText(const KernelPlan &plan) {
  const std::string printed = printKernel(shapeOf(plan));
  std::string said;
  for (size_t begin = 0; begin < printed.size();) {
    const size_t end = printed.find('\n', begin) + 1; // every line has one
    const std::string_view line = std::string_view(printed).substr(begin, end - begin);
    if (!saysNothing(line))
      said += line;
    begin = end;
  }
  return markLines(said);
}

std::optional<std::vector<ReadKernel>> plansInText(const SourceBuffer &cudaText,
                                                   Diagnostics &diagnostics) {
  return readKernels(
      std::make_shared<const SourceBuffer>(cudaText.name(), markedLines(cudaText.text())),
      diagnostics);
}

} // namespace mpf
