#include "dsl/formats/cases/npy_cases.h"
#include "tests/unit/dsl/formats/npy_text.h"
#include "tests/unit/dsl/formats/three_variables.h"
#include "tests/unit/temporary_folder.h"

#include <gtest/gtest.h>

#include "tests/unit/dsl/formats/cases/read_cases.h"

#include <cmath>
#include <cstring>
#include <fstream>

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
           {array("|u1", "(3, 3)", bytesOf<uint8_t>({1, 2, 0, 1, 3, 1})),
            "c.npy: ends before row 3, it has 3 rows"},
           {array("|u1", "(1, 3)", bytesOf<uint8_t>({1, 2, 0, 1})), "goes on behind its 1 rows"},
       }) {
    const OpenedNpy opened = openNpy(file);
    ASSERT_TRUE(opened.cases) << opened.messages;
    EXPECT_NE(readAll(*opened.cases, 1).error.find(message), std::string::npos) << message;
  }
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
                      ""),
            "records hold single numbers"},
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

TEST(NpyCases, ManyChunksInOrder) {
  std::vector<int8_t> items;
  Codes expected;
  for (int i = 0; i < 300'000; ++i) {
    const int8_t s = static_cast<int8_t>(i % 4 - 1);
    items.insert(items.end(), {static_cast<int8_t>(i % 2), s, -1});
    expected.push_back({static_cast<uint32_t>(i % 2), s < 0 ? 3u : static_cast<uint32_t>(s), 2});
  }
  const std::string file = array("|i1", "(300000, 3)", bytesOf(items));
  for (const unsigned threads : {1u, 3u}) {
    const OpenedNpy opened = openNpy(file);
    EXPECT_TRUE(readAll(*opened.cases, 5001, {OnBadRow::Stop, threads}).codes == expected);
  }
}

} // namespace
} // namespace mpf
