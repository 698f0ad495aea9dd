#include "codegen/kernel/read_kernel.h"

#include <algorithm>

namespace mpf {

namespace {

/// The plan behind this head; none when something was reported.
std::optional<KernelPlan> readPlan(const PlanHead &head, LineReader &lines) {
  std::optional<KernelPlan> plan;
  bool isKnown = false;
  std::string known;
  forEachFamily([&](const auto &family) {
    if (std::string_view(family.keyword) != head.keyword)
      return;
    for (const std::string_view name : FamilyNames(family.names)) {
      known += fmt::format("{}{}", known.empty() ? "" : ", ", name);
      if (name != head.family)
        continue;
      isKnown = true;
      if (auto read = family.read(head, lines))
        plan = std::move(*read);
    }
  });
  if (!isKnown)
    lines.diagnostics().error(lines.here(), "expected {}",
                              known.empty() ? "a kernel plan or a chain plan" : "one of " + known);
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
    const std::optional<PlanHead> head = readHead(lines);
    auto plan = head ? readPlan(*head, lines) : std::nullopt;
    if (!plan)
      return std::nullopt;
    kernels.push_back({std::move(*plan), place});
  }
  if (kernels.empty())
    diagnostics.error(lines.here(), "expected a kernel plan or a chain plan");
  if (diagnostics.errorCount() != errors) // such as quotes that do not end, seen while splitting
    return std::nullopt;
  return kernels;
}

} // namespace mpf
