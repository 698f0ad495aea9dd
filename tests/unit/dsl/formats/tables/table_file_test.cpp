#include "dsl/formats/tables/table_file.h"

#include "dsl/formats/tables/npy_file.h"
#include "dsl/formats/tables/text_table.h"
#include "dsl/support/files/file_output.h"
#include "tests/unit/temporary_folder.h"

#include <cmath>
#include <filesystem>
#include <gtest/gtest.h>

using namespace mpf;

namespace {

struct TableOutcome {
  std::optional<TableFile> table;
  std::string messages;
};

TableOutcome readTable(std::string text, bool commas, uint64_t maxEntries = 100) {
  Diagnostics diagnostics;
  const auto buffer = std::make_shared<const SourceBuffer>("t", std::move(text));
  TableOutcome outcome{readTextTable(buffer, commas, maxEntries, diagnostics), {}};
  outcome.messages = renderDiagnostics(diagnostics);
  EXPECT_EQ(outcome.table.has_value(), !diagnostics.hasErrors()) << outcome.messages;
  return outcome;
}

using Shape = std::vector<uint64_t>;
using Values = std::vector<double>;

} // namespace

TEST(TextTable, BlankSeparated) {
  const TableOutcome outcome = readTable("# saved by numpy\n1 2e0\t3\r\n\n4 +5 -.6 # end\n", false);
  ASSERT_TRUE(outcome.table) << outcome.messages;
  EXPECT_EQ(outcome.table->shape, (Shape{2, 3}));
  EXPECT_EQ(outcome.table->values, (Values{1, 2, 3, 4, 5, -.6}));
  EXPECT_EQ(readTable("1 2\n3\n", false).table->shape, Shape{3}) << "ragged rows are a list";
  EXPECT_EQ(readTable("1\n2\n3", false).table->shape, Shape{3});
  EXPECT_EQ(readTable("-inf 0", false).table->values, (Values{-HUGE_VAL, 0}));
  EXPECT_TRUE(readTable("", false).table->values.empty());
}

TEST(TextTable, CommaSeparated) {
  const TableOutcome outcome = readTable("1, 2 ,3\r\n4,5,6\n", true);
  ASSERT_TRUE(outcome.table) << outcome.messages;
  EXPECT_EQ(outcome.table->shape, (Shape{2, 3}));
  EXPECT_EQ(outcome.table->values, (Values{1, 2, 3, 4, 5, 6}));
}

TEST(TextTable, ErrorsNameThePlace) {
  struct Case {
    const char *text;
    bool commas;
    const char *message;
  };
  for (const Case &c : {
           Case{"1 x\n", false, "t:1:3: error: expected a number, found 'x'"},
           Case{"nan\n", false, "t:1:1: error: expected a number, found 'nan'"},
           Case{"1 1e99999999", false, "t:1:3: error: expected a number, found '1e99999999'"},
           Case{"1,2", false, "t:1:1: error: expected a number, found '1,2'"},
           Case{"a,b\n1,2\n", true, "hint: a table file has no header line"},
           Case{"1,2\n3\n", true, "t:2:1: error: row 2 has 1 cells, the first row has 2"},
           Case{"1,,2\n", true, "t:1:3: error: cell 2 of row 1 is empty, a number is needed"},
           Case{"1,2,\n", true, "t:1:5: error: cell 3 of row 1 is empty, a number is needed"},
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

TEST(TableFile, ChoosesByNameAndPointsAtTheModel) {
  const TemporaryFolder temporary;
  const std::filesystem::path folder = temporary.path();
  const std::string npy = folder / "h.NPY", csv = folder / "h.csv", text = folder / "h.dat";
  writeFile(npy, formatNpy({{2}, {1, 2}}));
  writeFile(csv, "1,2\n3,4\n");
  writeFile(text, "1 2,\n");

  Diagnostics diagnostics;
  const auto model = std::make_shared<const SourceBuffer>("m.mpf", "factor h = file(...)");
  const SourcePlace place{model, {11, 15}};
  EXPECT_EQ(readTableFile(npy, 2, diagnostics, place)->shape, Shape{2});
  EXPECT_EQ(readTableFile(csv, 4, diagnostics, place)->shape, (Shape{2, 2}));
  EXPECT_FALSE(diagnostics.hasErrors());

  EXPECT_FALSE(readTableFile(npy, 1, diagnostics, place));
  EXPECT_FALSE(readTableFile(text, 4, diagnostics, place));
  EXPECT_FALSE(readTableFile(folder / "none.csv", 4, diagnostics, place));
  const std::string messages = renderDiagnostics(diagnostics);
  for (const char *part : {"m.mpf:1:12: error: ", "h.NPY: it has 2 entries (shape (2)), at most 1",
                           "h.dat:1:3: error: expected a number, found '2,'",
                           "m.mpf:1:12: note: the file is read here", "none.csv: cannot be opened"})
    EXPECT_NE(messages.find(part), std::string::npos) << part << "\n" << messages;
}
