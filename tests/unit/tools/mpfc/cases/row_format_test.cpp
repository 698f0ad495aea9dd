#include "tools/mpfc/cases/row_format.h"

#include "tools/mpfc/cases/case_output.h"
#include "tools/mpfc/cases/case_totals.h"
#include "tools/mpfc/cases/refused_cases.h"

#include "dsl/support/error.h"
#include "tests/support/trials.h"
#include "tests/unit/dsl/formats/npy_in_memory.h"
#include "tests/unit/temporary_folder.h"

#include <algorithm>
#include <cmath>
#include <ctime>
#include <filesystem>
#include <fstream>
#include <gtest/gtest.h>
#include <limits>
#include <sstream>
#include <string>
#include <vector>

namespace mpf::driver {
namespace {

Model makeModel() {
  Model model;
  model.variables = {{"a", 2, {"no", "ye,s"}}, {"b", 3, {}}};
  return model;
}

CaseTable number(std::string name, std::vector<double> entries, std::vector<int32_t> exponents) {
  CaseTable table;
  table.name = std::move(name);
  table.entries = std::move(entries);
  table.exponents = std::move(exponents);
  return table;
}

CaseTable over(std::string name, std::vector<std::string> variables, std::vector<uint32_t> extents,
               std::vector<double> entries, std::vector<int32_t> exponents, bool normalised) {
  CaseTable table = number(std::move(name), std::move(entries), std::move(exponents));
  table.variables = std::move(variables);
  table.extents = std::move(extents);
  table.normalised = normalised;
  for (const uint32_t extent : table.extents)
    table.size *= extent;
  return table;
}

/// Three cases, the second of which is skipped: evidence, marginals, best, and an expression.
struct Answered {
  std::vector<AnswerGroup> columns;
  CaseJob job;

  Answered() {
    const Model model = makeModel();
    std::vector<Query> queries;
    const auto add = [&](Query query, std::vector<CaseTable> tables) {
      queries.push_back(std::move(query));
      CaseAnswers answers;
      answers.count = 3;
      answers.tables = std::move(tables);
      job.answers.push_back(std::move(answers));
    };
    add(shortQuery(model, QueryKind::Evidence), {number("evidence", {1, 7, 0}, {1, 0, 0})});
    Query marginals = shortQuery(model, QueryKind::Marginals);
    marginals.type = ElementType::F32; // the evidence is another number
    add(marginals, {number("evidence", {0.5, 7, 0}, {-4000, 0, 0}),
                    over("a", {"a"}, {2}, {0.25, 0.75, 7, 7, 0, 0}, {0, 0, 0}, true)});
    add(shortQuery(model, QueryKind::Mpe), {number("best", {0.5, 7, 0}, {0, 0, 0})});
    job.answers.back().variables = 2;
    constexpr uint32_t kNone = CaseAnswers::kNoState;
    job.answers.back().states = {1, 2, 7, 7, kNone, kNone};
    Query expression;
    expression.kind = QueryKind::Expression;
    expression.name = "q";
    add(expression,
        {over("q", {"b"}, {3}, {1, 0, -1.5, 7, 7, 7, 0x1p-1074, 0.1, 0}, {2000, 0, 0}, false)});
    columns = answerColumns(model, queries, job.answers);
    job.block.count = 3;
    job.block.skipped = {1};
  }
};

std::vector<std::string> namesOf(const std::vector<AnswerGroup> &groups) {
  std::vector<std::string> names;
  for (const AnswerGroup &group : groups)
    names.insert(names.end(), group.names.begin(), group.names.end());
  return names;
}

/// Returns the columns of evidence, marginals, a posterior, best, and an expression of no variable
/// called `name`. The columns `taken` come before them.
std::vector<std::string> columnNames(const std::string &name, std::vector<std::string> taken = {}) {
  const Model model = makeModel();
  const CaseTable evidence = number("evidence", {1}, {0});
  const CaseTable a = over("a", {"a"}, {2}, {0.5, 0.5}, {0}, true);
  const CaseTable b = over("b", {"b"}, {3}, {0.5, 0.5, 0}, {0}, true);
  std::vector<Query> queries(5);
  queries[0] = shortQuery(model, QueryKind::Evidence);
  queries[1] = shortQuery(model, QueryKind::Marginals);
  queries[2].kind = QueryKind::Joint;
  queries[2].name = "P(a)";
  queries[3] = shortQuery(model, QueryKind::Mpe);
  queries[4].kind = QueryKind::Expression;
  queries[4].name = name;
  std::vector<CaseAnswers> layouts(5);
  layouts[0].tables = {evidence};
  layouts[1].tables = {evidence, a, b};
  layouts[2].tables = {a};
  layouts[3].tables = {number("best", {1}, {0})};
  layouts[3].variables = 2;
  layouts[4].tables = {number(name, {1}, {0})};
  AnswerGroup first;
  first.names = std::move(taken);
  return namesOf(answerColumns(model, queries, layouts, {first}));
}

/// Returns the processor seconds that naming the answers of two equal queries takes, over
/// `variables` variables: the least of three measurements.
double secondsToName(size_t variables) {
  Model model;
  CaseAnswers layout;
  for (size_t i = 0; i < variables; ++i) {
    model.variables.push_back({"variable_" + std::to_string(i), 2, {}});
    layout.tables.push_back(over("", {model.variables.back().name}, {2}, {}, {}, true));
  }
  std::vector<Query> queries = {shortQuery(model, QueryKind::Marginals)};
  queries.push_back(queries.front());
  double seconds = std::numeric_limits<double>::infinity();
  for (int i = 0; i < 3; ++i) {
    const std::clock_t start = std::clock();
    const std::vector<AnswerGroup> columns = answerColumns(model, queries, {layout, layout}, {});
    seconds = std::min(seconds, static_cast<double>(std::clock() - start) / CLOCKS_PER_SEC);
    EXPECT_EQ(columns.size(), variables) << "both queries say the same";
    EXPECT_EQ(columns.back().names.back(), "P(variable_" + std::to_string(variables - 1) + "=1)");
  }
  return seconds;
}

/// Sixteen times the tables take 16 times as long, or 256 times if time grows with the square.
TEST(AnswerColumns, TakeTimeLinearInTheTables) {
  EXPECT_LT(secondsToName(trials(48000)), 64 * secondsToName(trials(3000)));
}

TEST(AnswerColumns, EachNameIsThereOnce) {
  using Names = std::vector<std::string>;
  EXPECT_EQ(columnNames("q"), (Names{"ln(evidence)", "P(a=no)", "P(a=ye,s)", "P(b=0)", "P(b=1)",
                                     "P(b=2)", "ln(best)", "a", "b", "q"}));
  EXPECT_EQ(columnNames("b").back(), "b: b") << "an expression, not the state";
  const Names names = columnNames("q", {"b", "ln(best)", "best: b"});
  EXPECT_EQ(names[6], "best: ln(best)");
  EXPECT_EQ(names[7], "best: best: a") << "the columns of a group keep together";
}

TEST(RowFormat, Csv) {
  const Answered answered;
  const auto format = csvFormat(answered.columns);
  EXPECT_EQ(format->head(0),
            "ln(evidence),marginals: ln(evidence),P(a=no),\"P(a=ye,s)\",ln(best),a,b,"
            "q(b=0),q(b=1),q(b=2)\n");
  std::string text;
  format->appendRows(answered.job, text);
  EXPECT_EQ(text, "0.6931471805599453,-2773.281869420341,0.25,0.75,-0.6931471805599453,\"ye,s\",2,"
                  "10^602.0599913279624,0,-10^602.236082587018\n"
                  ",,,,,,,,,\n"
                  "-inf,-inf,,,-inf,,,10^-323.3062153431158,0.1,0\n");
}

TEST(RowFormat, Npy) {
  const Answered answered;
  const auto format = npyFormat(answered.columns);
  EXPECT_EQ(format->head(0).size(), format->head(UINT64_MAX).size());
  std::string file = format->head(3);
  format->appendRows(answered.job, file);
  // Cells without an answer are checked here, because their bits count.
  const size_t begin = format->head(3).size();
  std::vector<double> cells(30);
  ASSERT_EQ(file.size(), begin + 30 * sizeof(double));
  std::memcpy(cells.data(), file.data() + begin, 30 * sizeof(double));
  for (size_t i = 0; i < 10; ++i)
    EXPECT_TRUE(std::isnan(cells[10 + i])) << i;
  EXPECT_EQ(std::vector<double>(cells.begin(), cells.begin() + 7),
            (std::vector<double>{std::log(2.0), cells[1], 0.25, 0.75, -std::log(2.0), 1, 2}));
  EXPECT_EQ(cells[7], HUGE_VAL);
  EXPECT_EQ(cells[9], -HUGE_VAL);
  EXPECT_EQ(cells[20], -HUGE_VAL);
  EXPECT_TRUE(std::isnan(cells[22]) && std::isnan(cells[23]) && std::isnan(cells[25]));
  EXPECT_EQ(cells[27], 0x1p-1074);
  EXPECT_EQ(cells[28], 0.1);
}

/// A case that one query refuses has the answers of the others; a list that was cut ends before it.
TEST(RowFormat, CasesThatAQueryRefuses) {
  Answered answered;
  CaseJob &job = answered.job;
  job.block.skipped.clear();
  job.answers[2].states = {1, 2, 0, 1, 0, 1};
  job.answers[0].refused = {{1, ErrorKind::Overflow, "too large"}, {2, ErrorKind::Overflow, ""}};
  job.block.count = 2;
  EXPECT_EQ(unansweredCases(job, 0), std::vector<uint32_t>{1});
  EXPECT_TRUE(unansweredCases(job, 1).empty());
  std::string text, bytes;
  csvFormat(answered.columns)->appendRows(job, text);
  const std::string row = text.substr(text.find('\n') + 1);
  EXPECT_EQ(std::ranges::count(text, '\n'), 2);
  EXPECT_TRUE(row.starts_with(",1.9459")) << row;
  npyFormat(answered.columns)->appendRows(job, bytes);
  double cells[20];
  ASSERT_EQ(bytes.size(), sizeof(cells));
  std::memcpy(cells, bytes.data(), sizeof(cells));
  EXPECT_EQ(cells[0], std::log(2.0));
  EXPECT_TRUE(std::isnan(cells[10]));
  EXPECT_EQ(cells[11], std::log(7.0));
  CaseTotals totals(answered.columns);
  totals.sumBlock(job);
  EXPECT_EQ(job.totals[0].logarithms.value(), std::log(2.0));
}

/// Rows are made some thousand at a time.
TEST(RowFormat, NpyOfManyRows) {
  constexpr uint32_t kRows = 10'000;
  const Answered answered;
  CaseJob job;
  job.answers.resize(4);
  job.answers[0].tables = {number("evidence", {}, {})};
  job.answers[0].tables[0].exponents.assign(kRows, -3);
  for (uint32_t i = 0; i < kRows; ++i)
    job.answers[0].tables[0].entries.push_back(i % 5 == 4 ? 0 : 1 + i % 7);
  job.block.count = kRows;
  job.block.skipped = {0, 4095, 4096, kRows - 1};
  std::string text = "before";
  npyFormat({answered.columns.front(), answered.columns.front()})->appendRows(job, text);
  ASSERT_EQ(text.size(), 6 + kRows * 2 * sizeof(double));
  for (uint32_t i = 0; i < kRows; ++i) {
    double cells[2];
    std::memcpy(cells, text.data() + 6 + i * sizeof(cells), sizeof(cells));
    const bool isSkipped = i == 0 || i == 4095 || i == 4096 || i == kRows - 1;
    for (const double cell : cells)
      if (isSkipped)
        ASSERT_TRUE(std::isnan(cell)) << i;
      else
        ASSERT_EQ(cell, job.answers[0].tables[0].at(i).ln()) << i;
  }
}

/// An exponent cannot fit both entries of a case.
TEST(RowFormat, EntriesThatAreFarApart) {
  Answered answered;
  const AnswerGroup group = answered.columns.back();
  CaseTable &table = answered.job.answers.back().tables.front();
  table.entries = {1, 0, 0, 7, 7, 7, 1, 2, 3};
  table.farApart[0] = {{1, 2000}, {1.5, -1}, {0, 0}};
  std::string text, array;
  csvFormat({group})->appendRows(answered.job, text);
  EXPECT_EQ(text, "10^602.0599913279624,0.75,0\n,,\n1,2,3\n");
  npyFormat({group})->appendRows(answered.job, array);
  std::vector<double> cells(9);
  ASSERT_EQ(array.size(), 9 * sizeof(double));
  std::memcpy(cells.data(), array.data(), array.size());
  EXPECT_EQ(std::vector<double>(cells.begin(), cells.begin() + 3),
            (std::vector<double>{HUGE_VAL, 0.75, 0}));
  EXPECT_EQ(std::vector<double>(cells.begin() + 6, cells.end()), (std::vector<double>{1, 2, 3}));
}

/// Readers of the answers, such as pandas and mpfc, ignore lines without characters.
TEST(RowFormat, ARowOfOneEmptyCellIsNoEmptyLine) {
  const Answered answered;
  std::string text;
  csvFormat({answered.columns.front()})->appendRows(answered.job, text);
  EXPECT_EQ(text, "0.6931471805599453\n\"\"\n-inf\n");
}

TEST(RowFormat, APosteriorIsANumberHoweverSmall) {
  Answered answered;
  const AnswerGroup group = answered.columns[2];
  ASSERT_EQ(group.names.front(), "P(a=no)");
  CaseTable &table = answered.job.answers[1].tables[1];
  ASSERT_TRUE(table.normalised);
  table.entries = {0x1p-1060, 1, 7, 7, 1, 0};
  table.farApart[2] = {{1, -2000}, {1, 0}};
  std::string text, array;
  csvFormat({group})->appendRows(answered.job, text);
  EXPECT_EQ(text, "10^-319.0917954038201,1\n,\n10^-602.0599913279624,1\n");
  npyFormat({group})->appendRows(answered.job, array);
  double cells[6];
  ASSERT_EQ(array.size(), sizeof(cells));
  std::memcpy(cells, array.data(), sizeof(cells));
  EXPECT_EQ(cells[0], 0x1p-1060);
  EXPECT_EQ(cells[4], 0);
}

TEST(RowFormat, Totals) {
  Answered answered;
  CaseTotals totals(answered.columns);
  totals.sumBlock(answered.job);
  totals.add(answered.job);
  totals.add(answered.job);
  EXPECT_EQ(totals.text(), "cases: 6\nskipped: 2\n"
                           "sum of ln(evidence): 1.3862943611198906\n"
                           "cases of probability zero: 2\n"
                           "sum of marginals: ln(evidence): -5546.563738840682\n"
                           "cases of probability zero: 2\n"
                           "sum of ln(best): -1.3862943611198906\n"
                           "cases of probability zero: 2\n");
  EXPECT_THROW(CaseTotals({answered.columns.back()}), Error);
}

/// Totals are right with and without skipped cases, and for any share of cases with a logarithm.
TEST(RowFormat, TotalsOfManyRows) {
  constexpr uint32_t kRows = 5000;
  const Answered answered;
  CaseJob job;
  job.answers.resize(4);
  job.answers[0].tables = {number("evidence", {}, {})};
  CaseTable &table = job.answers[0].tables[0];
  for (uint32_t i = 0; i < kRows; ++i) {
    table.entries.push_back(i % 3 == 0 ? 0 : i % 7 == 0 ? -2.5 : 1 + i % 5);
    table.exponents.push_back(static_cast<int32_t>(i % 4));
  }
  job.block.count = kRows;
  for (const std::vector<uint32_t> &skipped : {std::vector<uint32_t>{}, {0, 1, 2047, 2048, 4999}}) {
    job.block.skipped = skipped;
    double sum = 0;
    uint32_t zeros = 0, negative = 0;
    for (uint32_t i = 0; i < kRows; ++i) {
      if (std::ranges::count(skipped, i) != 0)
        continue;
      const double value = table.entries[i];
      zeros += value == 0 ? 1 : 0;
      negative += value < 0 ? 1 : 0;
      sum += value > 0 ? table.at(i).ln() : 0;
    }
    const CaseTotals totals({answered.columns.front()});
    totals.sumBlock(job);
    ASSERT_EQ(job.totals.size(), 1);
    EXPECT_EQ(job.totals[0].zeros, zeros);
    EXPECT_EQ(job.totals[0].negative, negative);
    EXPECT_NEAR(job.totals[0].logarithms.value(), sum, 1e-9);
  }
}

std::string contents(const std::string &path) {
  std::ifstream file(path, std::ios::binary);
  std::ostringstream text;
  text << file.rdbuf();
  return text.str();
}

TEST(CaseOutput, AFileIsThereWhenItIsFinished) {
  TemporaryFolder folder;
  const std::string path = folder.path() + "/a.csv";
  const Answered answered;
  const auto format = csvFormat({answered.columns.front()});
  {
    CaseOutput output(path, *format);
    output.append("1\n2\n", 2);
    EXPECT_FALSE(std::filesystem::exists(path));
    output.finish();
    EXPECT_EQ(contents(path), "ln(evidence)\n1\n2\n");
    output.append("3\n", 1);
    output.finish();
    EXPECT_EQ(output.summary(), "2 rows are in " + path);
  }
  {
    CaseOutput output(path, *format);
    output.append("7\n", 1);
  } // without finish
  EXPECT_EQ(contents(path), "ln(evidence)\n1\n2\n");
  EXPECT_EQ(std::distance(std::filesystem::directory_iterator(folder.path()), {}), 1);
}

TEST(CaseOutput, TheHeadOfAnArrayCountsItsRows) {
  TemporaryFolder folder;
  const std::string path = folder.path() + "/a.npy";
  const auto format = npyFormat({Answered().columns.front()});
  CaseOutput output(path, *format);
  const double cells[] = {1, 2, 3};
  output.append({reinterpret_cast<const char *>(cells), sizeof(cells)}, 3);
  output.finish();
  std::string problem;
  const auto table = test::readNpyInMemory(contents(path), 100, problem);
  ASSERT_TRUE(table) << problem;
  EXPECT_EQ(table->array.shape, (std::vector<uint64_t>{3, 1}));
  EXPECT_EQ(*table->array.values, (std::vector<double>{1, 2, 3}));
  EXPECT_THROW(CaseOutput("-", *format), Error);
  EXPECT_THROW(CaseOutput("/dev/null", *format), Error);
}

} // namespace
} // namespace mpf::driver
