#include "dsl/formats/cases/csv_records.h"
#include "dsl/support/split_mix.h"

#include "tests/support/trials.h"
#include "tests/unit/dsl/formats/cases/opened_csv.h"
#include "tests/unit/dsl/formats/cases/read_cases.h"

#include <gtest/gtest.h>

#include <algorithm>

namespace mpf {
namespace {

using test::openCsv;
using test::OpenedCsv;
using test::readAll;
using test::ReadCases;
using Codes = std::vector<std::vector<uint32_t>>;

constexpr size_t kPaddingBytes = 64;

/// Returns the rows of a text that ends with a line feed.
std::vector<std::string> rowsOf(const std::string &text) {
  std::vector<std::string> rows;
  const char *const end = text.data() + text.size();
  for (const char *row = text.data(); row != end;) {
    const char *const behind = endOfRow(row, end, true);
    rows.emplace_back(row, behind - 1);
    row = behind;
  }
  return rows;
}

TEST(CsvRecords, EndOutsideOfQuotes) {
  using Rows = std::vector<std::string>;
  EXPECT_EQ(rowsOf("a,b\n\nc\n"), (Rows{"a,b", "", "c"}));
  EXPECT_EQ(rowsOf("3,\"x\ny\",1\n4\n"), (Rows{"3,\"x\ny\",1", "4"}));
  EXPECT_EQ(rowsOf("\"\n\n\"\r\n4\n"), (Rows{"\"\n\n\"\r", "4"}));
  EXPECT_EQ(rowsOf("1, \"a\n\"\"b\n\" \n4\n"), (Rows{"1, \"a\n\"\"b\n\" ", "4"}));
  EXPECT_EQ(rowsOf("\"\",\"\n\",\"\"\"\n\"\n4\n"), (Rows{"\"\",\"\n\",\"\"\"\n\"", "4"}));
}

TEST(CsvRecords, AnUnpairedQuoteSpoilsOneRow) {
  using Rows = std::vector<std::string>;
  EXPECT_EQ(rowsOf("\"a,b\nc\n"), (Rows{"\"a,b", "c"})) << "nothing closes it";
  EXPECT_EQ(rowsOf("\"a,b\n\"c\"\nd\n"), (Rows{"\"a,b", "\"c\"", "d"}))
      << "what does opens another";
  EXPECT_EQ(rowsOf("\"a\",\"b\n\"c\",\"d\"\n"), (Rows{"\"a\",\"b", "\"c\",\"d\""}));
  EXPECT_EQ(rowsOf("a\"b,5\"\nc\"\n"), (Rows{"a\"b,5\"", "c\""})) << "none starts a cell";
  EXPECT_EQ(rowsOf("\"a\"b,\"c\nd\"\n"), (Rows{"\"a\"b,\"c\nd\""}));
}

/// The ends of rows in any part of a text are ends in the whole text. lastRowEnd, with its fast
/// path, finds such an end.
TEST(CsvRecords, TheEndsInAPartAreThoseInTheWhole) {
  constexpr char kCharacters[] = {'a', ',', '"', '"', '\n', ' ', '\r', ','};
  uint64_t state = 7;
  for (int round = 0; round < trials(20'000); ++round) {
    std::string text;
    // Some texts are regular: quotes around whole cells.
    for (uint64_t left = 1 + nextRandom(state) % 40, isRegular = nextRandom(state) % 3; left != 0;
         --left)
      if (isRegular == 0)
        text += nextRandom(state) % 4 == 0 ? "\"a,\"\"\",\n" : "\"b\",";
      else
        text += kCharacters[nextRandom(state) % std::size(kCharacters)];
    text += '\n';
    std::vector<size_t> ends = {0};
    for (const std::string &row : rowsOf(text))
      ends.push_back(ends.back() + row.size() + 1);
    ASSERT_EQ(ends.back(), text.size());
    std::string padded = text + std::string(kPaddingBytes, '"');
    const char *const begin = padded.data();
    for (size_t size = 1; size <= text.size(); ++size) {
      const char *const last = lastRowEnd(begin, begin + size);
      if (last == nullptr)
        continue;
      const auto place = static_cast<size_t>(last - begin);
      ASSERT_LE(place, size);
      ASSERT_TRUE(std::ranges::binary_search(ends, place)) << text << "\n" << size;
      std::vector<size_t> inPart = {0};
      for (const std::string &row : rowsOf(text.substr(0, place)))
        inPart.push_back(inPart.back() + row.size() + 1);
      ASSERT_TRUE(std::equal(inPart.begin(), inPart.end(), ends.begin())) << text << "\n" << size;
    }
  }
}

TEST(CsvRecords, AreOneCaseEach) {
  const std::string text = "\"when\nseen\",rain,\"a b\"\n"
                           "\"3\nx\",yes,\r\n"
                           "4,no,\"x,\"\"y\"\"\"\n"
                           "\"5\r\n\r\n\",maybe,\n"
                           "\"6,yes,\n"
                           "\"7\",no,\"\n0\"\n"
                           "8,\"yes\n\",0\n";
  const ColumnChoice choice{{}, {"when\nseen"}, false};
  const OpenedCsv opened = openCsv(text, threeVariables(), choice);
  ASSERT_TRUE(opened.cases) << opened.messages;
  const ReadCases read = readAll(*opened.cases, 4, {OnBadRow::Skip, 1});
  EXPECT_EQ(read.codes, (Codes{{1, 2}, {0, 1}, {2, 2}, {2, 2}, {2, 2}, {2, 2}}));
  EXPECT_EQ(read.kept,
            (std::vector<std::string>{"\"3\nx\",", "4,", "\"5\r\n\r\n\",", ",", "\"7\",", "8,"}));
  EXPECT_EQ(read.skipped, (std::vector<uint64_t>{2, 3, 4, 5}));
  ASSERT_EQ(read.bad.messages.size(), 4u);
  EXPECT_TRUE(read.bad.messages[0].starts_with("c.csv:8:3: error: 'maybe'"))
      << read.bad.messages[0];
  EXPECT_TRUE(read.bad.messages[1].starts_with("c.csv:9:1: error: expected a closing quote"))
      << read.bad.messages[1];
  EXPECT_TRUE(read.bad.messages[2].starts_with("c.csv:10:8: error: ")) << read.bad.messages[2];
  EXPECT_TRUE(read.bad.messages[3].starts_with("c.csv:12:3: error: ")) << read.bad.messages[3];
}

/// Rows may cross the ends of chunks at any place.
TEST(CsvRecords, MayStandAcrossChunks) {
  std::string text = "rain,note\n";
  Codes expected;
  std::vector<std::string> kept;
  uint64_t lines = 1;
  for (uint32_t i = 0; i < 60'000; ++i) {
    const std::string note = i % 5'000 == 77
                                 ? "\"" + std::string(300'000, i % 2 == 0 ? '\n' : 'x') + "\""
                                 : fmt::format("\"{}\n\n,\"\"{}\"\"\"", i, i);
    text += fmt::format("{},{}\n", i % 2 == 0 ? "no" : "yes", note);
    expected.push_back({i % 2});
    kept.push_back(note + ",");
    lines += 1 + static_cast<uint64_t>(std::ranges::count(note, '\n'));
  }
  text += "maybe,\n";
  for (const unsigned threads : {1U, 4U}) {
    const OpenedCsv opened = openCsv(text, threeVariables(), {{}, {"note"}, false});
    ASSERT_TRUE(opened.cases) << opened.messages;
    const ReadCases read = readAll(*opened.cases, 1000, {OnBadRow::Stop, threads});
    EXPECT_TRUE(read.codes == expected) << read.codes.size();
    EXPECT_TRUE(read.kept == kept);
    EXPECT_TRUE(read.error.starts_with(fmt::format("c.csv:{}:1: error: 'maybe'", lines + 1)))
        << read.error.substr(0, 100);
  }
}

/// The quoted text exceeds the limit of a row: its first line is a bad row, the others are rows.
TEST(CsvRecords, AQuoteThatIsNeverClosedTakesBoundedMemory) {
  std::string text = "rain\nyes\n\"no\n";
  constexpr size_t kRows = 6'000'000;
  text.reserve(text.size() + 3 * kRows);
  for (size_t i = 0; i < kRows; ++i)
    text += "no\n";
  const OpenedCsv opened = openCsv(text);
  opened.cases->begin({OnBadRow::Skip, 2});
  CaseBlock block(opened.cases->schema(), 50'000);
  size_t rows = 0, skipped = 0;
  while (opened.cases->next(block)) {
    rows += block.count;
    skipped += block.skipped.size();
  }
  EXPECT_EQ(rows, kRows + 2);
  EXPECT_EQ(skipped, 1u);
  const std::string header = "\"" + text;
  EXPECT_NE(openCsv(header).messages.find("c.csv:1:1: error: expected a closing quote"),
            std::string::npos);
}

} // namespace
} // namespace mpf
