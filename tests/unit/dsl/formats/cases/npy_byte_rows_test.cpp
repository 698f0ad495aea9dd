// Arrays that a device may read as rows of bytes, and the codes of their bytes.
#include "dsl/formats/cases/npy_cases.h"
#include "tests/unit/dsl/formats/npy_text.h"
#include "tests/unit/temporary_folder.h"

#include <gtest/gtest.h>

#include <fstream>

namespace mpf {
namespace {

Model twoVariables(uint32_t states) {
  Model model;
  model.variables = {{"a", 2, {}}, {"b", states, {}}};
  return model;
}

struct Opened {
  std::unique_ptr<CaseSource> cases;
  const ByteRows *rows = nullptr;
};

Opened open(const std::string &type, uint32_t states, size_t itemBytes, bool fortran = false) {
  std::string entries;
  for (int i = 0; i < 6; ++i)
    entries += std::string(1, static_cast<char>(i % 2)) + std::string(itemBytes - 1, '\0');
  const TemporaryFolder folder;
  const std::string path = folder.path() + "/c.npy";
  std::ofstream(path, std::ios::binary)
      << test::npy(test::npyDict(type, "(3, 2)", fortran), entries);
  Diagnostics diagnostics;
  Opened opened;
  opened.cases = openNpyCases(InputStream(path), twoVariables(states), diagnostics);
  if (opened.cases)
    opened.rows = opened.cases->byteRows();
  return opened;
}

TEST(NpyByteRows, StatesThatAreBytes) {
  for (const auto &[type, none] : {std::pair("|u1", 255u), std::pair("|i1", 128u)}) {
    const Opened opened = open(type, 3, 1);
    ASSERT_NE(opened.rows, nullptr) << type;
    ASSERT_EQ(opened.rows->rowBytes(), 2u);
    const RowByte &b = opened.rows->bytes()[1];
    EXPECT_EQ(b.place, 1u);
    EXPECT_EQ(b.states, 3u);
    EXPECT_EQ(b.none, none);
    std::byte found[4] = {};
    EXPECT_TRUE(opened.rows->fetch(1, 2, found));
    EXPECT_EQ(found[1], std::byte{1});
    EXPECT_FALSE(opened.rows->fetch(2, 2, found)); // behind the end
  }
}

/// A byte has the code that it has in a block.
TEST(NpyByteRows, CodesAreThoseOfBlocks) {
  const Opened opened = open("|u1", 200, 1);
  ASSERT_NE(opened.rows, nullptr);
  const RowByte &b = opened.rows->bytes()[1];
  EXPECT_EQ(b.code(199), 199u);
  EXPECT_EQ(b.code(255), 200u);
  EXPECT_TRUE(b.refuses(200));
  EXPECT_TRUE(b.refuses(254));
  EXPECT_FALSE(b.refuses(199));
  EXPECT_FALSE(b.refuses(255));
}

TEST(NpyByteRows, OtherArraysAreRead) {
  EXPECT_EQ(open("<i2", 3, 2).rows, nullptr);
  EXPECT_EQ(open("|b1", 3, 1).rows, nullptr);
  EXPECT_EQ(open("<f4", 3, 4).rows, nullptr);
  EXPECT_EQ(open("|u1", 3, 1, true).rows, nullptr); // column by column
  EXPECT_EQ(open("|i1", 200, 1).rows, nullptr);     // too few numbers for all states
  EXPECT_NE(open("|i1", 128, 1).rows, nullptr);
}

} // namespace
} // namespace mpf
