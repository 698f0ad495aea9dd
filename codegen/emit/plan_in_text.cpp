#include "codegen/emit/plan_in_text.h"

#include "codegen/kernel/plan/without_program.h"
#include "codegen/kernel/print_kernel.h"

#include <fmt/format.h>
#include <string_view>

namespace mpf {

namespace {

constexpr std::string_view kMark = "//: ";

/// Calls visit(line) for each line of the text, without its end.
template <class Visit> void forEachLine(std::string_view text, const Visit &visit) {
  while (!text.empty()) {
    const size_t end = text.find('\n');
    visit(text.substr(0, end));
    text.remove_prefix(end == text.npos ? text.size() : end + 1);
  }
}

/// Comments, and the predicted time of a plan that withoutProgram took it from.
bool saysNothing(std::string_view line) {
  return line.starts_with("  #") || line.starts_with("  predicted ");
}

KernelPlan shapeOf(const KernelPlan &plan) {
  return std::visit([](const auto &any) { return KernelPlan(withoutProgram(any)); }, plan);
}

} // namespace

std::string planInText(const KernelPlan &plan) {
  std::string text;
  forEachLine(printKernel(shapeOf(plan)), [&text](std::string_view line) {
    if (!saysNothing(line))
      text += fmt::format("{}{}\n", kMark, line);
  });
  return text;
}

bool holdsPlan(std::string_view cudaText) {
  bool holds = false;
  forEachLine(cudaText, [&holds](std::string_view line) { holds |= line.starts_with(kMark); });
  return holds;
}

std::optional<std::vector<ReadKernel>> plansInText(const SourceBuffer &cudaText,
                                                   Diagnostics &diagnostics) {
  // The other lines stay, empty, so that places are those of the text.
  std::string plans;
  forEachLine(cudaText.text(), [&](std::string_view line) {
    if (line.starts_with(kMark)) {
      plans += std::string(kMark.size(), ' ');
      plans += line.substr(kMark.size());
    }
    plans += '\n';
  });
  return readKernels(std::make_shared<const SourceBuffer>(cudaText.name(), std::move(plans)),
                     diagnostics);
}

} // namespace mpf
