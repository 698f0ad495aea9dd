// What a query needs of tables that cases give.
#include "dsl/formats/cases/csv_cases.h"
#include "dsl/formats/cases/tables/input_cases.h"
#include "tests/unit/dsl/formats/cases/read_cases.h"

#include <gtest/gtest.h>

namespace mpf {
namespace {

using test::readAll;
using test::ReadCases;

Model conditionalModel() {
  Model model;
  model.variables = {{"a", 2, {"no", "yes"}}, {"b", 2, {}}};
  model.factors = {{"f", "f", {VarId{0}}, nullptr},
                   {"P(b)", "P(b)", {VarId{0}, VarId{1}}, nullptr, true}};
  model.factors[1].defaults =
      std::make_shared<const std::vector<double>>(std::vector{0.5, 0.5, 0.5, 0.5});
  return model;
}

/// `text` must outlive the list.
std::shared_ptr<CaseSource> listOf(const std::string &text, bool nonNegative) {
  Diagnostics diagnostics;
  std::shared_ptr<CaseSource> list =
      openCsvCases(InputStream("c.csv", text), conditionalModel(), diagnostics);
  EXPECT_TRUE(list) << renderDiagnostics(diagnostics);
  return withInputChecks(list, conditionalModel(), nonNegative);
}

TEST(InputCases, NegativeEntriesAreBadWhereAQueryMaximises) {
  const std::string text = "f[no],f[yes]\n1,2\n3,-4\nx,1\n5,6\n";
  EXPECT_FALSE(listOf(text, false)->schema().tables[0].nonNegative);
  const auto list = listOf(text, true);
  EXPECT_TRUE(list->schema().tables[0].nonNegative);
  const ReadCases read = readAll(*list, 3, {OnBadRow::Skip, 1});
  EXPECT_EQ(read.skipped, (std::vector<uint64_t>{1, 2}));
  EXPECT_EQ(read.weights[1], (std::vector<double>{1, 1}));
  ASSERT_EQ(read.bad.messages.size(), 2u);
  EXPECT_EQ(read.bad.cases, (std::vector<uint64_t>{1, 2})) << "found by two readers, in order";
  EXPECT_NE(read.bad.messages[0].find("entry f[yes] is -4, it must be a finite number of at least"),
            std::string::npos)
      << read.bad.messages[0];
  const ReadCases stopped = readAll(*listOf(text, true));
  EXPECT_EQ(stopped.weights.size(), 1u);
  EXPECT_NE(stopped.error.find("entry f[yes] is -4"), std::string::npos) << stopped.error;
  EXPECT_EQ(readAll(*listOf(text, false), 3, {OnBadRow::Skip, 1}).skipped,
            std::vector<uint64_t>{2});
}

TEST(InputCases, RowsOfConditionalTablesSumToOne) {
  const std::string text = "P(b)[no][0],P(b)[no][1]\n0.25,0.75\n,\n0.5,0.6\n1.5,-0.5\n0,1\nx,1\n";
  const auto list = listOf(text, false);
  EXPECT_TRUE(list->schema().tables[0].nonNegative);
  const ReadCases read = readAll(*list, 8, {OnBadRow::Skip, 1});
  EXPECT_EQ(read.skipped, (std::vector<uint64_t>{2, 3, 5}));
  EXPECT_EQ(read.weights[0], (std::vector<double>{0.25, 0.75, 0.5, 0.5}));
  EXPECT_EQ(read.weights[1], (std::vector<double>{0.5, 0.5, 0.5, 0.5}));
  ASSERT_EQ(read.bad.messages.size(), 3u) << "the row of x is none: nothing is said of its sum";
  bool saysSum = false;
  for (const std::string &message : read.bad.messages)
    saysSum |= message.find("row P(b)[no] sums to 1.1, it must be 1") != std::string::npos;
  EXPECT_TRUE(saysSum);
}

} // namespace
} // namespace mpf
