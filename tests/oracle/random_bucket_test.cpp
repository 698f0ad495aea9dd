// Tests random buckets on the CPU: every semiring, element type, arithmetic and number of threads.
#include "tests/oracle/random_bucket.h"
#include "tests/oracle/run_on_cpu.h"

#include <gtest/gtest.h>
#include <set>
#include <string>

namespace mpf::oracle {
namespace {

void check(const BucketCase &c, double limit) {
  const Bundle bundle = randomBucket(c, limit);
  const auto one = runOnCpu(bundle, 1);
  EXPECT_EQ(compareWithBruteForce(bundle, *one, bucketTolerance(c)), "")
      << "seed " << c.seed << " " << semiringName(c.semiring) << " spread " << c.spreadLog10
      << (c.forcedLog ? " forced log" : "") << (c.negative ? " signed" : "")
      << (c.type == ElementType::F32 ? " f32" : "");
  const auto two = runOnCpu(bundle, 2);
  EXPECT_TRUE(sameBits(bundle, *one, *two)) << "seed " << c.seed << ": two threads, other bits";
}

class RandomBuckets : public testing::TestWithParam<BucketSeries> {};

TEST_P(RandomBuckets, SmallOnesAgreeWithBruteForce) {
  BucketCase c = GetParam().base;
  for (c.seed = 1; c.seed <= 150 && !HasFailure(); ++c.seed)
    check(c, 600);
}

TEST_P(RandomBuckets, LargerOnesAgreeWithBruteForce) {
  BucketCase c = GetParam().base;
  for (c.seed = 1001; c.seed <= 1030 && !HasFailure(); ++c.seed)
    check(c, 40'000);
}

TEST(RandomBucket, EveryPathIsTaken) {
  std::set<std::string> seen;
  BucketCase c;
  for (c.seed = 1001; c.seed <= 1030; ++c.seed) {
    const Bundle bundle = randomBucket(c, 40'000);
    const auto executor = runOnCpu(bundle);
    for (const OperationProfile &operation : executor->profile())
      seen.insert(operation.path);
  }
  EXPECT_EQ(seen, (std::set<std::string>{"entries", "rows", "tiles"}));
}

INSTANTIATE_TEST_SUITE_P(All, RandomBuckets, testing::ValuesIn(bucketSeries()),
                         [](const auto &instance) { return instance.param.name; });

} // namespace
} // namespace mpf::oracle
