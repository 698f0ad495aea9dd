// The random buckets of random_bucket.h on the table-driven kernels of a GPU.
#include "codegen/specialise.h"
#include "tests/oracle/random_bucket.h"
#include "tests/oracle/run_on_cpu.h"
#include "tests/oracle/run_on_gpu.h"

#include <gtest/gtest.h>

namespace mpf::oracle {
namespace {

class GpuBuckets : public testing::TestWithParam<BucketSweep> {
protected:
  void SetUp() override {
    if (const std::string reason = gpuUnavailableReason(); !reason.empty())
      GTEST_SKIP() << reason;
  }

  static void check(const BucketCase &c, double limit) {
    Bundle bundle = randomBucket(c, limit);
    addTableDrivenKernels(bundle);
    const auto once = runOnGpu(bundle);
    EXPECT_EQ(compareWithBruteForce(bundle, *once, bucketTolerance(c)), "") << "seed " << c.seed;
    const auto again = runOnGpu(bundle);
    EXPECT_TRUE(sameBits(bundle, *once, *again)) << "seed " << c.seed << ": second run, other bits";
  }
};

TEST_P(GpuBuckets, SmallOnesAgreeWithBruteForce) {
  BucketCase c = GetParam().base;
  for (c.seed = 1; c.seed <= 25 && !HasFailure(); ++c.seed)
    check(c, 600);
}

TEST_P(GpuBuckets, LargerOnesAgreeWithBruteForce) {
  BucketCase c = GetParam().base;
  for (c.seed = 1001; c.seed <= 1010 && !HasFailure(); ++c.seed)
    check(c, 100'000);
}

INSTANTIATE_TEST_SUITE_P(All, GpuBuckets, testing::ValuesIn(bucketSweeps()),
                         [](const auto &instance) { return instance.param.name; });

} // namespace
} // namespace mpf::oracle
