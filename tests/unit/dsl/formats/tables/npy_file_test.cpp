#include "dsl/formats/tables/npy_file.h"

#include "dsl/formats/tables/npy_header.h"
#include "tests/unit/dsl/formats/npy_in_memory.h"
#include "tests/unit/dsl/formats/npy_text.h"

#include <cmath>
#include <gtest/gtest.h>
#include <limits>
#include <utility>

using namespace mpf;
using namespace std::string_literals;
using test::npy;
using test::npyDict;

namespace {

struct Array {
  std::vector<uint64_t> shape;
  std::vector<double> values;
};

/// The array of a file, whether the size of the file is known or not.
Array readGood(const std::string &file) {
  Array read;
  for (const bool isKnown : {false, true}) {
    std::string problem;
    const auto stored = test::readNpyInMemory(file, 1000, problem, isKnown);
    EXPECT_TRUE(stored) << problem;
    if (!stored)
      return {};
    const Array before = std::exchange(read, {stored->array.shape, *stored->array.values});
    EXPECT_TRUE(!isKnown || before.values == read.values);
  }
  return read;
}

std::string problemOf(const std::string &file, uint64_t maxEntries = 1000) {
  std::string problem;
  EXPECT_FALSE(test::readNpyInMemory(file, maxEntries, problem));
  EXPECT_FALSE(problem.empty());
  return problem;
}

} // namespace

TEST(NpyFile, WritesWhatItReads) {
  const Array table{{2, 3}, {1, -0.0, 1e-310, 0.1, std::numeric_limits<double>::infinity(), 6}};
  const std::string file = formatNpy(table.shape, table.values);
  EXPECT_EQ((file.size() - 6 * sizeof(double)) % 64, 0u) << "entries are aligned";
  const Array back = readGood(file);
  EXPECT_EQ(back.shape, table.shape);
  EXPECT_EQ(back.values, table.values);
  EXPECT_TRUE(std::signbit(back.values[1]));
  EXPECT_EQ(readGood(formatNpy({}, std::vector<double>{7})).shape, std::vector<uint64_t>());
  EXPECT_EQ(readGood(formatNpy({4}, std::vector<double>{1, 2, 3, 4})).shape,
            std::vector<uint64_t>{4});
}

TEST(NpyFile, EveryType) {
  EXPECT_EQ(readGood(npy(npyDict("|b1", "(2,)"), "\1\0"s)).values, (std::vector<double>{1, 0}));
  EXPECT_EQ(readGood(npy(npyDict("|i1", "(2,)"), "\xff\x7f")).values,
            (std::vector<double>{-1, 127}));
  EXPECT_EQ(readGood(npy(npyDict("|u1", "(1,)"), "\xff")).values, std::vector<double>{255});
  EXPECT_EQ(readGood(npy(npyDict("<i2", "(1,)"), "\xfe\xff")).values, std::vector<double>{-2});
  EXPECT_EQ(readGood(npy(npyDict(">u2", "(1,)"), "\1\2")).values, std::vector<double>{258});
  EXPECT_EQ(readGood(npy(npyDict("<i4", "(1,)"), "\0\0\0\x80"s)).values,
            std::vector<double>{-0x1p31});
  EXPECT_EQ(readGood(npy(npyDict(">i8", "(1,)"), "\0\0\0\0\0\0\0\5"s)).values,
            std::vector<double>{5});
  EXPECT_EQ(readGood(npy(npyDict("<u8", "(1,)"), "\0\0\0\0\0\0\0\x80"s)).values,
            std::vector<double>{0x1p63});
  EXPECT_EQ(readGood(npy(npyDict("<f2", "(3,)"), "\0\x3c\1\0\0\xfc"s)).values,
            (std::vector<double>{1, 0x1p-24, -HUGE_VAL}));
  EXPECT_EQ(readGood(npy(npyDict(">f4", "(1,)"), "\x3f\x80\0\0"s)).values, std::vector<double>{1});
  EXPECT_EQ(readGood(npy(npyDict(">f8", "(1,)"), "\xbf\xf0\0\0\0\0\0\0"s)).values,
            std::vector<double>{-1});
}

TEST(NpyFile, FortranOrderIsTransposed) {
  const std::string entries = "\0\1\2\3\4\5"s;
  EXPECT_EQ(readGood(npy(npyDict("|u1", "(2, 3)", true), entries)).values,
            (std::vector<double>{0, 2, 4, 1, 3, 5}));
  EXPECT_EQ(readGood(npy(npyDict("|u1", "(1, 3, 2)", true), entries)).values,
            (std::vector<double>{0, 3, 1, 4, 2, 5}));
}

TEST(NpyFile, EveryVersionAndSpelling) {
  for (const char version : {'\1', '\2', '\3'})
    EXPECT_EQ(readGood(npy(npyDict("|u1", "(1,)"), "\7", version)).values, std::vector<double>{7});
  EXPECT_EQ(readGood(npy("{\"shape\":(1,1),'fortran_order':False,'descr':'<u1'}", "\7")).shape,
            (std::vector<uint64_t>{1, 1}));
  EXPECT_TRUE(readGood(npy(npyDict("<f8", "(0, 18446744073709551615, 2)"), "")).values.empty());
}

TEST(NpyFile, EntriesNoDoubleHolds) {
  EXPECT_EQ(problemOf(npy(npyDict("<u8", "(1,)"), std::string(8, '\xff'))),
            "its entry 0 in file order is an integer that no double holds exactly");
  EXPECT_EQ(problemOf(npy(npyDict("<i8", "(1,)"), "\1\0\0\0\0\0\x20\0"s)),
            "its entry 0 in file order is an integer that no double holds exactly");
  EXPECT_EQ(problemOf(npy(npyDict("|b1", "(2,)"), "\1\2")),
            "its entry 1 in file order is neither 0 nor 1");
  std::string problem;
  const auto missing =
      test::readNpyInMemory(npy(npyDict("<f4", "(1,)"), "\0\0\xc0\x7f"s), 1, problem);
  ASSERT_TRUE(missing && missing->missing) << problem;
  EXPECT_EQ(missing->missing->message, "its entry 0 in file order is not a number");
  EXPECT_TRUE(std::isnan(missing->array.values->front()));
}

TEST(NpyFile, SizesAreComparedBeforeAllocation) {
  EXPECT_EQ(problemOf(npy(npyDict("<f8", "(1000000000000,)"), "")),
            "its shape (1000000000000) needs 8000000000000 bytes of entries, it has 0");
  EXPECT_EQ(problemOf(npy(npyDict("|u1", "(3,)"), "\1\2\3"), 2),
            "it has 3 entries (shape (3)), at most 2 are wanted here");
}
