#include "codegen/emit/plan_in_text.h"

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

bool isOfTheProgram(std::string_view line) {
  return line.starts_with("  cost ") || line.starts_with("  predicted ") || line.starts_with("  #");
}

/// With `to` for the value behind `key`.
std::string withValue(std::string line, std::string_view key, std::string_view to) {
  const size_t at = line.find(key);
  if (at == line.npos)
    return line;
  const size_t begin = at + key.size();
  const size_t end = std::min(line.find(' ', begin), line.size());
  return line.replace(begin, end - begin, to);
}

} // namespace

std::string planInText(const KernelPlan &plan) {
  std::string text;
  forEachLine(printKernel(plan), [&](std::string_view line) {
    if (isOfTheProgram(line))
      return;
    const std::string shown =
        withValue(withValue(std::string(line), " variables=", "-"), " table=", "0");
    text += fmt::format("{}{}\n", kMark, shown);
  });
  return text;
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
