// Columns for entries of `input` tables: headers, cells, and defaults of missing cells.
#include "tests/unit/dsl/formats/cases/opened_csv.h"
#include "tests/unit/dsl/formats/cases/read_cases.h"

#include <gtest/gtest.h>

namespace mpf {
namespace {

using test::openCsv;
using test::OpenedCsv;
using test::readAll;
using test::ReadCases;
using Weights = std::vector<std::vector<double>>;

/// f(rain, s[0][1]) without defaults, g(rain) with defaults, and h, which is no `input`.
Model withTables() {
  Model model = threeVariables();
  const auto values = [](std::vector<double> list) {
    return std::make_shared<const std::vector<double>>(std::move(list));
  };
  model.factors = {{"f", "f", {VarId{0}, VarId{1}}, nullptr},
                   {"g", "g", {VarId{0}}, nullptr},
                   {"h", "h", {VarId{0}}, values({1, 2})},
                   {"rain", "rain", {VarId{0}}, nullptr},
                   {"one", "one", {}, nullptr}};
  model.factors[1].defaults = values({0.5, 0.25});
  return model;
}

/// Opens a list. `text` must outlive the result.
OpenedCsv openEntries(const std::string &text) { return openCsv(text, withTables()); }

TEST(EntryColumnsOfLists, SetEntriesBehindThoseOfLikelihoods) {
  const std::string text = "g[yes],\"f[yes,2]\",f[0][0],f[no][1],f[s[0][1]=2][rain=no],rain=no,f[1]"
                           "[0],f[yes][1],rain=yes\n"
                           "9,6,1,2,3,0.5,4,5,0.75\n"
                           ",-6,1e3, 2 ,3,,4,\"5\",\n";
  const OpenedCsv opened = openEntries(text);
  ASSERT_TRUE(opened.cases) << opened.messages;
  const CaseSchema &schema = opened.cases->schema();
  ASSERT_EQ(schema.tables.size(), 2u);
  EXPECT_EQ(schema.tables[0].factors, std::vector<FactorId>{FactorId{1}});
  EXPECT_EQ(schema.tables[0].columnCount, 1u);
  EXPECT_EQ(schema.tables[1].sizeElems, 6u);
  EXPECT_EQ(schema.tables[1].firstColumns,
            (std::vector<std::string>{"f[yes][2]", "f[no][0]", "f[no][1]", "f[no][2]"}));
  const ReadCases read = readAll(*opened.cases);
  EXPECT_EQ(read.error, "");
  EXPECT_EQ(read.weights, (Weights{{0.5, 0.75, 0.5, 9, 1, 2, 3, 4, 5, 6},
                                   {1, 1, 0.5, 0.25, 1e3, 2, 3, 4, 5, -6}}));
}

TEST(EntryColumnsOfLists, AWholeTableIsConsecutiveColumns) {
  const std::string text = "f,,,,,,rain,one,g,\n1,2,3,4,5,6,yes,7,8,9\n";
  const OpenedCsv opened = openEntries(text);
  ASSERT_TRUE(opened.cases) << opened.messages;
  const ReadCases read = readAll(*opened.cases);
  EXPECT_EQ(read.weights, (Weights{{1, 2, 3, 4, 5, 6, 7, 8, 9}}));
  EXPECT_EQ(read.codes, (std::vector<std::vector<uint32_t>>{{1}}))
      << "a name that a variable has too is the variable's";
}

TEST(EntryColumnsOfLists, HeaderErrorsNameThePlace) {
  for (const auto &[text, message] : std::vector<std::pair<std::string, const char *>>{
           {"k[no]", "c.csv:1:1: error: the model has no variable, and no table with an entry, "
                     "'k[no]'"},
           {"g[yes],h[no]", "c.csv:1:8: error: table 'h' is not declared `input`: it is the same "
                            "in all cases\n  g[yes],h[no]\n         ^~~~~"},
           {"h", "error: table 'h' is not declared `input`"},
           {"g[no][1]", "c.csv:1:1: error: '[no][1]' has 2 indices, table 'g' has 1 variables "
                        "(rain)"},
           {"g[maybe]", "c.csv:1:1: error: 'maybe' is none of the 2 states of 'rain'"},
           {"g[yes],g[1]", "c.csv:1:8: error: entry g[yes] has two columns"},
           {"g[yes],\"g[rain=yes]\"", "c.csv:1:8: error: entry g[yes] has two columns"},
           {"g,,g[1]", "c.csv:1:4: error: entry g[yes] has two columns"},
           {"g,rain", "c.csv:1:1: error: table 'g' has 2 entries: behind its name 1 columns "
                      "without a name follow, 0 are there"},
           {"g,rain", "a column called 'g[no]' sets one entry"},
           {"g[yes],f[no][0],f[yes][2]",
            "c.csv:1:8: error: `input` table 'f' has no defaults and needs a column for each "
            "entry: f[no][1], f[no][2], f[yes][0], f[yes][1] are missing"},
           {"g,,,rain", "c.csv:1:4: error: the model has no variable ''"},
       }) {
    const OpenedCsv opened = openEntries(text + "\n");
    EXPECT_FALSE(opened.cases) << text;
    EXPECT_NE(opened.messages.find(message), std::string::npos) << message << "\n"
                                                                << opened.messages;
  }
}

TEST(EntryColumnsOfLists, BadCellsAreBadRows) {
  const std::vector<std::pair<std::string, const char *>> rows = {
      {"1,x,2", "'x' is no value of entry g[no]: a finite number"},
      {"1,nan,2", "'nan' is no value of entry g[no]: a finite number"},
      {"1,inf,2", "'inf' is no value of entry g[no]: a finite number"},
      {",1,2", "entry one is empty, and the model has no default for it"},
  };
  std::string text = "one,g[no],g[yes]\n1,2,3\n";
  for (const auto &[row, message] : rows)
    text += row + "\n";
  text += "4,,\n";
  for (const unsigned threads : {1U, 3U}) {
    const OpenedCsv opened = openEntries(text);
    ASSERT_TRUE(opened.cases) << opened.messages;
    const ReadCases read = readAll(*opened.cases, 2, {OnBadRow::Skip, threads});
    EXPECT_EQ(read.skipped, (std::vector<uint64_t>{1, 2, 3, 4}));
    EXPECT_EQ(read.weights.back(), (std::vector<double>{4, 0.5, 0.25}));
    ASSERT_EQ(read.bad.messages.size(), 4u);
    for (size_t i = 0; i < 4; ++i)
      EXPECT_NE(read.bad.messages[i].find(rows[i].second), std::string::npos)
          << read.bad.messages[i];
    EXPECT_NE(read.bad.messages[0].find("c.csv:3:3: error"), std::string::npos);
  }
}

} // namespace
} // namespace mpf
