#include "runtime/result/print_result.h"

#include "dsl/support/number_text.h"

#include <algorithm>
#include <fmt/core.h>
#include <iterator>

namespace mpf {

namespace {

std::string stateText(const ResultVariable &variable, uint32_t state) {
  return variable.labels.empty() ? fmt::format("{}", state) : variable.labels[state];
}

const ResultVariable *variableNamed(const Result &result, const std::string &name) {
  for (const ResultVariable &variable : result.variables)
    if (variable.name == name)
      return &variable;
  return nullptr;
}

std::string entryText(const ResultTable &table, size_t i) {
  const ScaledNumber number = table.at(i);
  if (table.logValues)
    return fmt::format("{:.12g}", number.ln());
  if (const std::optional<double> plain = number.value())
    return fmt::format("{:.12g}", *plain);
  return fmt::format("{}10^{:.12g}", number.sign() < 0 ? "-" : "", number.log10());
}

void printTable(const Result &result, const ResultTable &table, size_t maxEntries,
                std::string &text) {
  const auto out = std::back_inserter(text);
  if (table.variables.empty() && !table.entries.empty()) {
    fmt::format_to(out, "{}: {}\n", table.name,
                   table.logValues ? entryText(table, 0) : describeNumber(table.at(0)));
    return;
  }
  const size_t shown = std::min(maxEntries, table.entries.size());
  if (table.variables.size() == 1) { // one line per variable reads best
    fmt::format_to(out, "{}:", table.name);
    for (size_t i = 0; i < shown; ++i)
      fmt::format_to(out, "  {} {}", assignmentText(result, table, i), entryText(table, i));
    text += '\n';
  } else {
    fmt::format_to(out, "{}:\n", table.name);
    for (size_t i = 0; i < shown; ++i)
      fmt::format_to(out, "  {}: {}\n", assignmentText(result, table, i), entryText(table, i));
  }
  if (shown < table.entries.size())
    fmt::format_to(out, "  ... {} more entries\n", table.entries.size() - shown);
}

void printProfile(const Result &result, std::string &text) {
  const auto out = std::back_inserter(text);
  for (const ResultTiming &timing : result.timings)
    fmt::format_to(out, "time {}: {:.3f} ms\n", timing.phase, timing.timeUs / 1000);
  fmt::format_to(out, "memory: {} promised, {} taken\n", formatBytesExactly(result.peakBytes),
                 formatBytesExactly(result.allocatedBytes));
  for (const ResultOperationTime &operation : result.operations)
    fmt::format_to(out, "  {}: {} {}{} {:.1f} us\n", operation.name, operation.device,
                   operation.path, operation.log ? ", log domain" : "", operation.timeUs);
}

} // namespace

std::string describeNumber(const ScaledNumber &number) {
  if (number.sign() == 0)
    return "0 (log10 -inf)";
  const std::optional<double> plain = number.value();
  const std::string logs = fmt::format("log10 {:.12g}, ln {:.12g}", number.log10(), number.ln());
  const std::string sign = number.sign() < 0 ? "negative, of magnitude " : "";
  return plain ? fmt::format("{:.12g} ({})", *plain, logs) : sign + logs;
}

std::string assignmentText(const Result &result, const ResultTable &table, size_t i) {
  std::string text;
  for (size_t v = table.variables.size(); v-- > 0;) {
    const auto state = static_cast<uint32_t>(i % table.extents[v]);
    i /= table.extents[v];
    const ResultVariable *variable = variableNamed(result, table.variables[v]);
    const std::string label =
        variable != nullptr ? stateText(*variable, state) : fmt::format("{}", state);
    text = fmt::format("{}={}{}{}", table.variables[v], label, text.empty() ? "" : ", ", text);
  }
  return text;
}

std::string printResult(const Result &result, const PrintOptions &options) {
  std::string text;
  if (result.zeroProbability)
    text += result.kind == "expression" ? "the result is zero everywhere\n"
                                        : "the evidence has probability zero\n";
  for (const ResultTable &table : result.tables)
    if (!table.entries.empty())
      printTable(result, table, options.maxEntries, text);
  if (result.assignment) {
    text += "best assignment:";
    for (size_t i = 0; i < result.variables.size(); ++i)
      text += fmt::format(" {}={}", result.variables[i].name,
                          stateText(result.variables[i], result.assignment->states[i]));
    text += '\n';
  }
  if (options.profile)
    printProfile(result, text);
  return text;
}

} // namespace mpf
