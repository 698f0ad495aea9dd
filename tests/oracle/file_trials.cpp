#include "tests/oracle/file_trials.h"

#include "dsl/formats/cases/columns/entry_name.h"
#include "dsl/formats/cases/csv_cases.h"
#include "dsl/model/print/print_mpf.h"
#include "dsl/support/number_text.h"
#include "tests/oracle/models/random_cases.h"
#include "tests/oracle/models/random_models.h"

#include <algorithm>
#include <functional>
#include <gtest/gtest.h>
#include <utility>
#include <vector>

namespace mpf::oracle {

namespace {

/// A column of the CSV: its name, and its cell in case i.
struct TextColumn {
  std::string name;
  std::function<std::string(uint32_t i)> cell;
};

/// Turns some factors into inputs, which the cases give.
void declareInputs(std::mt19937_64 &random, FileTrial &trial) {
  for (size_t i = 0; i < trial.model.factors.size(); ++i) {
    Factor &factor = trial.model.factors[i];
    if (random() % 2 != 0)
      continue;
    if (random() % 2 == 0)
      factor.defaults = factor.values;
    factor.values = nullptr;
    trial.schema.tables.push_back({{FactorId{i}}, scopeElems(trial.model, factor.scope), true});
  }
}

/// Returns the entry's name, in one of the notations.
std::string anyName(std::mt19937_64 &random, const Model &model, const Factor &factor,
                    uint64_t entry) {
  if (factor.scope.empty())
    return factor.name;
  std::vector<std::string> indices(factor.scope.size());
  const bool isNamed = random() % 2 == 0;
  for (size_t v = factor.scope.size(); v-- > 0;) {
    const Variable &variable = model.variable(factor.scope[v]);
    indices[v] = fmt::format("{}{}", isNamed ? variable.name + "=" : "", entry % variable.extent);
    entry /= variable.extent;
  }
  if (isNamed)
    std::rotate(indices.begin(),
                indices.begin() + static_cast<ptrdiff_t>(random() % indices.size()), indices.end());
  const bool hasCommas = random() % 2 == 0;
  std::string name = factor.name;
  for (size_t v = 0; v < indices.size(); ++v)
    name += (hasCommas && v != 0 ? "," : "[") + indices[v] +
            (hasCommas && v + 1 < indices.size() ? "" : "]");
  return hasCommas ? '"' + name + '"' : name;
}

std::string numberText(double value) { return formatDouble(value); }

class CsvWriter {
public:
  CsvWriter(std::mt19937_64 &random, FileTrial &trial) : random_(random), trial_(trial) {}

  /// Writes the columns by groups; those of a whole table stay together.
  std::string write() {
    std::vector<std::vector<TextColumn>> groups;
    for (size_t c = 0; c < trial_.schema.observed.size(); ++c)
      groups.push_back({stateColumn(c)});
    for (size_t number = 0; number < trial_.schema.weightTableCount(); ++number)
      if (number < trial_.schema.likelihoods.size())
        addLikelihood(number, groups);
      else
        addTable(number, groups);
    for (size_t g = groups.size(); g-- > 1;)
      std::swap(groups[g], groups[random_() % (g + 1)]);
    std::vector<TextColumn> columns;
    for (std::vector<TextColumn> &group : groups)
      columns.insert(columns.end(), group.begin(), group.end());
    std::string text = lineOf(columns, [](const TextColumn &column) { return column.name; });
    for (uint32_t i = 0; i < trial_.block.count; ++i)
      text += lineOf(columns, [i](const TextColumn &column) { return column.cell(i); });
    return text;
  }

private:
  template <class Cell>
  static std::string lineOf(const std::vector<TextColumn> &columns, const Cell &cell) {
    std::string line;
    for (const TextColumn &column : columns)
      line += (line.empty() && &column == columns.data() ? "" : ",") + cell(column);
    return (line.empty() ? " " : line) + "\n"; // an empty line is no row
  }

  double &weight(size_t number, uint64_t entry, uint32_t i) {
    return trial_.block
        .weights()[(trial_.schema.firstWeight(number) + entry) * trial_.block.pitch() + i];
  }

  TextColumn stateColumn(size_t c) const {
    const CaseVariable column = trial_.schema.observed[c];
    return {trial_.model.variable(column.variable).name, [this, c, column](uint32_t i) {
              const uint32_t code = trial_.block.code(c, i);
              return code == column.extent ? std::string() : fmt::format("{}", code);
            }};
  }

  void addLikelihood(size_t number, std::vector<std::vector<TextColumn>> &groups) {
    const CaseVariable column = trial_.schema.likelihoods[number];
    for (uint32_t i = 0; i < trial_.block.count; ++i)
      weight(number, random_() % column.extent, i) = 0.5; // not all are 0
    for (uint32_t state = 0; state < column.extent; ++state)
      groups.push_back(
          {{fmt::format("{}={}", trial_.model.variable(column.variable).name, state),
            [this, number, state](uint32_t i) { return numberText(weight(number, state, i)); }}});
  }

  void addTable(size_t number, std::vector<std::vector<TextColumn>> &groups) {
    const VaryingTable &table = trial_.schema.tables[number - trial_.schema.likelihoods.size()];
    const Factor &factor = trial_.model.factor(table.factors.front());
    const bool isVariable = std::ranges::any_of(
        trial_.model.variables, [&](const Variable &one) { return one.name == factor.name; });
    const bool isWhole = !isVariable && random_() % 3 == 0;
    std::vector<TextColumn> whole;
    size_t columns = 0;
    for (uint64_t entry = 0; entry < table.sizeElems; ++entry) {
      // At least one column, so that the file sets the table.
      const bool isLast = entry + 1 == table.sizeElems && columns == 0;
      const bool isDefault = factor.defaults && !isWhole && !isLast && random_() % 3 == 0;
      for (uint32_t i = 0; i < trial_.block.count && factor.defaults; ++i)
        if (isDefault || random_() % 3 == 0)
          weight(number, entry, i) = (*factor.defaults)[entry];
      if (isDefault)
        continue;
      ++columns;
      TextColumn column{entry != 0 && isWhole ? ""
                        : isWhole             ? factor.name
                                              : anyName(random_, trial_.model, factor, entry),
                        [this, number, entry, defaults = factor.defaults](uint32_t i) {
                          const double value = weight(number, entry, i);
                          const bool isEmpty = defaults && value == (*defaults)[entry];
                          return isEmpty ? std::string() : numberText(value);
                        }};
      if (isWhole)
        whole.push_back(std::move(column));
      else
        groups.push_back({std::move(column)});
    }
    if (isWhole)
      groups.push_back(std::move(whole));
  }

  std::mt19937_64 &random_;
  FileTrial &trial_;
};

} // namespace

FileTrial randomFileTrial(std::mt19937_64 &random, int number) {
  constexpr QueryKind kKinds[] = {QueryKind::Evidence, QueryKind::Joint, QueryKind::Marginals,
                                  QueryKind::Mpe};
  RandomModelOptions options;
  options.maxVariables = 6;
  const QueryKind kind = kKinds[number % 4];
  options.observedShare = kind == QueryKind::Joint || number % 8 < 4 ? 0 : 0.1;
  FileTrial trial;
  // A program needs observable variables, and a joint posterior needs output variables.
  while (trial.schema.tables.empty() || trial.schema.observed.empty() ||
         (trial.query.kind == QueryKind::Joint && trial.query.output.empty())) {
    trial.model = randomModel(random, options);
    trial.query = shortQuery(trial.model, kind, randomQuery(random, trial.model, kind).output);
    trial.model.queries = {trial.query};
    trial.schema = randomSchema(random, trial.model, trial.query);
    declareInputs(random, trial);
  }
  trial.block = randomBlock(random, trial.schema);
  trial.csv = CsvWriter(random, trial).write();
  return trial;
}

FileCases readFileTrial(const FileTrial &trial) {
  Diagnostics diagnostics;
  const auto source = openCsvCases(InputStream("trial.csv", trial.csv), trial.model, diagnostics);
  EXPECT_TRUE(source) << renderDiagnostics(diagnostics) << trial.csv;
  FileCases cases;
  if (!source)
    return cases;
  cases.schema = source->schema();
  cases.block = CaseBlock(cases.schema, trial.block.pitch());
  source->next(cases.block);
  return cases;
}

CaseProgram programOf(const FileTrial &trial, const CaseSchema &schema,
                      const CompileOptions &options) {
  CaseOptions cases;
  for (const CaseVariable &column : schema.observed)
    cases.observable.push_back(trial.model.variable(column.variable).name);
  for (const CaseVariable &column : schema.likelihoods)
    cases.likelihoods.push_back(trial.model.variable(column.variable).name);
  for (const VaryingTable &table : schema.tables)
    cases.tables.push_back(trial.model.factor(table.factors.front()).name);
  return compileCasesText(printMpf(trial.model), cases, options);
}

} // namespace mpf::oracle
