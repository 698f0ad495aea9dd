#include "codegen/kernel/read_kernel.h"

#include <algorithm>

namespace mpf {

namespace {

constexpr const char *kNoPlan = "expected a kernel plan or a chain plan";

bool isKeyword(std::string_view word) {
  bool isOne = false;
  forEachFamily([&](const auto &family) { isOne |= std::string_view(family.keyword) == word; });
  return isOne;
}

/// Reads a plan from its first line; none if an error was reported.
std::optional<KernelPlan> readPlan(LineReader &lines) {
  if (!isKeyword(lines.keyword().text)) {
    lines.diagnostics().error(lines.here(), "{}", kNoPlan);
    return std::nullopt;
  }
  const std::optional<PlanHead> head = readHead(lines);
  if (!head)
    return std::nullopt;
  std::optional<KernelPlan> plan;
  bool isKnown = false;
  std::string known;
  forEachFamily([&](const auto &family) {
    if (std::string_view(family.keyword) != head->keyword)
      return;
    for (const std::string_view name : FamilyNames(family.names)) {
      known += fmt::format("{}{}", known.empty() ? "" : ", ", name);
      if (name != head->family)
        continue;
      isKnown = true;
      if (auto read = family.read(*head, lines))
        plan = std::move(*read);
    }
  });
  if (!isKnown)
    lines.diagnostics().error(lines.here(), "expected one of {}", known);
  return plan;
}

} // namespace

std::optional<std::vector<ReadKernel>> readKernels(std::shared_ptr<const SourceBuffer> source,
                                                   Diagnostics &diagnostics) {
  const size_t errors = diagnostics.errorCount();
  LineReader lines(std::move(source), diagnostics);
  std::vector<ReadKernel> kernels;
  while (lines.next()) {
    const SourcePlace place = lines.here();
    std::optional<KernelPlan> plan = readPlan(lines);
    if (!plan)
      return std::nullopt;
    kernels.push_back({std::move(*plan), place});
  }
  if (kernels.empty())
    diagnostics.error(lines.here(), "{}", kNoPlan);
  if (diagnostics.errorCount() != errors) // such as quotes that do not end, seen while splitting
    return std::nullopt;
  return kernels;
}

} // namespace mpf
