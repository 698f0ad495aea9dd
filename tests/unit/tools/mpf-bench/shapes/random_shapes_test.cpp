// The generators of the papers' random buckets: ranges of every parameter, sizes, determinism.
#include "dsl/support/error.h"
#include "tools/mpf-bench/shapes/random_shapes.h"

#include <algorithm>
#include <gtest/gtest.h>
#include <set>

namespace mpf::bench {
namespace {

bool has(const Scope &scope, uint32_t variable) {
  return std::find(scope.begin(), scope.end(), variable) != scope.end();
}

size_t membersOf(const BucketShape &shape, uint32_t variable) {
  return static_cast<size_t>(
      std::count_if(shape.operands.begin(), shape.operands.end(),
                    [variable](const Scope &scope) { return has(scope, variable); }));
}

/// Checks that every scope follows the order of the indices, summation variables last, and that no
/// variable occurs twice.
void checkOrder(const BucketShape &shape) {
  for (const Scope &scope : shape.operands)
    EXPECT_TRUE(std::is_sorted(scope.begin(), scope.end(), std::less_equal<>())) << shape.name;
  for (uint32_t i = 0; i < shape.result.size(); ++i)
    EXPECT_EQ(shape.result[i], i) << shape.name;
}

void checkIcs08Ranges(const BucketShape &shape) {
  EXPECT_GE(shape.operands.size(), 2u);
  EXPECT_LE(shape.operands.size(), 4u);
  uint64_t summationValues = 1;
  uint32_t shared = 0;
  for (uint32_t variable = 0; variable < shape.extents.size(); ++variable) {
    EXPECT_GE(shape.extents[variable], 1u);
    EXPECT_LE(shape.extents[variable], 10u);
    shared += membersOf(shape, variable) >= 2;
    if (has(shape.result, variable))
      continue;
    summationValues *= shape.extents[variable];
    EXPECT_EQ(membersOf(shape, variable), shape.operands.size());
  }
  EXPECT_GE(summationValues, 2u);
  EXPECT_LE(summationValues, 32u);
  EXPECT_GE(shared, 1u);
  EXPECT_LE(shared, 18u);
  for (const Scope &scope : shape.operands) {
    EXPECT_GE(scope.size(), 5u);
    EXPECT_LE(scope.size(), 25u);
  }
}

void checkSizes(const std::vector<BucketShape> &shapes, const RandomSetOptions &options) {
  ASSERT_EQ(shapes.size(), options.count);
  for (const BucketShape &shape : shapes) {
    EXPECT_GE(operationsOf(shape), options.minOperations) << shape.name;
    EXPECT_LE(operationsOf(shape), options.maxOperations) << shape.name;
    EXPECT_LE(tableElemsOf(shape), options.maxElems) << shape.name;
  }
}

TEST(RandomShapes, Ics08StaysInThePapersRanges) {
  RandomSetOptions options;
  options.count = 700;
  const std::vector<BucketShape> shapes = ics08Shapes(options);
  checkSizes(shapes, options);
  for (const BucketShape &shape : shapes) {
    SCOPED_TRACE(shape.name);
    checkIcs08Ranges(shape);
    checkOrder(shape);
  }
}

TEST(RandomShapes, Ics08OfAtLeastAHundredMillionOperations) {
  RandomSetOptions options;
  options.count = 700;
  options.minOperations = 1e8;
  const std::vector<BucketShape> shapes = ics08Shapes(options);
  checkSizes(shapes, options);
  for (const BucketShape &shape : shapes) {
    SCOPED_TRACE(shape.name);
    checkIcs08Ranges(shape);
  }
}

TEST(RandomShapes, Ics08CoversItsRanges) {
  RandomSetOptions options;
  options.count = 700;
  std::set<size_t> functions, functionVariables;
  std::set<uint32_t> extents;
  unsigned below1e6 = 0, above1e8 = 0;
  for (const BucketShape &shape : ics08Shapes(options)) {
    functions.insert(shape.operands.size());
    for (const Scope &scope : shape.operands)
      functionVariables.insert(scope.size());
    extents.insert(shape.extents.begin(), shape.extents.end());
    below1e6 += operationsOf(shape) < 1e6;
    above1e8 += operationsOf(shape) > 1e8;
  }
  EXPECT_EQ(functions, (std::set<size_t>{2, 3, 4}));
  EXPECT_EQ(functionVariables.size(), 21u); // 5 to 25, all of them
  EXPECT_EQ(extents.size(), 10u);
  EXPECT_GT(below1e6, 150u); // three of seven decades
  EXPECT_GT(above1e8, 100u); // two of seven
}

TEST(RandomShapes, GemsHasOneDomainSizeAndCoveredVariables) {
  RandomSetOptions options;
  options.count = 5000;
  const std::vector<BucketShape> shapes = gemsShapes(options);
  checkSizes(shapes, options);
  for (const BucketShape &shape : shapes) {
    SCOPED_TRACE(shape.name);
    checkOrder(shape);
    EXPECT_GE(shape.operands.size(), 2u);
    EXPECT_LE(shape.operands.size(), 6u);
    const std::set<uint32_t> extents(shape.extents.begin(), shape.extents.end());
    EXPECT_EQ(extents.size(), 1u);
    EXPECT_GE(*extents.begin(), 2u);
    EXPECT_LE(*extents.begin(), 10u);
    const size_t reduced = shape.extents.size() - shape.result.size();
    EXPECT_GE(reduced, 1u);
    EXPECT_LE(reduced, 4u);
    for (uint32_t variable = 0; variable < shape.extents.size(); ++variable)
      EXPECT_GE(membersOf(shape, variable), 1u);
  }
}

bool equal(const std::vector<BucketShape> &a, const std::vector<BucketShape> &b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(),
                    [](const BucketShape &x, const BucketShape &y) {
                      return x.name == y.name && x.extents == y.extents &&
                             x.operands == y.operands && x.result == y.result;
                    });
}

TEST(RandomShapes, SeedsDecideEverything) {
  RandomSetOptions options;
  options.count = 50;
  RandomSetOptions other = options;
  other.seed = 2;
  EXPECT_TRUE(equal(ics08Shapes(options), ics08Shapes(options)));
  EXPECT_FALSE(equal(ics08Shapes(options), ics08Shapes(other)));
  EXPECT_TRUE(equal(gemsShapes(options), gemsShapes(options)));
  EXPECT_FALSE(equal(gemsShapes(options), gemsShapes(other)));
}

TEST(RandomShapes, FewerAreTheFirstOfMore) {
  RandomSetOptions options;
  options.count = 60;
  std::vector<BucketShape> more = ics08Shapes(options);
  options.count /= 2;
  more.resize(options.count);
  EXPECT_TRUE(equal(ics08Shapes(options), more));
}

TEST(RandomShapes, ImpossibleOptionsAreRefused) {
  RandomSetOptions options;
  options.count = 1;
  options.minOperations = 1e9;
  options.maxElems = 1000;
  EXPECT_THROW(ics08Shapes(options), Error);
  EXPECT_THROW(gemsShapes(options), Error);
  options.maxOperations = 1e3; // below the least
  EXPECT_THROW(ics08Shapes(options), Error);
}

} // namespace
} // namespace mpf::bench
