// The assembler's report, as NVRTC 12.x and 13.x print it:
//   ptxas info    : Compiling entry function 'k' for 'sm_90'
//   ptxas info    : Function properties for k
//       0 bytes stack frame, 0 bytes spill stores, 0 bytes spill loads
//   ptxas info    : Used 64 registers, used 1 barriers, 33280 bytes smem
#include "runtime/compile/compiler.h"

#include "dsl/support/number_text.h"

#include <cctype>
#include <string_view>

namespace mpf {

namespace {

/// Returns the number directly before `unit` in `line`, or 0 if there is none.
uint32_t numberBefore(std::string_view line, std::string_view unit) {
  const size_t at = line.find(unit);
  if (at == std::string_view::npos)
    return 0;
  size_t begin = at;
  while (begin > 0 && std::isdigit(static_cast<unsigned char>(line[begin - 1])))
    --begin;
  return static_cast<uint32_t>(parseUnsigned(line.substr(begin, at - begin)).value_or(0));
}

} // namespace

std::vector<ResourceUsage> parseResourceReport(const std::string &log) {
  std::vector<ResourceUsage> report;
  std::string_view rest = log;
  while (!rest.empty()) {
    const size_t newline = rest.find('\n');
    const std::string_view line = rest.substr(0, newline);
    rest = newline == std::string_view::npos ? std::string_view() : rest.substr(newline + 1);
    constexpr std::string_view kEntry = "Compiling entry function '";
    if (const size_t at = line.find(kEntry); at != std::string_view::npos) {
      const std::string_view name = line.substr(at + kEntry.size());
      report.push_back({std::string(name.substr(0, name.find('\''))), 0, 0, 0, 0, 0});
    } else if (report.empty()) {
      continue;
    } else if (line.find("bytes stack frame") != std::string_view::npos) {
      report.back().stackBytes = numberBefore(line, " bytes stack frame");
      report.back().spillStoreBytes = numberBefore(line, " bytes spill stores");
      report.back().spillLoadBytes = numberBefore(line, " bytes spill loads");
    } else if (line.find(" registers") != std::string_view::npos) {
      report.back().registers = numberBefore(line, " registers");
      report.back().sharedBytes = numberBefore(line, " bytes smem");
    }
  }
  return report;
}

} // namespace mpf
