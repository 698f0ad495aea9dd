#include "tests/oracle/random_bucket.h"

#include <algorithm>
#include <cmath>
#include <random>
#include <utility>

namespace mpf::oracle {

namespace {

constexpr Semiring kSumProduct{Reduce::Sum, Combine::Times};
constexpr Semiring kMaxProduct{Reduce::Max, Combine::Times};
constexpr Semiring kMinProduct{Reduce::Min, Combine::Times};
constexpr Semiring kMaxSum{Reduce::Max, Combine::Plus};
constexpr Semiring kMinSum{Reduce::Min, Combine::Plus};
constexpr Semiring kLogSum{Reduce::LogSum, Combine::Plus};

class RandomBucket {
public:
  explicit RandomBucket(const BucketCase &c)
      : case_(c), random_(c.seed), packing_(~c.seed), builder_(c.type) {}

  /// Builds one bucket over up to seven variables with at most `limit` addresses.
  Bundle build(double limit) {
    const std::vector<VarId> variables = newVariables(1 + pick(7), limit);
    std::vector<BufferId> operands;
    const size_t operandCount = 1 + pick(8);
    for (size_t i = 0; i < operandCount; ++i)
      operands.push_back(input(subset(variables)));
    const BufferId first = builder_.operation(case_.semiring, operands, subset(variables));
    // A second bucket reads the first one's message: scales and forms are carried on.
    builder_.operation(case_.semiring, {first, input(subset(variables))}, subset(variables));
    return finish();
  }

  Bundle buildLevels(double limit) {
    const std::vector<VarId> common = {builder_.variable(4), builder_.variable(4)};
    std::vector<BufferId> before, level;
    for (int i = 0; i < 3; ++i, before = std::exchange(level, {}))
      for (size_t width = 3 + pick(8); level.size() < width;) {
        std::vector<VarId> scope = newVariables(pick(4), limit / 16);
        scope.insert(scope.end(), common.begin(), common.end());
        std::vector<BufferId> operands = {input(pick(4) == 0 ? subset(scope) : scope)};
        if (!before.empty())
          for (size_t reads = 1 + pick(3); operands.size() <= reads;)
            operands.push_back(before[pick(before.size())]);
        // Messages that are read do not keep new variables: their readers' addresses stay few.
        std::vector<VarId> kept = i == 2 ? subset(scope) : pick(3) == 0 ? subset(common) : common;
        level.push_back(builder_.operation(case_.semiring, operands, std::move(kept)));
      }
    return finish();
  }

private:
  std::vector<VarId> newVariables(size_t count, double limit) {
    static constexpr uint32_t kExtents[] = {1, 2, 3, 5, 7, 11, 13, 40};
    std::vector<VarId> variables;
    double addresses = 1;
    while (variables.size() < count) {
      const uint32_t extent = kExtents[pick(std::size(kExtents))];
      if (addresses * extent > limit)
        break;
      addresses *= extent;
      variables.push_back(builder_.variable(extent));
    }
    return variables;
  }

  Bundle finish() {
    Bundle bundle = builder_.finish();
    bundle.forcedLog = case_.forcedLog;
    bundle.logInputs = case_.semiring == kLogSum;
    bundle.signedValues = bundle.signedValues && !bundle.logInputs;
    return bundle;
  }

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
      if (case_.integerBits != 0)
        value = std::floor(std::exp2(uniform() * case_.integerBits));
      if (case_.negative && uniform() < 0.5)
        value = -value;
      if (uniform() < case_.zeroShare)
        value = case_.semiring == kLogSum ? -INFINITY : plus && case_.integerBits == 0 ? value : 0;
    }
    const bool packed = packing_() % 4 == 0 && case_.semiring.reduce != Reduce::Min &&
                        (!plus || case_.integerBits == 0);
    if (packed)
      for (double &value : values)
        value = packing_() % 4 != 0 ? !plus : plus ? -INFINITY : 0;
    const BufferId id = builder_.input(std::move(scope), std::move(values));
    builder_.bundle().buffers[id.index()].packed = packed;
    return id;
  }

  BucketCase case_;
  std::mt19937_64 random_;
  std::mt19937_64 packing_; ///< apart: packed inputs, of zeros and ones, change nothing else
  BundleBuilder builder_;
};

} // namespace

Bundle randomBucket(const BucketCase &c, double limit) { return RandomBucket(c).build(limit); }

Bundle randomLevels(const BucketCase &c, double limit) {
  return RandomBucket(c).buildLevels(limit);
}

double bucketTolerance(const BucketCase &c) {
  const double range = 1 + c.spreadLog10;
  return c.type == ElementType::F64 ? 1e-13 * range : 1e-5 * range;
}

const std::vector<BucketSeries> &bucketSeries() {
  constexpr ElementType kF32 = ElementType::F32, kF64 = ElementType::F64;
  static const std::vector<BucketSeries> all = {
      BucketSeries{"Sum", {0, kSumProduct, kF64, 1, 0.1, false, false}},
      BucketSeries{"SumF32", {0, kSumProduct, kF32, 1, 0.1, false, false}},
      BucketSeries{"SumWide", {0, kSumProduct, kF64, 300, 0.1, false, false}},
      BucketSeries{"SumWideF32", {0, kSumProduct, kF32, 60, 0.1, false, false}},
      BucketSeries{"SumForcedLog", {0, kSumProduct, kF64, 10, 0.1, false, true}},
      BucketSeries{"SumForcedLogF32", {0, kSumProduct, kF32, 10, 0.1, false, true}},
      BucketSeries{"SumForcedLogWide", {0, kSumProduct, kF64, 500, 0.1, false, true}},
      BucketSeries{"SumForcedLogWideF32", {0, kSumProduct, kF32, 60, 0.1, false, true}},
      BucketSeries{"SumMostlyZero", {0, kSumProduct, kF64, 400, 0.8, false, false}},
      BucketSeries{"Signed", {0, kSumProduct, kF64, 1, 0.1, true, false}},
      BucketSeries{"SignedWide", {0, kSumProduct, kF64, 400, 0.1, true, false}},
      BucketSeries{"SignedForcedLog", {0, kSumProduct, kF64, 2, 0.1, true, true}},
      BucketSeries{"Max", {0, kMaxProduct, kF64, 5, 0.1, false, false}},
      BucketSeries{"MaxWideF32", {0, kMaxProduct, kF32, 60, 0.1, false, false}},
      BucketSeries{"MaxForcedLog", {0, kMaxProduct, kF64, 5, 0.1, false, true}},
      BucketSeries{"MaxForcedLogF32", {0, kMaxProduct, kF32, 20, 0.1, false, true}},
      BucketSeries{"Min", {0, kMinProduct, kF64, 5, 0.1, false, false}},
      BucketSeries{"MinWide", {0, kMinProduct, kF64, 400, 0.1, false, false}},
      BucketSeries{"MaxSum", {0, kMaxSum, kF64, 3, 0, false, false}},
      BucketSeries{"MinSum", {0, kMinSum, kF64, 3, 0, true, false}},
      BucketSeries{"MaxSumF32", {0, kMaxSum, kF32, 3, 0, false, false}},
      BucketSeries{"LogSum", {0, kLogSum, kF64, 10, 0.1, false, false}},
      BucketSeries{"LogSumWide", {0, kLogSum, kF64, 2000, 0.1, false, false}}};
  return all;
}

} // namespace mpf::oracle
