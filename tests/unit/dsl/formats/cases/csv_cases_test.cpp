#include "dsl/model/state_numbers.h"
#include "tests/unit/temporary_folder.h"

#include <gtest/gtest.h>

#include "tests/unit/dsl/formats/cases/opened_csv.h"
#include "tests/unit/dsl/formats/cases/read_cases.h"

#include <cmath>
#include <fstream>
#include <optional>

namespace mpf {
namespace {

using test::openCsv;
using test::OpenedCsv;
using test::readAll;
using test::ReadCases;
using Codes = std::vector<std::vector<uint32_t>>;

Model withParam() {
  Model model = threeVariables();
  model.params = {{"theta", 0, true}};
  return model;
}

TEST(CsvCases, LabelsNumbersAndGaps) {
  const std::string text =
      "\xef\xbb\xbf\r\ns[0][1], rain ,\"a b\"\r\n2,yes,\"x,\"\"y\"\"\"\r\n\r\n,0,1\n , ,";
  const OpenedCsv opened = openCsv(text);
  ASSERT_TRUE(opened.cases) << opened.messages;
  const CaseSchema &schema = opened.cases->schema();
  ASSERT_EQ(schema.observed.size(), 3u);
  EXPECT_EQ(schema.observed[0].variable, VarId{1}) << "in the file's order";
  EXPECT_EQ(schema.observed[0].extent, 3u);
  EXPECT_EQ(readAll(*opened.cases).codes, (Codes{{2, 1, 1}, {3, 0, 1}, {3, 2, 2}}));
}

/// Reads a list whose cells name states of a variable with these labels.
ReadCases readStates(std::vector<std::string> labels, const std::string &cells,
                     NumberReading numbers, std::vector<std::string> missing = {}) {
  Model model;
  model.variables = {{"Y", static_cast<uint32_t>(labels.size()), std::move(labels)}};
  ColumnChoice choice;
  choice.numbers = numbers;
  choice.missing = std::move(missing);
  const std::string text = "Y\n" + cells;
  return readAll(*openCsv(text, model, choice).cases);
}

TEST(CsvCases, ANumberIsAStateWhereItsReadingsAgree) {
  using enum NumberReading;
  EXPECT_EQ(readStates({"2", "1", "0"}, "1\n1.0\n 01 \n", Both).codes, (Codes{{1}, {1}, {1}}));
  EXPECT_EQ(readStates({"a", "1"}, "a\n1\n", Both).codes, (Codes{{0}, {1}}));
  EXPECT_EQ(readStates({"01", "1"}, "1\n", Both).codes, (Codes{{1}}));
  EXPECT_EQ(readStates({"1", "2"}, "1\n2\n2.0\n", Label).codes, (Codes{{0}, {1}, {1}}));
  EXPECT_EQ(readStates({"1", "2"}, "1\n0\n1.0\n", Place).codes, (Codes{{1}, {0}, {1}}));
  EXPECT_EQ(readStates({"True", "False"}, "1\n0\nTrue\n", Label).codes, (Codes{{0}, {1}, {0}}));
  EXPECT_EQ(readStates({"True", "False"}, "1\n0\nTrue\n", Place).codes, (Codes{{1}, {0}, {0}}));
  EXPECT_EQ(readStates({"no", "yes"}, "1\n0\nyes\n", Both).codes, (Codes{{1}, {0}, {1}}));
  const std::vector<std::pair<std::vector<std::string>, std::string>> refused = {
      {{"1", "2"}, "1"},        {{"1", "2"}, "2"},        {{"1", "2"}, "0"},
      {{"2", "1", "0"}, "2"},   {{"a", "1"}, "0"},        {{"01", "1"}, "01"},
      {{"01", "1"}, "1.0"},     {{"True", "False"}, "0"}, {{"yes", "no"}, "1"},
      {{"-1", "0", "1"}, "-1"}, {{"1", "2"}, "01"}};
  for (const auto &[labels, cell] : refused) {
    const ReadCases read = readStates(labels, cell + "\n", Both);
    EXPECT_TRUE(read.codes.empty()) << cell;
    EXPECT_NE(read.error.find("--states labels"), std::string::npos) << read.error;
  }
  EXPECT_NE(readStates({"1", "2"}, "0\n", Label).error.find("'0' is none of the 2 labels"),
            std::string::npos);
  EXPECT_NE(readStates({"1", "2"}, "2\n", Place).error.find("'2' is no state of 'Y'"),
            std::string::npos);
}

TEST(CsvCases, MarksForMissingValues) {
  EXPECT_EQ(readStates({"a", "b"}, "NA\n ? \nb\n\"NA\"\n", NumberReading::Both, {"NA", "?"}).codes,
            (Codes{{2}, {2}, {1}, {2}}));
  const std::string mark(30, 'x');
  EXPECT_EQ(readStates({"a", "b"}, mark + "\nb\n", NumberReading::Both, {mark}).codes,
            (Codes{{2}, {1}}));
  for (const char *cell : {"NA", "NaN", "nan", "?", "*", ".", "-", "null", "None", "N/A"})
    EXPECT_NE(readStates({"a", "b"}, std::string(cell) + "\n", NumberReading::Both)
                  .error.find(fmt::format("--missing '{}'", cell)),
              std::string::npos)
        << cell;
  Model model = withParam();
  ColumnChoice choice;
  choice.missing = {"NA"};
  const ReadCases read = readAll(*openCsv("rain,theta\nNA,NA\nyes,2\n", model, choice).cases);
  EXPECT_EQ(read.codes, (Codes{{2}, {1}}));
  EXPECT_TRUE(std::isnan(read.params[0][0]));
  for (const char *state : {"yes", "1", "0.0"}) {
    choice.missing = {state};
    EXPECT_NE(openCsv("rain\nno\n", model, choice).messages.find("cannot mean not observed"),
              std::string::npos);
  }
}

TEST(CsvCases, AMissingHeaderIsNoticed) {
  for (const char *text : {"yes,1\nno,2\n", "1,2\n", "no\n", "yes,2,bob\n"})
    EXPECT_NE(openCsv(text).messages.find("is the header missing?"), std::string::npos) << text;
  for (const char *text : {"rain,7\n", "alice,bob\n", "rain=no,1,2\n"})
    EXPECT_EQ(openCsv(text).messages.find("is the header missing?"), std::string::npos) << text;
  EXPECT_NE(openCsv("\"\",rain\n1,yes\n").messages.find("--ignore-columns '\"\"'"),
            std::string::npos);
}

// pandas writes a column of whole numbers with gaps like this.
TEST(CsvCases, AWholeNumberMayHaveAnySpelling) {
  const OpenedCsv opened = openCsv("s[0][1],rain,a b\n2e0,1.,+1\n,0.00,.0\n 1.0 ,,\n");
  const ReadCases read = readAll(*opened.cases);
  EXPECT_EQ(read.error, "");
  EXPECT_EQ(read.codes, (Codes{{2, 1, 1}, {3, 0, 0}, {1, 2, 2}}));
  for (const char *cell : {"1.5", "3.0", "-1.0", "3e0", "0x1.0", "1.0.0", "1e-400"})
    EXPECT_NE(readAll(*openCsv(fmt::format("s[0][1]\n{}\n", cell)).cases).error.find("no state"),
              std::string::npos)
        << cell;
}

TEST(CsvCases, HeaderAloneIsNoCase) {
  for (const std::string text : {"rain", "rain\n", "\n\nrain\r\n\r\n\n"}) {
    const OpenedCsv opened = openCsv(text);
    ASSERT_TRUE(opened.cases);
    EXPECT_TRUE(readAll(*opened.cases).codes.empty());
  }
}

/// Returns the likely count of a list that is a file with this name and text.
std::optional<uint64_t> likelyCountOf(const std::string &name, const std::string &text) {
  const TemporaryFolder folder;
  const std::string path = folder.path() + "/" + name;
  std::ofstream(path, std::ios::binary) << text;
  Diagnostics diagnostics;
  const auto cases = openCsvCases(InputStream(path), threeVariables(), diagnostics);
  EXPECT_EQ(cases->caseCount(), std::nullopt);
  return cases->likelyCount();
}

TEST(CsvCases, TheSizeOfAFileTellsTheNumberOfRows) {
  EXPECT_EQ(likelyCountOf("none.csv", "rain\n"), 0u);
  EXPECT_EQ(likelyCountOf("one.csv", "rain\nyes"), 1u);
  EXPECT_EQ(likelyCountOf("few.csv", "rain\nyes\n\nno\n1\n"), 3u) << "all rows are seen";
  std::string many = "rain,s[0][1]\n";
  for (int row = 0; row < 300'000; ++row)
    many += row % 2 == 0 ? "yes,2\n" : "no,\n";
  const std::optional<uint64_t> likely = likelyCountOf("many.csv", many);
  ASSERT_TRUE(likely);
  EXPECT_NEAR(static_cast<double>(*likely), 300'000, 100);
}

TEST(CsvCases, TheSizeOfAPipeTellsNothing) {
  const std::string text = "rain\nyes\n";
  EXPECT_EQ(openCsv(text).cases->likelyCount(), std::nullopt);
}

TEST(CsvCases, LikelihoodsAndParams) {
  const std::string text = "theta,s[0][1]=2,rain,s[0][1]=0,s[0][1]=1\n"
                           "0.5, 0.25 ,yes,0,1e3\n,,,,\n-1,1,no,1,1\n";
  const OpenedCsv opened = openCsv(text, withParam());
  ASSERT_TRUE(opened.cases) << opened.messages;
  ASSERT_EQ(opened.cases->schema().likelihoods.size(), 1u);
  EXPECT_EQ(opened.cases->schema().params, std::vector<std::string>{"theta"});
  const ReadCases read = readAll(*opened.cases);
  EXPECT_EQ(read.error, "");
  EXPECT_EQ(read.codes, (Codes{{1}, {2}, {0}}));
  EXPECT_EQ(read.weights,
            (std::vector<std::vector<double>>{{0, 1000, 0.25}, {1, 1, 1}, {1, 1, 1}}));
  EXPECT_EQ(read.params[0][0], 0.5);
  EXPECT_TRUE(std::isnan(read.params[1][0]));
  EXPECT_EQ(read.params[2][0], -1);
}

/// The fault of a likelihood is reported once; no column is reported as missing.
TEST(CsvCases, ALikelihoodThatMayNotBeLacksNoColumn) {
  Model observing = withParam();
  observing.evidence.add({{VarId{1}, 0}});
  for (const char *text : {"rain,rain=no,rain=yes\n", "s[0][1]=0,s[0][1]=1,s[0][1]=2\n"}) {
    const std::string messages = openCsv(text, observing).messages;
    EXPECT_EQ(messages.find("missing"), std::string::npos) << messages;
    EXPECT_EQ(messages.find("error:"), messages.rfind("error:")) << messages;
  }
}

TEST(CsvCases, HeaderErrorsNameThePlace) {
  Model observing = withParam();
  observing.evidence.add({{VarId{1}, 0}});
  for (const auto &[text, message] : std::vector<std::pair<std::string, const char *>>{
           {"", "c.csv:1:1: error: the file is empty, its first row names the variables"},
           {"\n\n", "c.csv:1:1: error: the file is empty"},
           {"rain,snow\n", "c.csv:1:6: error: the model has no variable 'snow'"},
           {"\nrian\n", "c.csv:2:1: error: the model has no variable 'rian'\n  rian\n  ^~~~\n"
                        "  hint: did you mean 'rain'?"},
           {"rain,rain\n", "c.csv:1:6: error: variable 'rain' has two columns"},
           {"theta,theta\n", "c.csv:1:7: error: param 'theta' has two columns"},
           {"rain=no\n", "c.csv:1:1: error: a likelihood of 'rain' needs a column for each of its "
                         "2 states: rain=yes is missing"},
           {"rain=no,rain=no\n", "c.csv:1:9: error: 'rain=no' has two columns"},
           {"rain=no,rain=maybe\n", "c.csv:1:9: error: 'maybe' is none of the 2 states of 'rain'"},
           {"rain,rain=no,rain=yes\n",
            "c.csv:1:6: error: variable 'rain' has a column of states and one of likelihoods"},
           {"s[0][1]\n", "c.csv:1:1: error: variable 's[0][1]' is observed in the model's "
                         "evidence too"},
           {"\"rain\n", "c.csv:1:1: error: expected a closing quote, then ',' or the end"},
           {"rain;snow\n", "hint: cells are separated by commas, not by semicolons"},
       }) {
    const OpenedCsv opened = openCsv(text, observing);
    EXPECT_NE(opened.messages.find(message), std::string::npos) << message << "\n"
                                                                << opened.messages;
  }
}

const std::vector<std::pair<std::string, const char *>> kBadRows = {
    {"yes,,,,", "the row has 5 cells, the header has 4"},
    {"yes", "the row has 1 cells, the header has 4"},
    {" , ", "the row has 2 cells, the header has 4"},
    {"maybe,,,", "'maybe' is none of the 2 labels of 'rain': no, yes"},
    {"2,,,", "'2' is no state of 'rain', which has 2, numbered from 0"},
    {"\"yes,,,", "expected a closing quote, then ',' or the end of the line"},
    {"\"yes\"x,,,", "expected a closing quote, then ',' or the end of the line"},
    {",1,,", "the likelihood of 'a b' has no weight here"},
    {",0,0,", "all weights of 'a b' are zero"},
    {",-1,1,", "'-1' is no weight of 'a b': a finite number from 0"},
    {",inf,1,", "'inf' is no weight of 'a b': a finite number from 0"},
    {",,,nan", "'nan' is no value of param 'theta': a finite number"},
    {",,,x", "'x' is no value of param 'theta': a finite number"},
};

TEST(LabelsText, NamesTheFirstOnesOfMany) {
  Variable variable;
  variable.name = "v";
  EXPECT_EQ(labelsText(variable.name, variable.labels), "");
  variable.extent = 30;
  for (int i = 0; i < 30; ++i)
    variable.labels.push_back("label" + std::to_string(i));
  EXPECT_EQ(labelsText(variable.name, variable.labels),
            "30 labels of 'v': label0, label1, label2, label3, label4, "
            "label5, label6, ...");
  variable.extent = 1;
  variable.labels = {std::string(1000, 'x')};
  EXPECT_LT(labelsText(variable.name, variable.labels).size(), 100u);
}

TEST(CsvCases, ABadRowEndsTheListBehindTheRowsBefore) {
  for (const auto &[row, message] : kBadRows)
    for (const unsigned threads : {1u, 3u}) {
      const std::string text =
          "rain,a b=one,\"a b=x,\"\"y\"\"\",theta\nyes,,,\n\nno,1,1,7\n" + row + "\nyes,,,\n";
      const OpenedCsv opened = openCsv(text, withParam());
      ASSERT_TRUE(opened.cases) << opened.messages;
      const ReadCases read = readAll(*opened.cases, 5, {OnBadRow::Stop, threads});
      EXPECT_EQ(read.codes, (Codes{{1}, {0}})) << row;
      EXPECT_TRUE(read.error.starts_with("c.csv:5:")) << read.error;
      EXPECT_NE(read.error.find(message), std::string::npos) << message << "\n" << read.error;
      EXPECT_NE(read.error.find("\n  " + row + "\n"), std::string::npos) << read.error;
      CaseBlock block(opened.cases->schema(), 5);
      EXPECT_THROW(opened.cases->next(block), Error) << "it stays at its end";
    }
}

TEST(CsvCases, ASkippedRowKeepsItsPlace) {
  for (const auto &[row, message] : kBadRows) {
    const std::string text =
        "rain,a b=one,\"a b=x,\"\"y\"\"\",theta\nyes,,,\n" + row + "\nno,2,1,7";
    const OpenedCsv opened = openCsv(text, withParam());
    const ReadCases read = readAll(*opened.cases, 2, {OnBadRow::Skip, 1});
    EXPECT_EQ(read.error, "");
    EXPECT_EQ(read.codes, (Codes{{1}, {2}, {0}})) << row;
    EXPECT_EQ(read.weights, (std::vector<std::vector<double>>{{1, 1}, {1, 1}, {2, 1}})) << row;
    EXPECT_TRUE(std::isnan(read.params[1][0]));
    EXPECT_EQ(read.skipped, std::vector<uint64_t>{1});
    EXPECT_EQ(read.bad.count, 1u);
    ASSERT_EQ(read.bad.messages.size(), 1u);
    EXPECT_TRUE(read.bad.messages[0].starts_with("c.csv:3:")) << read.bad.messages[0];
    EXPECT_NE(read.bad.messages[0].find(message), std::string::npos) << read.bad.messages[0];
  }
}

TEST(CsvCases, ManyChunksInOrder) {
  std::string text = "s[0][1],rain\n";
  Codes expected;
  constexpr const char *kCells[] = {"0", "1", "2", ""};
  for (uint32_t i = 0; i < 200'000; ++i) {
    expected.push_back({i % 4, i % 3});
    text += fmt::format("{},{}\n", kCells[i % 4], i % 3 == 0 ? "no" : i % 3 == 1 ? "yes" : "");
    if (i % 7 == 0)
      text += '\n';
  }
  for (const unsigned threads : {1u, 2u, 5u}) {
    const OpenedCsv opened = openCsv(text);
    const ReadCases read = readAll(*opened.cases, 4099, {OnBadRow::Stop, threads});
    EXPECT_EQ(read.codes.size(), expected.size());
    EXPECT_TRUE(read.codes == expected);
    for (size_t i = 0; i + 1 < read.blocks.size(); ++i)
      EXPECT_EQ(read.blocks[i], 4099u) << "only the last block is not full";
  }
}

TEST(CsvCases, LinesAreCountedThroughAllChunks) {
  std::string text = "rain\n";
  for (int i = 0; i < 300'000; ++i)
    text += i % 2 == 0 ? "yes\n" : "\r\n";
  text += "no\nmaybe\n";
  const OpenedCsv opened = openCsv(text);
  const ReadCases read = readAll(*opened.cases, 1000, {OnBadRow::Stop, 2});
  EXPECT_EQ(read.codes.size(), 150'001u);
  EXPECT_TRUE(read.error.starts_with("c.csv:300003:1: error: 'maybe'")) << read.error;
}

TEST(CsvCases, TheFirstTenSkippedRowsAreTold) {
  std::string text = "rain\n";
  for (int i = 0; i < 100'000; ++i)
    text += i % 100 == 99 ? "maybe\n" : "yes\n";
  const OpenedCsv opened = openCsv(text);
  const ReadCases read = readAll(*opened.cases, 777, {OnBadRow::Skip, 3});
  EXPECT_EQ(read.codes.size(), 100'000u);
  EXPECT_EQ(read.skipped.size(), 1000u);
  EXPECT_EQ(read.bad.count, 1000u);
  ASSERT_EQ(read.bad.messages.size(), 10u);
  EXPECT_TRUE(read.bad.messages[9].starts_with("c.csv:1001:1:")) << read.bad.messages[9];
}

TEST(CsvCases, ALongRowIsOneBadRow) {
  const std::string text = "rain\nyes\n" + std::string(40 << 20, 'x') + "\nno\n";
  const OpenedCsv stopped = openCsv(text);
  const ReadCases read = readAll(*stopped.cases);
  EXPECT_EQ(read.codes, (Codes{{1}}));
  EXPECT_TRUE(read.error.starts_with("c.csv:3:1: error: the row is longer than 16 MiB"))
      << read.error.substr(0, 100);
  const OpenedCsv skipping = openCsv(text);
  EXPECT_EQ(readAll(*skipping.cases, 3, {OnBadRow::Skip, 2}).codes, (Codes{{1}, {2}, {0}}));
}

TEST(CsvCases, OneThatIsNotReadToItsEndCanGo) {
  std::string text = "rain\n";
  for (int i = 0; i < 500'000; ++i)
    text += "yes\n";
  for (int blocks = 0; blocks < 3; ++blocks) {
    const OpenedCsv opened = openCsv(text);
    opened.cases->begin({OnBadRow::Stop, 3});
    CaseBlock block(opened.cases->schema(), 10);
    for (int i = 0; i < blocks; ++i)
      EXPECT_TRUE(opened.cases->next(block));
  }
}

} // namespace
} // namespace mpf
