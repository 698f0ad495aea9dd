#include "tools/mpf-check-kernel/checked_text.h"

#include "codegen/emit/tooling/check_source.h"
#include "dsl/support/check.h"

#include <algorithm>
#include <fmt/ranges.h>
#include <set>
#include <utility>

namespace mpf {

namespace {

std::string_view lineOf(std::string_view text, unsigned line) {
  for (unsigned i = 1; i < line && !text.empty(); ++i)
    text.remove_prefix(std::min(text.find('\n'), text.size() - 1) + 1);
  return text.substr(0, text.find('\n'));
}

/// Returns the findings in a text: the line, and the message.
std::set<std::pair<std::string, std::string>> findingsOf(const std::string &own,
                                                         size_t trustedBytes) {
  std::set<std::pair<std::string, std::string>> found;
  if (!own.empty() && trustedBytes != 0)
    for (const SourceFinding &finding : checkKernelFile(own, trustedBytes).findings)
      found.emplace(lineOf(own, finding.line), finding.message);
  return found;
}

} // namespace

void CheckedText::checkSource(size_t trustedBytes, const std::string &own) {
  KernelFile file = checkKernelFile(std::string(text()), trustedBytes);
  const auto ours = findingsOf(own, trustedBytes);
  for (const SourceFinding &finding : file.findings)
    if (!ours.contains({std::string(lineOf(text(), finding.line)), finding.message}))
      diagnostics_.error(placeAt(finding.line, finding.column), "{}", finding.message);
  kernels_ = std::move(file.kernels);
}

void CheckedText::checkDeclarations(const std::vector<KernelDeclaration> &expected) {
  for (const KernelDeclaration &one : expected) {
    const auto found = std::ranges::find(kernels_, one.name, &KernelDeclaration::name);
    if (found == kernels_.end()) {
      diagnostics_.error({}, "{}: the text has no kernel {}", text_->name(), one.name);
      continue;
    }
    const SourcePlace at = placeOfKernel(one.name);
    if (found->parameters != one.parameters)
      diagnostics_.error(at, "{} has the parameters ({}), it is launched with ({})", one.name,
                         fmt::join(found->parameters, ", "), fmt::join(one.parameters, ", "));
    if (found->mostThreads != one.mostThreads)
      diagnostics_.error(at, "{} is bounded to blocks of {} threads, it is launched with {}",
                         one.name, found->mostThreads, one.mostThreads);
  }
}

bool CheckedText::report(const std::string &kernel,
                         const std::vector<simt::KernelProblem> &faults) const {
  for (const simt::KernelProblem &fault : faults)
    diagnostics_.error(fault.line != 0 ? placeOfLine(fault.line) : placeOfSite(kernel, fault.site),
                       "{}: {}", kernel, fault.message);
  return !faults.empty();
}

void CheckedText::setAlias(std::string kernel, std::string called) {
  aliasOf_ = std::move(kernel);
  alias_ = std::move(called);
}

std::string CheckedText::calledName(const std::string &kernel) const {
  return kernel == aliasOf_ ? alias_ : kernel;
}

SourcePlace CheckedText::placeAt(unsigned line, unsigned column) const {
  if (line == 0)
    return {};
  size_t begin = 0;
  for (unsigned i = 1; i < line && begin != std::string_view::npos; ++i)
    begin = std::min(text().find('\n', begin), text().size() - 1) + 1;
  return place(std::min(begin + column - 1, text().size()), 1);
}

SourcePlace CheckedText::placeOfLine(unsigned line) const {
  const size_t indent = lineOf(text(), line).find_first_not_of(" \t");
  return placeAt(line, indent == std::string_view::npos ? 1 : static_cast<unsigned>(indent) + 1);
}

SourcePlace CheckedText::place(size_t begin, size_t bytes) const {
  return {text_, {static_cast<uint32_t>(begin), static_cast<uint32_t>(begin + bytes)}};
}

size_t CheckedText::definitionOf(const std::string &kernel) const {
  return text().find(calledName(kernel) + "(");
}

SourcePlace CheckedText::placeOfKernel(const std::string &kernel) const {
  const size_t begin = definitionOf(kernel);
  return begin == std::string_view::npos ? SourcePlace() : place(begin, calledName(kernel).size());
}

SourcePlace CheckedText::placeOfSite(const std::string &kernel, uint32_t site) const {
  const size_t begin = definitionOf(kernel);
  if (begin == std::string_view::npos || site == 0)
    return placeOfKernel(kernel);
  // Emitted kernels name their sites by numbers; device functions by macros, before their kernels.
  const std::string number = fmt::format("({}, ", site);
  const size_t end = std::min(text().find("__global__", begin), text().size());
  if (const size_t at = text().find(number, begin); at < end)
    return place(at + 1, number.size() - 3);
  const std::string defined = fmt::format(" {}\n", site);
  for (size_t at = text().find("#define MPF_SITE_"); at != std::string_view::npos;
       at = text().find("#define MPF_SITE_", at + 1)) {
    const std::string_view line = text().substr(at, text().find('\n', at) + 1 - at);
    if (!line.ends_with(defined))
      continue;
    const size_t nameBegin = std::string_view("#define ").size();
    const std::string_view name = line.substr(nameBegin, line.size() - nameBegin - defined.size());
    if (const size_t used = text().find(fmt::format("({}, ", name), at); used != text().npos)
      return place(used + 1, name.size());
  }
  return placeOfKernel(kernel);
}

} // namespace mpf
