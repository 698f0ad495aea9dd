// The table-driven kernels in the checker: random buckets of the oracle in every semiring, element
// type and arithmetic equal brute force, without a single fault.
#include "codegen/emit/table_driven_source.h"
#include "runtime/simt/simt_check.h"
#include "tests/oracle/bind_observed.h"
#include "tests/oracle/bundle_builder.h"
#include "tests/oracle/random_bucket.h"
#include "tests/oracle/run_on_cpu.h"
#include "tests/simt/table_driven_executor.h"

#include <cmath>
#include <gtest/gtest.h>
#include <random>
#include <tuple>

namespace mpf::simt {
namespace {

class TableDriven
    : public testing::TestWithParam<std::tuple<oracle::BucketSeries, TableDrivenPath>> {
protected:
  static void SetUpTestSuite() {
    for (const ElementType type : {ElementType::F32, ElementType::F64})
      for (const bool packed : {false, true})
        programs_[type == ElementType::F64][packed] =
            compileTableDriven(tableDrivenSource(type, packed));
  }
  static void TearDownTestSuite() {
    for (auto &programs : programs_)
      for (auto &program : programs)
        program.reset();
  }

  static void check(const oracle::BucketCase &c, double limit, TableDrivenPath path) {
    const Bundle bundle = oracle::randomBucket(c, limit);
    std::string faults;
    Program &program = *programs_[bundle.type == ElementType::F64][bundle.packs()];
    const auto executor = makeTableDrivenExecutor(bundle, program, path, faults);
    oracle::bindObserved(bundle, *executor);
    executor->run({}, {});
    EXPECT_EQ(faults, "") << "seed " << c.seed;
    EXPECT_EQ(oracle::compareWithBruteForce(bundle, *executor, oracle::bucketTolerance(c)), "")
        << "seed " << c.seed;
  }

private:
  static inline std::unique_ptr<Program> programs_[2]
                                                  [2]; ///< by type, and whether inputs are packed
};

TEST_P(TableDriven, BucketsAreRightAndWithoutFaults) {
  const auto &[series, path] = GetParam();
  oracle::BucketCase c = series.base;
  for (c.seed = 1; c.seed <= 20 && !HasFailure(); ++c.seed)
    check(c, 600, path);
  for (c.seed = 1001; c.seed <= 1005 && !HasFailure(); ++c.seed)
    check(c, 8000, path);
}

INSTANTIATE_TEST_SUITE_P(All, TableDriven,
                         testing::Combine(testing::ValuesIn(oracle::bucketSeries()),
                                          testing::ValuesIn(kTableDrivenPaths)),
                         [](const auto &instance) {
                           return std::string(std::get<0>(instance.param).name) +
                                  suffixOf(std::get<1>(instance.param));
                         });

/// Returns the checker's faults of ten buckets that run with an edited text.
std::string faultsWith(const std::string &source, oracle::BucketCase c, double limit,
                       TableDrivenPath path) {
  const auto program = compileTableDriven(source);
  std::string faults;
  for (c.seed = 1001; c.seed <= 1010; ++c.seed) {
    const Bundle bundle = oracle::randomBucket(c, limit);
    const auto executor = makeTableDrivenExecutor(bundle, *program, path, faults);
    oracle::bindObserved(bundle, *executor);
    executor->run({}, {});
  }
  return faults;
}

/// Returns the text without any `what` behind `from`.
std::string without(std::string source, const std::string &what, const std::string &from) {
  for (size_t at = source.find(what, source.find(from)); at != std::string::npos;
       at = source.find(what, at))
    source.erase(at, what.size());
  return source;
}

/// Returns two small operations, which warps of one block compute, and one that reads both.
Bundle smallTree() {
  oracle::BundleBuilder builder(ElementType::F64);
  const VarId x = builder.variable(3), y = builder.variable(4), z = builder.variable(5);
  const Semiring semiring{Reduce::Sum, Combine::Times};
  const BufferId f = builder.input({x, y}, std::vector<double>(12, 0.5));
  const BufferId g = builder.input({y, z}, std::vector<double>(20, 0.25));
  const BufferId left = builder.operation(semiring, {f}, {y});
  const BufferId right = builder.operation(semiring, {g}, {y});
  builder.output(builder.operation(semiring, {left, right}, {}));
  return builder.finish();
}

TEST(TableDrivenFaults, MissingBarrierIsFound) {
  // Without the barrier an operation would read entries that another warp is still writing.
  const Bundle bundle = smallTree();
  const auto faultsOf = [&](const std::string &source) {
    const auto program = compileTableDriven(source);
    std::string faults;
    const auto executor = makeTableDrivenExecutor(bundle, *program, TableDrivenPath::Level, faults);
    oracle::bindObserved(bundle, *executor);
    executor->run({}, {});
    return faults;
  };
  const std::string source = tableDrivenSource(ElementType::F64, true);
  EXPECT_EQ(faultsOf(source), "");
  EXPECT_NE(
      faultsOf(without(source, "__syncthreads()", "mpfPrepareStep(")).find("race in global memory"),
      std::string::npos);
}

TEST(TableDrivenFaults, MissingFenceIsFound) {
  // Without the fence the last block would rewrite a state that others may still read, or add up
  // unfinished sums. Entries over 600 decades make every bucket run in the log domain; most fit
  // linear form afterwards.
  oracle::BucketCase c;
  c.spreadLog10 = 600;
  const std::string source = tableDrivenSource(c.type, true);
  for (const TableDrivenPath path : {TableDrivenPath::AnyMapping, TableDrivenPath::Normalise}) {
    EXPECT_EQ(faultsWith(source, c, 8000, path), "");
    EXPECT_NE(faultsWith(without(source, "__threadfence();", "mpfNormalisedState"), c, 8000, path)
                  .find("race in global memory"),
              std::string::npos);
  }
}

/// Returns sums of 3000 and of 40 terms, and one of 30 digits, whose record is read from global
/// memory.
Bundle fewResults(ElementType type, double spreadLog10) {
  oracle::BundleBuilder builder(type);
  std::mt19937_64 random(7);
  std::uniform_real_distribution<double> exponent(-spreadLog10 / 2, spreadLog10 / 2);
  std::vector<VarId> scope{builder.variable(2), builder.variable(30), builder.variable(100)};
  std::vector<VarId> ones;
  for (int i = 0; i < 28; ++i)
    ones.push_back(builder.variable(i < 4 ? 2 : 1));
  scope.insert(scope.end(), ones.begin(), ones.begin() + 2);
  std::vector<double> values(2 * 30 * 100 * 4);
  for (double &value : values)
    value = std::pow(10.0, exponent(random));
  const Semiring semiring{Reduce::Sum, Combine::Times};
  const BufferId f = builder.input(scope, values);
  std::vector<VarId> all = ones;
  all.push_back(scope[0]);
  const BufferId g = builder.input(all, std::vector<double>(32, 0.5));
  const BufferId m = builder.operation(semiring, {f}, {scope[0], ones[0]});
  const BufferId n = builder.operation(semiring, {m, g}, {ones[1]});
  builder.output(builder.operation(semiring, {n}, {}));
  return builder.finish();
}

TEST(TableDrivenTeams, LongSumsAndLongRecordsAreRight) {
  for (const ElementType type : {ElementType::F64, ElementType::F32})
    for (const double spread : {2.0, 500.0})
      for (const TableDrivenPath path : kTableDrivenPaths) {
        if (type == ElementType::F32 && spread > 2)
          continue; // values beyond the type
        const Bundle bundle = fewResults(type, spread);
        const auto program = compileTableDriven(tableDrivenSource(type, false));
        std::string faults;
        const auto executor = makeTableDrivenExecutor(bundle, *program, path, faults);
        oracle::bindObserved(bundle, *executor);
        executor->run({}, {});
        EXPECT_EQ(faults, "");
        EXPECT_EQ(oracle::compareWithBruteForce(bundle, *executor,
                                                type == ElementType::F32 ? 1e-5 : 1e-12),
                  "");
      }
}

TEST(TableDrivenTeams, LanesOfSeveralWarpsAreMergedBehindABarrier) {
  const Bundle bundle = fewResults(ElementType::F64, 2);
  const auto program = compileTableDriven(
      without(tableDrivenSource(ElementType::F64, false), "__syncthreads()", "void mpfMergeLanes"));
  std::string faults;
  const auto executor = makeTableDrivenExecutor(bundle, *program, TableDrivenPath::Level, faults);
  oracle::bindObserved(bundle, *executor);
  executor->run({}, {});
  EXPECT_NE(faults.find("race"), std::string::npos) << faults;
}

} // namespace
} // namespace mpf::simt
