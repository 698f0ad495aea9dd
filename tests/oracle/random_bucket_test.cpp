// Seeded random buckets: every semiring, element type, arithmetic and number of threads against
// brute force. A failing case is reproduced by its seed alone.
#include "tests/oracle/bundle_builder.h"
#include "tests/oracle/run_on_cpu.h"

#include <algorithm>
#include <cmath>
#include <gtest/gtest.h>
#include <random>
#include <set>
#include <string>

namespace mpf::oracle {
namespace {

constexpr Semiring kSumProduct{Reduce::Sum, Combine::Times};
constexpr Semiring kMaxProduct{Reduce::Max, Combine::Times};
constexpr Semiring kMinProduct{Reduce::Min, Combine::Times};
constexpr Semiring kMaxSum{Reduce::Max, Combine::Plus};
constexpr Semiring kMinSum{Reduce::Min, Combine::Plus};
constexpr Semiring kLogSum{Reduce::LogSum, Combine::Plus};

struct Case {
  uint64_t seed = 0;
  Semiring semiring;
  ElementType type = ElementType::F64;
  double spreadLog10 = 1; ///< entries over this many decades
  double zeroShare = 0;
  bool negative = false;
  bool forcedLog = false;
};

class RandomBucket {
public:
  explicit RandomBucket(const Case &c) : case_(c), random_(c.seed), builder_(c.type) {}

  /// One bucket over up to seven variables whose addresses number at most `limit`.
  Bundle build(double limit) {
    static constexpr uint32_t kExtents[] = {1, 2, 3, 5, 7, 11, 13, 40};
    std::vector<VarId> variables;
    double addresses = 1;
    const size_t count = 1 + pick(7);
    while (variables.size() < count) {
      const uint32_t extent = kExtents[pick(std::size(kExtents))];
      if (addresses * extent > limit)
        break;
      addresses *= extent;
      variables.push_back(builder_.variable(extent));
    }
    std::vector<BufferId> operands;
    const size_t operandCount = 1 + pick(8);
    for (size_t i = 0; i < operandCount; ++i)
      operands.push_back(input(subset(variables)));
    const BufferId first = builder_.operation(case_.semiring, operands, subset(variables));
    // A second bucket reads the first one's message: scales and forms are carried on.
    builder_.operation(case_.semiring, {first, input(subset(variables))}, subset(variables));
    Bundle bundle = builder_.finish();
    bundle.forcedLog = case_.forcedLog;
    bundle.logInputs = case_.semiring == kLogSum;
    return bundle;
  }

private:
  size_t pick(size_t n) { return static_cast<size_t>(random_() % n); }
  double uniform() { return static_cast<double>(random_() >> 11) * 0x1p-53; }

  std::vector<VarId> subset(std::vector<VarId> all) {
    std::shuffle(all.begin(), all.end(), random_);
    all.resize(pick(all.size() + 1));
    return all;
  }

  BufferId input(std::vector<VarId> scope) {
    size_t elems = 1;
    for (const VarId id : scope)
      elems *= builder_.extent(id);
    std::vector<double> values(elems);
    const bool plus = case_.semiring.combine == Combine::Plus;
    for (double &value : values) {
      const double exponent = (uniform() - 0.5) * case_.spreadLog10;
      value = plus ? exponent * std::log(10.0) : std::pow(10.0, exponent);
      if (case_.negative && uniform() < 0.5)
        value = -value;
      if (uniform() < case_.zeroShare)
        value = case_.semiring == kLogSum ? -INFINITY : plus ? value : 0;
    }
    return builder_.input(std::move(scope), std::move(values));
  }

  Case case_;
  std::mt19937_64 random_;
  BundleBuilder builder_;
};

double tolerance(const Case &c) {
  const double range = 1 + c.spreadLog10;
  return c.type == ElementType::F64 ? 1e-13 * range : 1e-5 * range;
}

void check(const Case &c, double limit) {
  const Bundle bundle = RandomBucket(c).build(limit);
  const auto one = runOnCpu(bundle, 1);
  EXPECT_EQ(compareWithBruteForce(bundle, *one, tolerance(c)), "")
      << "seed " << c.seed << " " << semiringName(c.semiring) << " spread " << c.spreadLog10
      << (c.forcedLog ? " forced log" : "") << (c.negative ? " signed" : "")
      << (c.type == ElementType::F32 ? " f32" : "");
  const auto two = runOnCpu(bundle, 2);
  EXPECT_TRUE(sameBits(bundle, *one, *two)) << "seed " << c.seed << ": two threads, other bits";
}

struct Sweep {
  const char *name;
  Case base;
};

class RandomBuckets : public testing::TestWithParam<Sweep> {};

TEST_P(RandomBuckets, SmallOnesAgreeWithBruteForce) {
  Case c = GetParam().base;
  for (c.seed = 1; c.seed <= 150 && !HasFailure(); ++c.seed)
    check(c, 600);
}

TEST_P(RandomBuckets, LargerOnesAgreeWithBruteForce) {
  Case c = GetParam().base;
  for (c.seed = 1001; c.seed <= 1030 && !HasFailure(); ++c.seed)
    check(c, 40'000);
}

TEST(RandomBucket, EveryPathIsTaken) {
  std::set<std::string> seen;
  Case c{0, kSumProduct};
  for (c.seed = 1001; c.seed <= 1030; ++c.seed) {
    const Bundle bundle = RandomBucket(c).build(40'000);
    const auto executor = runOnCpu(bundle);
    for (const OperationProfile &operation : executor->profile())
      seen.insert(operation.path);
  }
  EXPECT_EQ(seen, (std::set<std::string>{"entries", "rows", "tiles"}));
}

constexpr ElementType kF32 = ElementType::F32, kF64 = ElementType::F64;

INSTANTIATE_TEST_SUITE_P(
    All, RandomBuckets,
    testing::Values(Sweep{"Sum", {0, kSumProduct, kF64, 1, 0.1, false, false}},
                    Sweep{"SumF32", {0, kSumProduct, kF32, 1, 0.1, false, false}},
                    Sweep{"SumWide", {0, kSumProduct, kF64, 300, 0.1, false, false}},
                    Sweep{"SumWideF32", {0, kSumProduct, kF32, 60, 0.1, false, false}},
                    Sweep{"SumForcedLog", {0, kSumProduct, kF64, 10, 0.1, false, true}},
                    Sweep{"SumForcedLogF32", {0, kSumProduct, kF32, 10, 0.1, false, true}},
                    Sweep{"SumMostlyZero", {0, kSumProduct, kF64, 400, 0.8, false, false}},
                    Sweep{"Signed", {0, kSumProduct, kF64, 1, 0.1, true, false}},
                    Sweep{"SignedWide", {0, kSumProduct, kF64, 400, 0.1, true, false}},
                    Sweep{"SignedForcedLog", {0, kSumProduct, kF64, 2, 0.1, true, true}},
                    Sweep{"Max", {0, kMaxProduct, kF64, 5, 0.1, false, false}},
                    Sweep{"MaxWideF32", {0, kMaxProduct, kF32, 60, 0.1, false, false}},
                    Sweep{"MaxForcedLog", {0, kMaxProduct, kF64, 5, 0.1, false, true}},
                    Sweep{"Min", {0, kMinProduct, kF64, 5, 0.1, false, false}},
                    Sweep{"MinWide", {0, kMinProduct, kF64, 400, 0.1, false, false}},
                    Sweep{"MaxSum", {0, kMaxSum, kF64, 3, 0, false, false}},
                    Sweep{"MinSum", {0, kMinSum, kF64, 3, 0, true, false}},
                    Sweep{"MaxSumF32", {0, kMaxSum, kF32, 3, 0, false, false}},
                    Sweep{"LogSum", {0, kLogSum, kF64, 10, 0.1, false, false}},
                    Sweep{"LogSumWide", {0, kLogSum, kF64, 2000, 0.1, false, false}}),
    [](const auto &instance) { return instance.param.name; });

} // namespace
} // namespace mpf::oracle
