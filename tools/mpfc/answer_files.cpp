#include "tools/mpfc/answer_files.h"

#include "dsl/formats/tables/npy_header.h"
#include "dsl/model/query_model.h"
#include "dsl/support/check.h"
#include "tools/mpfc/answers/count_result.h"
#include "tools/mpfc/answers/uai_result.h"
#include "tools/mpfc/cases/array_numbers.h"
#include "tools/mpfc/cases/number_cell.h"
#include "tools/mpfc/cases/quoted_cell.h"
#include "tools/mpfc/process/zip_text.h"

#include <algorithm>
#include <bit>
#include <cstring>
#include <fmt/format.h>
#include <limits>
#include <set>
#include <utility>
#include <vector>

namespace mpf::driver {

namespace {

static_assert(std::endian::native == std::endian::little, "doubles are written as they are");

/// An entry without posterior is an empty cell.
std::string entryCell(const ResultTable &table, size_t i) {
  if (table.isUndefined(i))
    return "";
  if (!table.integerEntries.empty())
    return fmt::format("{}", table.integerEntries[i]);
  std::string text;
  if (table.logValues)
    appendNumber(table.at(i).ln(), text);
  else
    appendNumber(table.at(i), text);
  return text;
}

double entryDouble(const ResultTable &table, size_t i) {
  constexpr const char *kOthers = ".json and .csv";
  if (table.isUndefined(i))
    return std::numeric_limits<double>::quiet_NaN();
  const ScaledNumber number = table.at(i);
  if (!table.integerEntries.empty() && table.integerEntries[i] > kMostExactCount)
    fail(ErrorKind::BadInput, "{}",
         countBeyondArrays(table.name, table.integerEntries[i], kOthers));
  if (table.logValues)
    return number.ln();
  const std::optional<double> value = number.value();
  if (!value)
    fail(ErrorKind::BadInput, "{}", numberBeyondArrays(table.name, number, kOthers));
  return *value;
}

const ResultVariable &variableNamed(const Result &result, const std::string &name) {
  for (const ResultVariable &variable : result.variables)
    if (variable.name == name)
      return variable;
  MPF_UNREACHABLE("result {} has no variable {}", result.query, name);
}

std::string stateCell(const ResultVariable &variable, uint32_t state) {
  return variable.labels.empty() ? fmt::format("{}", state) : quotedCell(variable.labels[state]);
}

/// The tables of the answer. Marginals: those of variables.
std::vector<const ResultTable *> tablesOf(const Result &result) {
  std::vector<const ResultTable *> tables;
  for (const ResultTable &table : result.tables)
    if (result.kind != QueryKind::Marginals || table.normalised)
      tables.push_back(&table);
  return tables;
}

std::string csvOfTable(const Result &result, const ResultTable &table) {
  std::vector<const ResultVariable *> variables;
  std::string text;
  for (const std::string &name : table.variables) {
    variables.push_back(&variableNamed(result, name));
    text += quotedCell(name) + ',';
  }
  text += table.normalised ? "probability\n" : "value\n";
  for (size_t i = 0; i < table.entries.size(); ++i) {
    std::string line;
    size_t rest = i;
    for (size_t v = variables.size(); v-- > 0;) {
      line.insert(0,
                  stateCell(*variables[v], static_cast<uint32_t>(rest % table.extents[v])) + ',');
      rest /= table.extents[v];
    }
    text += line + entryCell(table, i) + '\n';
  }
  return text;
}

std::string csvOf(const Result &result) {
  if (!result.assignments.empty()) {
    std::string text = "variable,state\n";
    for (size_t i = 0; i < result.variables.size(); ++i)
      text += fmt::format("{},{}\n", quotedCell(result.variables[i].name),
                          stateCell(result.variables[i], result.assignments.front().states[i]));
    return text;
  }
  if (result.kind == QueryKind::Marginals) {
    std::string text = "variable,state,probability\n";
    for (const ResultTable *table : tablesOf(result)) {
      const ResultVariable &variable = variableNamed(result, table->variables.front());
      for (uint32_t state = 0; state < table->entries.size(); ++state)
        text += fmt::format("{},{},{}\n", quotedCell(variable.name), stateCell(variable, state),
                            entryCell(*table, state));
    }
    return text;
  }
  const ResultTable &table = result.tables.front();
  if (!table.variables.empty())
    return csvOfTable(result, table);
  return fmt::format("query,value,log10,ln\n{},{},{},{}\n", quotedCell(result.query),
                     entryCell(table, 0), table.at(0).log10(), table.at(0).ln());
}

std::string arrayText(const std::vector<uint64_t> &shape, const std::vector<double> &values) {
  constexpr size_t kHeadBytes = 128;
  std::string text = formatNpyHeader(shape, kHeadBytes);
  const size_t begin = text.size();
  text.resize(begin + values.size() * sizeof(double));
  if (!values.empty())
    std::memcpy(text.data() + begin, values.data(), values.size() * sizeof(double));
  return text;
}

std::string arrayOf(const ResultTable &table) {
  std::vector<double> values;
  for (size_t i = 0; i < table.entries.size(); ++i)
    values.push_back(entryDouble(table, i));
  return arrayText({table.extents.begin(), table.extents.end()}, values);
}

/// Calls take(name, makeArray) for each array of a result. makeArray() returns its text, or throws
/// Error(BadInput) for a number that it has no room for.
template <class Take> void forEachArray(const Result &result, const Take &take) {
  if (!result.assignments.empty()) {
    const std::vector<uint32_t> &states = result.assignments.front().states;
    return take(result.query, [&] {
      return arrayText({states.size()}, {states.begin(), states.end()});
    });
  }
  for (const ResultTable *table : tablesOf(result))
    take(result.kind == QueryKind::Marginals ? table->variables.front() : result.query,
         [table] { return arrayOf(*table); });
}

void requireOneArray(const std::string &query, size_t count) {
  if (count != 1)
    fail(ErrorKind::Usage, "a .npy file holds one array, query {} has {}: .npz holds them all",
         query, count);
}

std::string npyOf(const Result &result) {
  if (result.assignments.empty())
    requireOneArray(result.query, tablesOf(result).size());
  std::string text;
  forEachArray(result, [&text](const std::string &, const auto &makeArray) { text = makeArray(); });
  return text;
}

/// Returns the name as one part of a path: programs that unpack an archive make files of it.
std::string memberName(std::string name) {
  for (char &c : name)
    if (c == '/' || c == '\\' || (c >= 0 && c < ' '))
      c = '_';
  return name;
}

AnswerFile npzOf(const Answers &answers) {
  AnswerFile file;
  std::vector<std::pair<std::string, std::string>> members;
  std::set<std::string> taken;
  for (const Result &result : answers.results) {
    if (lacksAnswer(result))
      continue;
    forEachArray(result, [&](const std::string &name, const auto &makeArray) {
      const std::string safe = memberName(name);
      std::string unique = safe;
      if (taken.contains(unique))
        unique = fmt::format("{}: {}", memberName(result.query), safe);
      for (size_t i = 2; taken.contains(unique); ++i)
        unique = fmt::format("{}: {} {}", memberName(result.query), safe, i);
      taken.insert(unique);
      try {
        members.emplace_back(unique + ".npy", makeArray());
      } catch (const Error &error) {
        if (error.kind() != ErrorKind::BadInput)
          throw;
        file.leftOut.emplace_back(error.what());
      }
    });
  }
  if (members.empty() && !file.leftOut.empty())
    fail(ErrorKind::BadInput, "{}", file.leftOut.front());
  file.bytes = zipText(members);
  return file;
}

} // namespace

bool holdsManyAnswers(OutputFormat format) { return format == OutputFormat::Npz; }

void requireHolds(OutputFormat format, const Model &model, const Query &query) {
  if (format == OutputFormat::Uai)
    return requireUaiResult(model, query);
  if (isCountFormat(format))
    return requireCount(format, model, query);
  if (format == OutputFormat::Sol)
    return requireSolution(query);
  if (format != OutputFormat::Npy || traitsOf(query.kind).outputs != QueryOutputs::Posteriors)
    return;
  size_t count = 0;
  for (size_t v = 0; v < ownVariableCount(model); ++v)
    count +=
        !model.evidence.observes(VarId{v}) &&
        std::ranges::find(query.given, VarId{v}, &Observation::variable) == query.given.end() &&
        isAsked(query, VarId{v});
  requireOneArray(query.name, count);
}

AnswerFile answersIn(OutputFormat format, const Answers &answers) {
  const Result &first = answers.results.front();
  switch (format) {
  case OutputFormat::Csv:
    return {csvOf(first), {}};
  case OutputFormat::Npy:
    return {npyOf(first), {}};
  case OutputFormat::Npz:
    return npzOf(answers);
  case OutputFormat::Uai:
    return {uaiResultText(first), {}};
  case OutputFormat::Sol:
    return {solutionText(first), {}};
  case OutputFormat::Mc:
  case OutputFormat::Wmc:
  case OutputFormat::Pmc:
  case OutputFormat::Pwmc:
    return {countText(format, first), {}};
  case OutputFormat::Json:
  case OutputFormat::Text:
  case OutputFormat::Html:
    break;
  }
  MPF_UNREACHABLE("format {} has no file of answers", static_cast<int>(format));
}

} // namespace mpf::driver
