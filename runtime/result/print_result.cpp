#include "runtime/result/print_result.h"

#include "dsl/support/number_text.h"
#include "dsl/support/text/shown_text.h"

#include <algorithm>
#include <cmath>
#include <fmt/core.h>
#include <functional>
#include <iterator>
#include <limits>
#include <span>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

namespace mpf {

namespace {

std::string stateText(const ResultVariable &variable, uint32_t state) {
  return variable.labels.empty() ? fmt::format("{}", state)
                                 : withoutControls(variable.labels[state]);
}

/// The variables of a result by name. Every table lists names of variables, and marginals have a
/// table for each variable.
class VariableIndex {
public:
  explicit VariableIndex(const Result &result) {
    for (const ResultVariable &variable : result.variables)
      byName_.try_emplace(variable.name, &variable);
  }

  /// Returns the variables of `table`; null for a name that the result does not list.
  std::vector<const ResultVariable *> of(const ResultTable &table) const {
    std::vector<const ResultVariable *> variables;
    for (const std::string &name : table.variables) {
      const auto found = byName_.find(name);
      variables.push_back(found == byName_.end() ? nullptr : found->second);
    }
    return variables;
  }

private:
  std::unordered_map<std::string_view, const ResultVariable *> byName_; ///< never walked
};

/// Returns the assignment of the first `count` variables at entry `i` of a table over `variables`:
/// "rain=yes, sprinkler=off".
std::string assignmentText(const std::vector<const ResultVariable *> &variables,
                           const ResultTable &table, size_t i, size_t count) {
  std::string text;
  for (size_t v = table.variables.size(); v-- > 0;) {
    const auto state = static_cast<uint32_t>(i % table.extents[v]);
    i /= table.extents[v];
    if (v >= count)
      continue;
    std::string first = withoutControls(table.variables[v]) + '=';
    first += variables[v] != nullptr ? stateText(*variables[v], state) : fmt::format("{}", state);
    text = text.empty() ? std::move(first) : first + ", " + text;
  }
  return text;
}

std::string entryText(const ResultTable &table, size_t i) {
  if (!table.integerEntries.empty())
    return fmt::format("{}", table.integerEntries[i]);
  const ScaledNumber number = table.at(i);
  if (table.logValues)
    return fmt::format("{:.12g}", number.ln());
  if (const std::optional<double> plain = number.value())
    return fmt::format("{:.12g}", *plain);
  return fmt::format("{}10^{:.12g}", number.sign() < 0 ? "-" : "", number.log10());
}

/// Returns one entry with its assignment; for the first entry of a row without posterior why there
/// is none, and for the others nothing.
std::string entryLine(const std::vector<const ResultVariable *> &variables,
                      const ResultTable &table, size_t i) {
  if (!table.isUndefined(i))
    return fmt::format("  {}: {}\n", assignmentText(variables, table, i, variables.size()),
                       entryText(table, i));
  return i % table.rowElems() != 0
             ? ""
             : fmt::format("  {}: no posterior, for this has probability zero\n",
                           assignmentText(variables, table, i, table.rowVariables));
}

/// Distance from 1 at which a number is printed as 1. A larger one would hide real differences.
constexpr double kNearOne = 64 * std::numeric_limits<double>::epsilon();

void printTable(const VariableIndex &index, const ResultTable &table, size_t maxEntries,
                std::string &text) {
  const auto out = std::back_inserter(text);
  if (table.variables.empty() && !table.entries.empty()) {
    fmt::format_to(out, "{}: {}\n", withoutControls(table.name),
                   table.logValues || !table.integerEntries.empty() ? entryText(table, 0)
                                                                    : describeNumber(table.at(0)));
    return;
  }
  const std::vector<const ResultVariable *> variables = index.of(table);
  const size_t shown = std::min(maxEntries, table.entries.size());
  if (table.variables.size() == 1 && table.rowVariables == 0) { // one line per variable reads best
    fmt::format_to(out, "{}:", withoutControls(table.name));
    for (size_t i = 0; i < shown; ++i)
      text.append("  ")
          .append(assignmentText(variables, table, i, 1))
          .append(1, ' ')
          .append(entryText(table, i));
    text += '\n';
  } else {
    fmt::format_to(out, "{}:\n", withoutControls(table.name));
    for (size_t i = 0; i < shown; ++i)
      text += entryLine(variables, table, i);
  }
  if (shown < table.entries.size())
    fmt::format_to(out, "  ... {} more entries\n", table.entries.size() - shown);
}

std::string foldText(size_t hidden, std::string_view what) {
  return hidden == 0 ? "" : fmt::format("  ... {} more {}, -o FILE has all\n", hidden, what);
}

/// The states of an assignment, in the line at hand. If that is long and the result is folded, the
/// first states that are not observed have a line each.
std::string statesText(const Result &result, const ResultAssignment &assignment, bool folds) {
  constexpr size_t kLongLine = 100;
  std::string line = assignment.states.size() != result.variables.size() ? " none" : "", lines;
  size_t count = 0;
  for (size_t i = 0; i < assignment.states.size(); ++i) {
    const std::string state = fmt::format("{}={}", withoutControls(result.variables[i].name),
                                          stateText(result.variables[i], assignment.states[i]));
    line += ' ' + state;
    if (folds && !result.evidence.observes(VarId{i}) && ++count <= kFoldedLines)
      lines += fmt::format("  {}\n", state);
  }
  if (!folds || line.size() <= kLongLine)
    return line + '\n';
  return '\n' + lines + foldText(count - std::min(count, kFoldedLines), "variables");
}

/// Prints the assignments; several are numbered.
void printAssignments(const Result &result, bool folds, std::string &text) {
  size_t number = 0;
  for (const ResultAssignment &assignment : result.assignments) {
    text += traitsOf(result.kind).assignment;
    if (result.assignments.size() > 1)
      text += fmt::format(" {}", ++number);
    text += ':' + statesText(result, assignment, folds);
  }
}

std::string kindText(const ResultOperationTime &operation) {
  return fmt::format("{} {}{}", operation.device, operation.path,
                     operation.log ? ", log domain" : "");
}

std::string tuningText(const ResultOperationTime &operation) {
  if (operation.tunedCandidates == 0)
    return "";
  return fmt::format(", tuned ({:.2f} times as fast as the model's choice, {} measured),",
                     operation.tunedGain, operation.tunedCandidates);
}

/// Prints the time of all operations, its parts by the way in which they ran, and the costliest.
void printOperations(const Result &result, std::string &text) {
  constexpr size_t kCostliest = 10;
  constexpr double kUsPerMs = 1000;
  struct Part {
    std::string kind;
    size_t count = 0;
    double timeUs = 0;
  };
  std::vector<Part> parts; // in the order in which they occur
  std::vector<const ResultOperationTime *> costliest;
  double totalUs = 0;
  for (const ResultOperationTime &operation : result.operations) {
    const std::string kind = kindText(operation);
    auto part = std::ranges::find(parts, kind, &Part::kind);
    if (part == parts.end())
      part = parts.insert(part, {kind});
    ++part->count;
    part->timeUs += operation.timeUs;
    totalUs += operation.timeUs;
    costliest.push_back(&operation);
  }
  const auto out = std::back_inserter(text);
  const auto count = [](size_t n) { return fmt::format("{} operation{}", n, n == 1 ? "" : "s"); };
  fmt::format_to(out, "operations: {:.3f} ms in {}\n", totalUs / kUsPerMs, count(costliest.size()));
  std::ranges::stable_sort(parts, std::ranges::greater{}, &Part::timeUs);
  for (const Part &part : parts)
    fmt::format_to(out, "  {:.3f} ms: {}, {}\n", part.timeUs / kUsPerMs, part.kind,
                   count(part.count));
  const size_t shown = std::min(kCostliest, costliest.size());
  if (shown < costliest.size())
    fmt::format_to(out, "the {} costliest, --json has all:\n", shown);
  std::ranges::stable_sort(costliest, std::ranges::greater{}, &ResultOperationTime::timeUs);
  for (const ResultOperationTime *const operation : std::span(costliest).first(shown))
    fmt::format_to(out, "  {}: {}{} {:.1f} us\n", operation->name, kindText(*operation),
                   tuningText(*operation), operation->timeUs);
}

void printProfile(const Result &result, std::string &text) {
  const auto out = std::back_inserter(text);
  for (const ResultTiming &timing : result.timings)
    fmt::format_to(out, "time {}: {:.3f} ms\n", timing.phase, timing.timeUs / 1000);
  fmt::format_to(out, "memory: {} promised, {} taken\n", formatBytesExactly(result.peakBytes),
                 formatBytesExactly(result.allocatedBytes));
  fmt::format_to(out, "device: {}\n", result.device);
  if (!result.operations.empty())
    printOperations(result, text);
}

} // namespace

std::string describeNumber(const ScaledNumber &number) {
  if (number.sign() == 0)
    return "0 (log10 -inf)";
  if (number.sign() > 0 && std::abs(number.ln()) <= kNearOne)
    return "1 (log10 0, ln 0)";
  const std::optional<double> plain = number.value();
  if (plain && std::isinf(*plain)) // a cost: it has no logarithm
    return fmt::format("{}", *plain);
  const std::string logs = fmt::format("log10 {:.12g}, ln {:.12g}", number.log10(), number.ln());
  const std::string magnitude = number.sign() < 0 ? "of magnitude " : "";
  if (plain)
    return fmt::format("{:.12g} ({}{})", *plain, magnitude, logs);
  return (number.sign() < 0 ? "negative, " : "") + magnitude + logs;
}

std::string printResult(const Result &result, const PrintOptions &options) {
  std::string text;
  if (result.zeroProbability)
    text += traitsOf(result.kind).isExpression() ? "the result is zero everywhere\n"
                                                 : "the evidence has probability zero\n";
  const VariableIndex index(result);
  size_t posteriors = 0;
  for (const ResultTable &table : result.tables) {
    const bool isPosterior = table.normalised && table.variables.size() == 1;
    if (!table.entries.empty() && !(options.folds && isPosterior && ++posteriors > kFoldedLines))
      printTable(index, table, options.maxEntries, text);
  }
  text += foldText(posteriors - std::min(posteriors, kFoldedLines), "variables");
  printAssignments(result, options.folds, text);
  if (options.profile)
    printProfile(result, text);
  return text;
}

} // namespace mpf
