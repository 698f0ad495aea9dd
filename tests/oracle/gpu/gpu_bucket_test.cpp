// The random buckets of random_bucket.h on the table-driven kernels of a GPU.
#include "codegen/specialise/specialise.h"
#include "dsl/support/error.h"
#include "tests/oracle/brute/count_brute_force.h"
#include "tests/oracle/gpu/run_on_gpu.h"
#include "tests/oracle/random_bucket.h"
#include "tests/oracle/run_on_cpu.h"

#include <gtest/gtest.h>

namespace mpf::oracle {
namespace {

class GpuBuckets : public testing::TestWithParam<BucketSeries> {
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

/// Returns the host's error for a bundle of whole numbers; empty: every table is exact.
std::string countOnGpu(const Bundle &bundle) {
  const ExpectedCounts expected = countByBruteForce(bundle);
  std::unique_ptr<Executor> executor;
  try {
    executor = runOnGpu(bundle);
  } catch (const Error &error) {
    const bool right = expected.lost && error.kind() == ErrorKind::Overflow &&
                       std::string(error.what()).ends_with("(operation " + *expected.lost + ")");
    return right ? "" : error.what();
  }
  if (expected.lost)
    return fmt::format("{} is lost and nobody says so", *expected.lost);
  for (const BundleOperation &operation : bundle.operations) {
    const TableView table = executor->table(operation.result.buffer);
    for (size_t i = 0; i < table.sizeElems; ++i)
      if (table.whole(i) != expected.tables[operation.result.buffer.index()][i].value())
        return fmt::format("entry {} of {} is {}", i, operation.name, table.whole(i));
  }
  return "";
}

TEST(GpuCounts, AreExactOrRefused) {
  if (const std::string reason = gpuUnavailableReason(); !reason.empty())
    GTEST_SKIP() << reason;
  for (const ElementType type : {ElementType::U64, ElementType::U128})
    for (const Semiring semiring :
         {Semiring{Reduce::Sum, Combine::Times}, Semiring{Reduce::Max, Combine::Times},
          Semiring{Reduce::Min, Combine::Times}, Semiring{Reduce::Min, Combine::Plus}})
      for (const uint32_t bits : {1U, 24U, 53U}) {
        BucketCase c;
        c.semiring = semiring;
        c.type = type;
        c.zeroShare = 0.1;
        c.integerBits = bits;
        for (c.seed = 1; c.seed <= 8; ++c.seed) {
          Bundle bundle = randomBucket(c, 20'000);
          addTableDrivenKernels(bundle);
          ASSERT_EQ(countOnGpu(bundle), "") << "seed " << c.seed << " " << elementTypeName(type)
                                            << " " << semiringName(semiring) << " " << bits;
        }
      }
}

INSTANTIATE_TEST_SUITE_P(All, GpuBuckets, testing::ValuesIn(bucketSeries()),
                         [](const auto &instance) { return instance.param.name; });

} // namespace
} // namespace mpf::oracle
