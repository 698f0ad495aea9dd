// The table-driven kernels in the checker: the random buckets of the oracle in every semiring,
// element type and arithmetic, right against brute force and without a single fault.
#include "codegen/emit/table_driven_source.h"
#include "runtime/simt/simt_check.h"
#include "tests/oracle/bind_observed.h"
#include "tests/oracle/random_bucket.h"
#include "tests/oracle/run_on_cpu.h"
#include "tests/simt/table_driven_executor.h"

#include <gtest/gtest.h>
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

INSTANTIATE_TEST_SUITE_P(
    All, TableDriven,
    testing::Combine(testing::ValuesIn(oracle::bucketSeries()),
                     testing::Values(TableDrivenPath::Single, TableDrivenPath::SmallRun)),
    [](const auto &instance) {
      const bool single = std::get<1>(instance.param) == TableDrivenPath::Single;
      return std::string(std::get<0>(instance.param).name) + (single ? "" : "_small_run");
    });

/// What the checker says about ten buckets run with a text that is not quite the real one.
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

/// The text from `from` on without every `what`.
std::string without(std::string source, const std::string &what, const std::string &from) {
  for (size_t at = source.find(what, source.find(from)); at != std::string::npos;
       at = source.find(what, at))
    source.erase(at, what.size());
  return source;
}

TEST(TableDrivenFaults, MissingBarrierIsFound) {
  // An operation would read what the one before it is still writing.
  const oracle::BucketCase c;
  const std::string source =
      without(tableDrivenSource(c.type, true), "__syncthreads();", "mpf_small_operations");
  EXPECT_NE(faultsWith(source, c, 600, TableDrivenPath::SmallRun).find("race in global memory"),
            std::string::npos);
}

TEST(TableDrivenFaults, MissingFenceIsFound) {
  // The last block would rewrite a state that others may still be reading. Entries over 600
  // decades: every bucket runs in the log domain and most fit linear form again.
  oracle::BucketCase c;
  c.spreadLog10 = 600;
  const std::string source = tableDrivenSource(c.type, true);
  EXPECT_EQ(faultsWith(source, c, 8000, TableDrivenPath::Single), "");
  EXPECT_NE(faultsWith(without(source, "__threadfence();", "mpf_normalise"), c, 8000,
                       TableDrivenPath::Single)
                .find("race in global memory"),
            std::string::npos);
}

} // namespace
} // namespace mpf::simt
