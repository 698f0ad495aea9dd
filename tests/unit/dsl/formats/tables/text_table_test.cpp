#include "dsl/formats/tables/text_table.h"

#include <cmath>
#include <gtest/gtest.h>

using namespace mpf;

namespace {

struct TableOutcome {
  std::optional<StoredArray> table;
  std::string messages;

  std::vector<uint64_t> shape() const { return table ? table->array.shape : Shape(); }
  std::vector<double> values() const { return table ? *table->array.values : Values(); }

  using Shape = std::vector<uint64_t>;
  using Values = std::vector<double>;
};
using Shape = TableOutcome::Shape;
using Values = TableOutcome::Values;

TableOutcome readTable(std::string text, bool commas, uint64_t maxEntries = 100) {
  Diagnostics diagnostics;
  const auto buffer = std::make_shared<const SourceBuffer>("t", std::move(text));
  TableOutcome outcome{readTextTable(buffer, commas, maxEntries, diagnostics), {}};
  outcome.messages = renderDiagnostics(diagnostics);
  EXPECT_EQ(outcome.table.has_value(), !diagnostics.hasErrors()) << outcome.messages;
  return outcome;
}

} // namespace

TEST(TextTable, BlankSeparated) {
  const TableOutcome outcome = readTable("# saved by numpy\n1 2e0\t3\r\n\n4 +5 -.6 # end\n", false);
  ASSERT_TRUE(outcome.table) << outcome.messages;
  EXPECT_EQ(outcome.shape(), (Shape{2, 3}));
  EXPECT_EQ(outcome.values(), (Values{1, 2, 3, 4, 5, -.6}));
  EXPECT_EQ(readTable("1\n2\n3", false).shape(), (Shape{3, 1}));
  EXPECT_EQ(readTable("-inf 0", false).values(), (Values{-HUGE_VAL, 0}));
  EXPECT_TRUE(readTable("", false).values().empty());
}

TEST(TextTable, RowsOfDifferentLengthsAreRagged) {
  const TableOutcome outcome = readTable("1 2\n3 4\n5\n6 7 8", false);
  ASSERT_TRUE(outcome.table) << outcome.messages;
  EXPECT_TRUE(outcome.table->array.isRagged);
  EXPECT_EQ(outcome.shape(), Shape{4});
  EXPECT_EQ(outcome.table->array.rowEnds, (Shape{2, 4, 5, 8}));
  EXPECT_EQ(outcome.values(), (Values{1, 2, 3, 4, 5, 6, 7, 8}));
}

TEST(TextTable, MissingNumbersAreMarked) {
  const TableOutcome outcome = readTable("1 _ nan\n", false);
  ASSERT_TRUE(outcome.table && outcome.table->missing) << outcome.messages;
  EXPECT_EQ(outcome.table->missing->message, "expected a number, found '_'");
  EXPECT_TRUE(std::isnan(outcome.values()[1]) && std::isnan(outcome.values()[2]));
  const TableOutcome empty = readTable("1,,2\n", true);
  ASSERT_TRUE(empty.table && empty.table->missing) << empty.messages;
  EXPECT_EQ(empty.table->missing->message, "cell 2 of row 1 is empty, a number is needed");
}

TEST(TextTable, CommaSeparated) {
  const TableOutcome outcome = readTable("1, 2 ,3\r\n4,5,6\n", true);
  ASSERT_TRUE(outcome.table) << outcome.messages;
  EXPECT_EQ(outcome.shape(), (Shape{2, 3}));
  EXPECT_EQ(outcome.values(), (Values{1, 2, 3, 4, 5, 6}));
}

TEST(TextTable, ErrorsNameThePlace) {
  struct Case {
    const char *text;
    bool commas;
    const char *message;
  };
  for (const Case &c : {
           Case{"1 x\n", false, "t:1:3: error: expected a number, found 'x'"},
           Case{"1 1e99999999", false, "t:1:3: error: expected a number, found '1e99999999'"},
           Case{"1,2", false, "t:1:1: error: expected a number, found '1,2'"},
           Case{"1,2\n3\n", true, "t:2:1: error: row 2 has 1 cells, the first row has 2"},
           Case{"1 2,3\n", true, "t:1:3: error: expected ',' or the end of row 1 behind cell 1"},
           Case{"1;2\n", true, "t:1:1: error: expected a number, found '1;2'"},
       }) {
    const TableOutcome outcome = readTable(c.text, c.commas);
    EXPECT_NE(outcome.messages.find(c.message), std::string::npos) << outcome.messages;
  }
}

TEST(TextTable, MoreNumbersThanWantedAreCountedNotKept) {
  const TableOutcome outcome = readTable("1 2 3\n4 5 6\n", false, 4);
  EXPECT_NE(outcome.messages.find("the file has 6 numbers, at most 4 are wanted here"),
            std::string::npos)
      << outcome.messages;
}
