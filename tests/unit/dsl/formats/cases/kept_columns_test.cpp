// Columns whose text is kept: its bytes are unchanged, also those of skipped rows.
#include "dsl/formats/cases/npy_cases.h"
#include "dsl/formats/cases/swept_cases.h"
#include "tests/unit/dsl/formats/cases/opened_csv.h"
#include "tests/unit/dsl/formats/cases/read_cases.h"

#include <gtest/gtest.h>

namespace mpf {
namespace {

using test::openCsv;
using test::OpenedCsv;
using test::readAll;
using test::ReadCases;

/// Opens a list. `text` must outlive the result.
OpenedCsv openKept(const std::string &text, const ColumnChoice &choice) {
  return openCsv(text, threeVariables(), choice);
}

TEST(KeptColumns, KeepTheirBytes) {
  const std::string text = "id,rain,\"last, first\"\r\n"
                           "7,yes,plain\r\n"
                           "\"a \"\"b\"\"\",no,\"Lovelace, Ada\"\n"
                           " 8 ,,\xff\xc3,\n"
                           "9,no,x\"y\n"
                           "9,no, \"x, y\" \n"
                           " \"9\" ,no,x\ry\n"
                           ",no,";
  const OpenedCsv opened = openKept(text, {{}, {"last, first", "id"}, false});
  ASSERT_TRUE(opened.cases) << opened.messages;
  EXPECT_EQ(opened.cases->schema().kept, (std::vector<std::string>{"last, first", "id"}));
  const ReadCases read = readAll(*opened.cases, 2, {OnBadRow::Skip, 1});
  EXPECT_EQ(read.kept,
            (std::vector<std::string>{"plain,7,", "\"Lovelace, Ada\",\"a \"\"b\"\"\",", ",,",
                                      "\"x\"\"y\",9,", "\"x, y\",9,", "\"x\ry\",\"9\",", ",,"}))
      << "of a row with too many cells nobody can tell which is which; what RFC 4180 does not have "
         "is written as it has it";
  EXPECT_EQ(read.skipped, std::vector<uint64_t>{2});
}

TEST(KeptColumns, MayBeAllOfThemAndSayWhatTheySayBesides) {
  const std::string text = "rain,,rain=no,who\n yes ,1,2,\"\"\nmaybe,1,2,3\n";
  const OpenedCsv opened = openKept(text, {{"rain=no"}, {}, true});
  ASSERT_TRUE(opened.cases) << opened.messages;
  const ReadCases read = readAll(*opened.cases, 7, {OnBadRow::Skip, 1});
  EXPECT_EQ(read.kept, (std::vector<std::string>{" yes ,1,2,\"\",", "maybe,1,2,3,"}))
      << "a bad row with all its cells keeps them";
  EXPECT_EQ(read.codes, (std::vector<std::vector<uint32_t>>{{1}, {2}}));
  EXPECT_EQ(read.skipped, std::vector<uint64_t>{1});
}

TEST(KeptColumns, WhatIsWrongIsSaid) {
  for (const auto &[text, choice, message] :
       std::vector<std::tuple<std::string, ColumnChoice, const char *>>{
           {"rain,id\n",
            {{}, {"who"}, false},
            "c.csv:1:1: error: there is no column 'who' to keep"},
           {"id,rain,id\n",
            {{}, {"id"}, false},
            "c.csv:1:1: error: several columns are called 'id': which one is to be kept?"},
           {"id,rain\n", {}, "--keep-columns writes it beside the answers"},
       }) {
    const OpenedCsv opened = openKept(text, choice);
    EXPECT_FALSE(opened.cases);
    EXPECT_NE(opened.messages.find(message), std::string::npos) << opened.messages;
  }
  Diagnostics diagnostics;
  const std::string array("\x93NUMPY\x01\x00\x4e\x00{'descr': [('rain', '|i1')], 'fortran_order': "
                          "False, 'shape': (1,), }",
                          10);
  EXPECT_FALSE(openNpyCases(InputStream("c.npy", array), threeVariables(), diagnostics,
                            {{}, {"id"}, false}));
}

/// Blocks end at a megabyte of text; no row is lost, and sweeps repeat the text.
TEST(KeptColumns, TakeBoundedMemory) {
  std::string text = "rain,note\n";
  std::vector<std::string> expected;
  for (int row = 0; row < 100; ++row) {
    const std::string note(row % 7 == 0 ? 400'000 : 10, static_cast<char>('a' + row % 26));
    text += "yes," + note + "\n";
    expected.push_back(note + ",");
  }
  for (const unsigned threads : {1U, 3U}) {
    const OpenedCsv opened = openKept(text, {{}, {"note"}, false});
    const ReadCases read = readAll(*opened.cases, 64, {OnBadRow::Stop, threads});
    EXPECT_EQ(read.error, "");
    EXPECT_EQ(read.kept, expected);
    EXPECT_GE(read.blocks.size(), 5u) << "of 6 MB";
  }
  OpenedCsv opened = openKept(text, {{}, {"note"}, false});
  const auto swept = sweptCases(std::move(opened.cases), {{"theta", {1, 2, 3}}});
  const ReadCases read = readAll(*swept, 64);
  ASSERT_EQ(read.kept.size(), 300u);
  for (size_t i = 0; i < 300; ++i)
    EXPECT_EQ(read.kept[i], expected[i / 3]);
  EXPECT_GE(read.blocks.size(), 15u);
}

} // namespace
} // namespace mpf
