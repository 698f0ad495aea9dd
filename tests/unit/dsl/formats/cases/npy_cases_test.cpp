#include "dsl/formats/cases/npy_cases.h"
#include "tests/unit/dsl/formats/npy_text.h"
#include "tests/unit/dsl/formats/three_variables.h"
#include "tests/unit/temporary_folder.h"

#include <gtest/gtest.h>

#include "tests/unit/dsl/formats/cases/read_cases.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <thread>

namespace mpf {
namespace {

using test::readAll;
using test::ReadCases;
using Codes = std::vector<std::vector<uint32_t>>;

template <class Item> std::string bytesOf(const std::vector<Item> &items, bool swapped = false) {
  std::string bytes;
  for (const Item item : items) {
    std::string one(sizeof(item), '\0');
    std::memcpy(one.data(), &item, sizeof(item));
    bytes += swapped ? std::string(one.rbegin(), one.rend()) : one;
  }
  return bytes;
}

std::string array(const std::string &type, const std::string &shape, const std::string &entries,
                  bool fortran = false) {
  return test::npy(test::npyDict(type, shape, fortran), entries);
}

struct OpenedNpy {
  std::unique_ptr<CaseSource> cases;
  std::string messages;
};

OpenedNpy openNpy(const std::string &file, const Model &model = threeVariables()) {
  Diagnostics diagnostics;
  OpenedNpy opened;
  opened.cases = openNpyCases(InputStream("c.npy", file), model, diagnostics);
  opened.messages = renderDiagnostics(diagnostics);
  EXPECT_EQ(opened.cases != nullptr, !diagnostics.hasErrors()) << opened.messages;
  return opened;
}

void expectCodes(const std::string &file, const Codes &expected) {
  const OpenedNpy opened = openNpy(file);
  ASSERT_TRUE(opened.cases) << opened.messages;
  const ReadCases read = readAll(*opened.cases);
  EXPECT_EQ(read.error, "");
  EXPECT_EQ(read.codes, expected);
  EXPECT_EQ(opened.cases->caseCount(), expected.size());
}

TEST(NpyCases, StatesOfEveryType) {
  const Codes expected = {{1, 2, 0}, {2, 3, 1}};
  expectCodes(array("|u1", "(2, 3)", bytesOf<uint8_t>({1, 2, 0, 255, 255, 1})), expected);
  expectCodes(array("|i1", "(2, 3)", bytesOf<int8_t>({1, 2, 0, -1, -128, 1})), expected);
  expectCodes(array("<i2", "(2, 3)", bytesOf<int16_t>({1, 2, 0, -1, -2, 1})), expected);
  expectCodes(array("<u4", "(2, 3)", bytesOf<uint32_t>({1, 2, 0, UINT32_MAX, UINT32_MAX, 1})),
              expected);
  expectCodes(array("<i8", "(2, 3)", bytesOf<int64_t>({1, 2, 0, INT64_MIN, -1, 1})), expected);
  expectCodes(array(">i8", "(2, 3)", bytesOf<int64_t>({1, 2, 0, -7, -1, 1}, true)), expected);
  expectCodes(array(">u2", "(2, 3)", bytesOf<uint16_t>({1, 2, 0, 65535, 65535, 1}, true)),
              expected);
  expectCodes(array(">u8", "(2, 3)", bytesOf<uint64_t>({1, 2, 0, UINT64_MAX, UINT64_MAX, 1}, true)),
              expected);
  expectCodes(array(">i8", "(2, 3)", bytesOf<int64_t>({1, 2, 0, INT64_MIN + 1, -1, 1}, true)),
              expected);
  expectCodes(array("<f4", "(2, 3)", bytesOf<float>({1, 2, 0, NAN, -1, 1})), expected);
  expectCodes(array(">f8", "(2, 3)", bytesOf<double>({1, 2, 0, NAN, -HUGE_VAL, 1}, true)),
              expected);
  expectCodes(
      array("<f2", "(2, 3)", bytesOf<uint16_t>({0x3c00, 0x4000, 0, 0x7e00, 0xbc00, 0x3c00})),
      expected);
  expectCodes(array("|b1", "(2, 3)", bytesOf<uint8_t>({1, 0, 0, 0, 1, 1})), {{1, 0, 0}, {0, 1, 1}});
}

TEST(NpyCases, StatesThatTheTypeHasNoNumberFor) {
  Model model;
  model.variables = {{"wide", 300, {}}};
  const std::string file = array("|i1", "(2, 1)", bytesOf<int8_t>({-1, 127})),
                    bytes = array("|u1", "(2, 1)", bytesOf<uint8_t>({255, 127}));
  EXPECT_EQ(readAll(*openNpy(file, model).cases).codes, (Codes{{300}, {127}}));
  EXPECT_EQ(readAll(*openNpy(bytes, model).cases).codes, (Codes{{255}, {127}}));
}

TEST(NpyCases, NumbersThatAreNoStates) {
  for (const auto &[file, message] : std::vector<std::pair<std::string, const char *>>{
           {array("|u1", "(2, 3)", bytesOf<uint8_t>({1, 2, 0, 1, 3, 1})),
            "c.npy: row 1: column 1: 3 is no state of 's[0][1]', which has 3, numbered from 0"},
           {array("<i8", "(2, 3)", bytesOf<int64_t>({1, 2, 0, 0, 0, INT64_MAX})),
            "c.npy: row 1: column 2:"},
           {array(">i8", "(2, 3)", bytesOf<int64_t>({1, 2, 0, 0, 0, INT64_MAX - 1}, true)),
            "c.npy: row 1: column 2:"},
           {array("<f8", "(2, 3)", bytesOf<double>({1, 2, 0, 0.5, 0, 0})),
            "c.npy: row 1: column 0: 0.5 is no state"},
           {array("<f4", "(2, 3)", bytesOf<float>({1, 2, 0, HUGE_VALF, 0, 0})),
            "c.npy: row 1: column 0: inf is no state"},
           {array(">f4", "(2, 3)", bytesOf<float>({1, 2, 0, HUGE_VALF, 0, 0}, true)),
            "c.npy: row 1: column 0: inf is no state"},
           {array("<f2", "(2, 3)", bytesOf<uint16_t>({0x3c00, 0x4000, 0, 0x7c00, 0, 0})),
            "c.npy: row 1: column 0: inf is no state"},
           {array(">u8", "(2, 3)", bytesOf<uint64_t>({1, 2, 0, 0, 0, UINT64_MAX - 1}, true)),
            "c.npy: row 1: column 2:"},
           {array("|u1", "(3, 3)", bytesOf<uint8_t>({1, 2, 0, 1, 2, 1})),
            "c.npy: ends before row 3, it has 3 rows"},
           {array("|u1", "(1, 3)", bytesOf<uint8_t>({1, 2, 0, 1})), "goes on behind its 1 rows"},
       }) {
    const OpenedNpy opened = openNpy(file);
    ASSERT_TRUE(opened.cases) << opened.messages;
    EXPECT_NE(readAll(*opened.cases, 1).error.find(message), std::string::npos) << message;
  }
}

TEST(NpyCases, AStreamThatEndsEarlyGivesItsWholeRows) {
  const std::string file = array("|u1", "(4, 3)", bytesOf<uint8_t>({1, 2, 0, 0, 1, 1, 1, 0}));
  const OpenedNpy opened = openNpy(file);
  ASSERT_TRUE(opened.cases) << opened.messages;
  const ReadCases read = readAll(*opened.cases);
  EXPECT_EQ(read.codes, (Codes{{1, 2, 0}, {0, 1, 1}}));
  EXPECT_EQ(read.error, "c.npy: ends before row 3, it has 4 rows");
}

TEST(NpyCases, ASkippedRowKeepsItsPlace) {
  const std::string file =
      array("|i1", "(4, 3)", bytesOf<int8_t>({9, 9, 9, 0, 0, 0, 1, 1, 7, 1, 1, 1}));
  const OpenedNpy opened = openNpy(file);
  const ReadCases read = readAll(*opened.cases, 3, {OnBadRow::Skip, 2});
  EXPECT_EQ(read.codes, (Codes{{2, 3, 2}, {0, 0, 0}, {2, 3, 2}, {1, 1, 1}}));
  EXPECT_EQ(read.skipped, (std::vector<uint64_t>{0, 2}));
  EXPECT_EQ(read.bad.messages.size(), 2u);
}

TEST(NpyCases, RecordsHaveAHeader) {
  Model model = threeVariables();
  model.params = {{"theta", 0, true}};
  const std::string row1 = bytesOf<int32_t>({2}) + std::string(4, '?') +
                           bytesOf<double>({0.25, 0.5}) + bytesOf<float>({-3}),
                    row2 = bytesOf<int32_t>({-1}) + std::string(4, '?') +
                           bytesOf<double>({NAN, NAN}) + bytesOf<float>({NAN});
  const std::string dict =
      "{'descr': [('s[0][1]', '<i4'), ('', '|V4'), ('rain=no', '<f8'), ('rain=yes', '<f8'), "
      "('theta', '<f4')], 'fortran_order': False, 'shape': (2,), }";
  for (const char version : {'\1', '\2', '\3'}) {
    const std::string file = test::npy(dict, row1 + row2, version);
    const OpenedNpy opened = openNpy(file, model);
    ASSERT_TRUE(opened.cases) << opened.messages;
    const ReadCases read = readAll(*opened.cases);
    EXPECT_EQ(read.error, "");
    EXPECT_EQ(read.codes, (Codes{{2}, {3}}));
    EXPECT_EQ(read.weights, (std::vector<std::vector<double>>{{0.25, 0.5}, {1, 1}}));
    EXPECT_EQ(read.params[0][0], -3);
    EXPECT_TRUE(std::isnan(read.params[1][0]));
  }
}

TEST(NpyCases, FirstIndexFastest) {
  TemporaryFolder folder;
  const std::string path = folder.path() + "/c.npy";
  const std::string file = array("<i2", "(2, 3)", bytesOf<int16_t>({1, -1, 2, -1, 0, 1}), true);
  std::ofstream(path, std::ios::binary) << file;
  Diagnostics diagnostics;
  const auto cases = openNpyCases(InputStream(path), threeVariables(), diagnostics);
  ASSERT_TRUE(cases) << renderDiagnostics(diagnostics);
  EXPECT_EQ(readAll(*cases).codes, (Codes{{1, 2, 0}, {2, 3, 1}}));
  EXPECT_NE(openNpy(file).messages.find("read from a plain file only"), std::string::npos);
}

TEST(NpyCases, WhatIsNoList) {
  for (const auto &[file, message] : std::vector<std::pair<std::string, const char *>>{
           {"", "c.npy: it does not start like a .npy file"},
           {"\x93NUMPY\1", "it ends in its header"},
           {test::npy("{'descr': '<f8', 'fortran_order': False, }", ""),
            "its header has no 'shape'"},
           {array("|u1", "(5, 2)", std::string(10, '\0')),
            "the array has 2 columns, the model has 3 variables"},
           {array("|u1", "(5,)", std::string(5, '\0')), "an array of shape (5): rows and columns"},
           {array("<c8", "(1, 3)", std::string(24, '\0')), "its type '<c8' is not supported"},
           {test::npy("{'descr': [('x', '<i4')], 'fortran_order': False, 'shape': (1,)}", "0000"),
            "the model has no variable 'x'"},
           {test::npy("{'descr': [('rain', '<i4', (2,))], 'fortran_order': False, 'shape': (1,)}",
                      "00000000"),
            "its field 'rain' is an array of shape (2): only a whole table is one"},
           {test::npy("{'descr': [('rain', '<i4', (0,))], 'fortran_order': False, 'shape': (1,)}",
                      ""),
            "the field 'rain' of its records holds nothing"},
           {test::npy("{'descr': [('rain', '<i4', (2))], 'fortran_order': False, 'shape': (1,)}",
                      ""),
            "expected ','"},
           {test::npy("{'descr': [('rain', '<i4', (2, 3), 4)], 'fortran_order': False, }", ""),
            "expected ')': fields are numbers, or arrays of them"},
           {test::npy("{'descr': [('rain', '<i4', (4294967296, 4294967296))], }", ""),
            "its records have more than 1048576 bytes, the limit"},
           {test::npy("{'descr': [('x', '<i4', (2,))], 'fortran_order': False, 'shape': (1,)}",
                      "00000000"),
            "the model has no variable 'x'"},
           {test::npy("{'descr': [('', '|V9999999999')], 'fortran_order': False, 'shape': (1,)}",
                      ""),
            "padding"},
           {test::npy("{'descr': [('', '|V4), ", ""),
            "expected a quote that ends the padding of its records"},
           {test::npy("{'descr': [], 'fortran_order': False, 'shape': (1,)}", ""),
            "records hold nothing"},
       })
    EXPECT_NE(openNpy(file).messages.find(message), std::string::npos) << message << "\n"
                                                                       << openNpy(file).messages;
}

/// A list as a stream and as a plain file, whose rows have places.
struct BothWays {
  explicit BothWays(const std::string &text) : text_(text), path_(folder_.path() + "/c.npy") {
    std::ofstream(path_, std::ios::binary) << text;
  }
  std::vector<std::unique_ptr<CaseSource>> open(const Model &model = threeVariables()) {
    Diagnostics diagnostics;
    std::vector<std::unique_ptr<CaseSource>> both;
    both.push_back(openNpyCases(InputStream("c.npy", text_), model, diagnostics));
    both.push_back(openNpyCases(InputStream(path_), model, diagnostics));
    EXPECT_EQ(renderDiagnostics(diagnostics), "");
    return both;
  }
  void cut(size_t bytes) { std::filesystem::resize_file(path_, bytes); }

private:
  TemporaryFolder folder_;
  const std::string text_, path_;
};

/// Rows of three whole numbers, with states that are not observed.
template <class Item> struct ManyRows {
  std::vector<Item> items;
  Codes codes;

  explicit ManyRows(int count) {
    for (int i = 0; i < count; ++i) {
      const auto s = static_cast<Item>(i % 4 - 1);
      items.insert(items.end(), {static_cast<Item>(i % 2), s, -1});
      codes.push_back({static_cast<uint32_t>(i % 2), s < 0 ? 3u : static_cast<uint32_t>(s), 2});
    }
  }
  std::string file(bool fortran = false) const {
    const size_t rows = codes.size();
    std::vector<Item> stored = items;
    for (size_t i = 0; i < items.size() && fortran; ++i)
      stored[i % 3 * rows + i / 3] = items[i];
    return array(sizeof(Item) == 1 ? "|i1" : "<i" + std::to_string(sizeof(Item)),
                 "(" + std::to_string(rows) + ", 3)", bytesOf(stored), fortran);
  }
};

TEST(NpyCases, ManyChunksInOrder) {
  const ManyRows<int8_t> rows(180'000);
  BothWays both(rows.file());
  for (const unsigned threads : {1u, 3u})
    for (const uint32_t pitch : {5001u, 131'072u, 400'000u})
      for (const auto &cases : both.open()) {
        const ReadCases read = readAll(*cases, pitch, {OnBadRow::Stop, threads});
        EXPECT_TRUE(read.codes == rows.codes) << threads << " threads, blocks of " << pitch;
        EXPECT_EQ(read.blocks.front(), std::min<size_t>(pitch, rows.codes.size()));
        EXPECT_EQ(read.error, "");
      }
}

TEST(NpyCases, FirstIndexFastestInManyParts) {
  const ManyRows<int8_t> rows(300'000);
  TemporaryFolder folder;
  const std::string path = folder.path() + "/c.npy";
  std::ofstream(path, std::ios::binary) << rows.file(true);
  for (const unsigned threads : {1u, 3u}) {
    Diagnostics diagnostics;
    const auto cases = openNpyCases(InputStream(path), threeVariables(), diagnostics);
    EXPECT_TRUE(readAll(*cases, 131'072, {OnBadRow::Stop, threads}).codes == rows.codes);
  }
}

/// Bad rows near the ends of blocks and of the parts that threads read. A part has at most 2^18
/// bytes, 10,922 of these rows.
TEST(NpyCases, BadRowsAnywhere) {
  constexpr size_t kRows = 22'500;
  const ManyRows<int64_t> rows(kRows);
  for (const size_t bad :
       {size_t{0}, size_t{10'921}, size_t{10'922}, size_t{16'383}, size_t{16'384}, kRows - 1}) {
    auto changed = rows;
    changed.items[bad * 3 + 1] = 3;
    BothWays both(changed.file());
    const std::string message = "c.npy: row " + std::to_string(bad) +
                                ": column 1: 3 is no state of 's[0][1]', which has 3, numbered";
    for (const unsigned threads : {1u, 3u})
      for (const uint32_t pitch : {1001u, 16'384u})
        for (const OnBadRow onBadRow : {OnBadRow::Stop, OnBadRow::Skip})
          for (const auto &cases : both.open()) {
            const ReadCases read = readAll(*cases, pitch, {onBadRow, threads});
            Codes expected = rows.codes;
            if (onBadRow == OnBadRow::Stop) {
              expected.resize(bad);
              EXPECT_NE(read.error.find(message), std::string::npos) << read.error;
            } else {
              expected[bad] = {2, 3, 2};
              EXPECT_EQ(read.error, "");
              EXPECT_EQ(read.skipped, std::vector<uint64_t>{bad});
              EXPECT_EQ(read.bad.count, 1u);
              ASSERT_EQ(read.bad.messages.size(), 1u);
              EXPECT_NE(read.bad.messages[0].find(message), std::string::npos);
            }
            EXPECT_TRUE(read.codes == expected) << bad << ", blocks of " << pitch;
          }
  }
}

/// Any thread may read any block; its cases are those of a reading in order.
TEST(NpyCases, BlocksAtTheirPlaces) {
  constexpr uint32_t kPitch = 100'000;
  const ManyRows<int8_t> rows(250'001);
  auto changed = rows;
  changed.items[size_t{3} * 120'000] = changed.items[size_t{3} * 250'000] = 9;
  for (const OnBadRow onBadRow : {OnBadRow::Skip, OnBadRow::Stop}) {
    BothWays both(changed.file());
    EXPECT_FALSE(both.open()[0]->hasPlaces());
    const std::unique_ptr<CaseSource> cases = std::move(both.open()[1]);
    ASSERT_TRUE(cases->hasPlaces());
    cases->begin({onBadRow, 1});
    const bool stops = onBadRow == OnBadRow::Stop;
    const std::vector<uint32_t> counts = {100'000, stops ? 20'000U : 100'000U,
                                          stops ? 50'000U : 50'001U, 0};
    std::vector<std::thread> threads;
    for (uint64_t number = 4; number-- > 0;)
      threads.emplace_back([&, number] {
        CaseBlock block(cases->schema(), kPitch);
        BlockReport report;
        cases->readAt(number * kPitch, block, report);
        EXPECT_EQ(block.first, number * kPitch);
        EXPECT_EQ(block.count, counts[number]);
        const bool isBad = number == 1 || number == 2;
        EXPECT_EQ(report.end != nullptr, stops && isBad) << number;
        EXPECT_EQ(report.skipped.count, !stops && isBad ? 1U : 0U) << number;
        for (uint32_t i = 0; i < block.count; ++i)
          for (size_t c = 0; c < block.columns() && report.skipped.count == 0; ++c)
            ASSERT_EQ(block.code(c, i), rows.codes[block.first + i][c]);
      });
    for (std::thread &thread : threads)
      thread.join();
    EXPECT_EQ(cases->badRows().count, 0u); // who reads adds it, block after block
  }
}

TEST(NpyCases, AFileThatGetsShorterWhileItIsRead) {
  const ManyRows<int8_t> rows(300'000);
  const std::string text = rows.file();
  for (const unsigned threads : {1u, 3u}) {
    BothWays both(text);
    const std::unique_ptr<CaseSource> cases = std::move(both.open()[1]);
    both.cut(text.size() - 1);
    const ReadCases read = readAll(*cases, 5001, {OnBadRow::Stop, threads});
    EXPECT_NE(read.error.find("c.npy: ends before row 300000, it has 300000 rows"),
              std::string::npos)
        << read.error;
    EXPECT_TRUE(std::equal(read.codes.begin(), read.codes.end(), rows.codes.begin()));
    EXPECT_GT(read.codes.size(), 200'000u);
  }
}

TEST(NpyCases, ACancelledFileEnds) {
  const ManyRows<int8_t> rows(300'000);
  for (const unsigned threads : {1u, 3u}) {
    BothWays both(rows.file());
    const std::unique_ptr<CaseSource> cases = std::move(both.open()[1]);
    cases->begin({OnBadRow::Stop, threads});
    CaseBlock block(cases->schema(), 50'000);
    EXPECT_TRUE(cases->next(block));
    cases->cancel();
    int blocks = 0;
    while (cases->next(block))
      ++blocks;
    EXPECT_LE(blocks, 1) << threads << " threads";
  }
}

} // namespace
} // namespace mpf
