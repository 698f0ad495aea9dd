// Shapes by letters, their sizes and layouts; the fixed sets.
#include "tools/mpf-bench/shapes/bucket_shape.h"

#include "dsl/support/error.h"
#include "tools/mpf-bench/shapes/fixed_shapes.h"
#include "tools/mpf-bench/shapes/paper_scheme.h"
#include "tools/mpf-bench/shapes/random_shapes.h"

#include <gtest/gtest.h>
#include <set>

namespace mpf::bench {
namespace {

BucketShape pair(uint32_t x, uint32_t y, uint32_t k) {
  return shapeFromLetters("test", "pair", "xk,yk->xy", {{'x', x}, {'y', y}, {'k', k}});
}

TEST(BucketShape, OperationsAsThePaperCountsThem) {
  EXPECT_EQ(operationsOf(pair(2, 2, 2)), 12); // ICS'08 section 7.1
  EXPECT_EQ(operationsOf(shapeFromLetters("test", "sum", "xk->x", {{'x', 5}, {'k', 4}})), 15);
  EXPECT_EQ(addressesOf(pair(2, 3, 5)), 30u);
  EXPECT_EQ(tableElemsOf(pair(2, 3, 5)), 10u + 15 + 6);
}

TEST(BucketShape, DigitFormHasTheLayoutsAsWritten) {
  const DigitForm form =
      digitFormOf(shapeFromLetters("test", "p", "kx,yk->xy", {{'x', 3}, {'y', 5}, {'k', 7}}), {});
  ASSERT_EQ(form.digits.size(), 3u);
  EXPECT_EQ(form.operands[0].stridesElems, (std::vector<uint64_t>{1, 0, 3}));
  EXPECT_EQ(form.operands[1].stridesElems, (std::vector<uint64_t>{0, 7, 1}));
  EXPECT_EQ(form.result.stridesElems, (std::vector<uint64_t>{5, 1, 0}));
  EXPECT_TRUE(form.digits[2].reduced);
}

TEST(BucketShape, LettersWithoutExtentAreRefused) {
  EXPECT_THROW(shapeFromLetters("test", "p", "xk->x", {{'x', 3}}), Error);
  EXPECT_THROW(shapeFromLetters("test", "p", "xk", {{'x', 3}, {'k', 2}}), Error);
}

TEST(BucketShape, ShrinkingKeepsTheSumAndSaysSo) {
  const BucketShape small = shrunkTo(pair(4096, 4096, 64), 1e6, uint64_t{1} << 30);
  EXPECT_LE(operationsOf(small), 1e6);
  EXPECT_GT(operationsOf(small), 1e5);
  EXPECT_EQ(small.extents[2], 64u);
  EXPECT_EQ(small.name, "pair/4096");
  EXPECT_EQ(shrunkTo(pair(8, 8, 8), 1e6, 1000).name, "pair");
  EXPECT_EQ(shrunkTo(pair(8, 8, 1000), 300, 1000).extents, (std::vector<uint32_t>{1, 1, 125}));
  EXPECT_THROW(shrunkTo(pair(8, 8, 1000), 1e6, 2), Error); // three tables are three entries
}

TEST(BucketShape, FreeLayoutsMergeIntoOneDigitPerKind) {
  RandomSetOptions options;
  options.count = 100;
  for (BucketShape &shape : ics08Shapes(options)) {
    EXPECT_EQ(laidOut(shape, 3).size(), 1u) << "layouts are not free";
    shape.layoutsFree = true;
    const size_t kinds = (size_t{1} << shape.operands.size()) - 1;
    std::set<Scope> results;
    for (const BucketShape &free : laidOut(shape, 3)) {
      EXPECT_LE(digitFormOf(free, {}).digits.size(), kinds + 1) << shape.name; // and the sum
      EXPECT_EQ(tableElemsOf(free), tableElemsOf(shape));
      for (size_t i = 0; i < shape.operands.size(); ++i)
        EXPECT_EQ(std::set<uint32_t>(free.operands[i].begin(), free.operands[i].end()),
                  std::set<uint32_t>(shape.operands[i].begin(), shape.operands[i].end()));
      EXPECT_TRUE(results.insert(free.result).second) << "each is another order";
    }
  }
}

TEST(BucketShape, SmallVariablesAreTheSameTables) {
  const BucketShape small = withSmallVariables(pair(4096, 150, 7));
  EXPECT_EQ(small.extents, (std::vector<uint32_t>{16, 16, 16, 15, 10, 7}));
  EXPECT_EQ(small.result, (Scope{0, 1, 2, 3, 4}));
  EXPECT_EQ(small.operands[1], (Scope{3, 4, 5}));
  EXPECT_EQ(operationsOf(small), operationsOf(pair(4096, 150, 7)));
  EXPECT_EQ(withSmallVariables(pair(31, 2, 2)).extents[0], 31u); // a prime
  // Merged again they are the digits of the original.
  const DigitForm whole = digitFormOf(pair(4096, 150, 7), {}), parts = digitFormOf(small, {});
  ASSERT_EQ(parts.digits.size(), whole.digits.size());
  for (size_t i = 0; i < 2; ++i)
    EXPECT_EQ(parts.operands[i].stridesElems, whole.operands[i].stridesElems);
}

TEST(FixedShapes, CanonicalOnesAreSound) {
  std::set<std::string> names;
  unsigned steps = 0;
  for (const BucketShape &shape : canonicalShapes()) {
    EXPECT_TRUE(names.insert(shape.name).second) << shape.name;
    EXPECT_EQ(findFault(digitFormOf(shape, {})), "") << shape.name;
    steps += shape.name.rfind("chain-", 0) == 0;
  }
  EXPECT_EQ(steps, kChainSteps);
}

TEST(FixedShapes, TheContractionsArePairsOfTheirOwnLayouts) {
  std::set<std::string> names;
  const std::vector<BucketShape> shapes = tccgShapes();
  for (const BucketShape &shape : shapes) {
    EXPECT_TRUE(names.insert(shape.name).second) << shape.name;
    EXPECT_EQ(shape.operands.size(), 2u);
    EXPECT_EQ(findFault(digitFormOf(shape, {})), "") << shape.name;
    // The first index is the fastest: it ends the row-major scope.
    EXPECT_EQ(shape.result.back(), static_cast<uint32_t>(shape.name.front() - 'a')) << shape.name;
    EXPECT_EQ(shape.operands[0].back(),
              static_cast<uint32_t>(shape.name[shape.name.find('-') + 1] - 'a'));
  }
  EXPECT_EQ(shapes.size(), 48u);
}

} // namespace
} // namespace mpf::bench
