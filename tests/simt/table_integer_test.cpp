// The table-driven kernels for whole numbers in the checker: entries are exact, or lost with a
// record in the state, without a single fault.
#include "codegen/emit/table_driven_source.h"
#include "runtime/execute/host/integer_tables.h"
#include "runtime/simt/simt_check.h"
#include "tests/oracle/bind_observed.h"
#include "tests/oracle/brute/count_brute_force.h"
#include "tests/oracle/random_bucket.h"
#include "tests/simt/table_driven_executor.h"

#include <gtest/gtest.h>

namespace mpf::simt {
namespace {

constexpr Semiring kSemiringsOfCounts[] = {{Reduce::Sum, Combine::Times},
                                           {Reduce::Max, Combine::Times},
                                           {Reduce::Min, Combine::Times},
                                           {Reduce::Max, Combine::Plus},
                                           {Reduce::Min, Combine::Plus}};

class IntegerTables : public testing::TestWithParam<std::tuple<ElementType, TableDrivenPath>> {
protected:
  static void SetUpTestSuite() {
    for (const ElementType type : {ElementType::U64, ElementType::U128})
      for (const bool packed : {false, true})
        programs_[type == ElementType::U128][packed] =
            compileTableDriven(tableDrivenSource(type, packed), false);
  }
  static void TearDownTestSuite() {
    for (auto &programs : programs_)
      for (auto &program : programs)
        program.reset();
  }

  /// Returns true if every count fitted the type.
  static bool check(const oracle::BucketCase &c, TableDrivenPath path) {
    const Bundle bundle = oracle::randomBucket(c, 600);
    std::string faults;
    Program &program = *programs_[bundle.type == ElementType::U128][bundle.packs()];
    const auto executor = makeTableDrivenExecutor(bundle, program, path, faults);
    oracle::bindObserved(bundle, *executor);
    executor->run({}, {});
    EXPECT_EQ(faults, "") << "seed " << c.seed;
    const oracle::ExpectedCounts expected = oracle::countByBruteForce(bundle);
    bool lost = false;
    for (const BundleOperation &operation : bundle.operations) {
      const BufferId result = operation.result.buffer;
      const TableView table = executor->table(result);
      lost |= operation.name == expected.lost;
      EXPECT_EQ(isLostCount(table.state, bundle.type), lost)
          << "seed " << c.seed << " " << operation.name << " " << semiringName(c.semiring);
      if (lost)
        continue;
      Uint128 greatest = 0, least = ~Uint128{0};
      for (size_t i = 0; i < table.sizeElems; ++i) {
        const Uint128 count = expected.tables[result.index()][i].value();
        EXPECT_TRUE(table.whole(i) == count)
            << "seed " << c.seed << " " << semiringName(c.semiring) << " entry " << i;
        greatest = std::max(greatest, count);
        least = count == 0 ? least : std::min(least, count);
      }
      const TableState state = integerState(least, greatest);
      EXPECT_EQ(table.state.minExponent, state.minExponent);
      EXPECT_EQ(table.state.maxExponent, state.maxExponent);
    }
    return !lost;
  }

private:
  static inline std::unique_ptr<Program> programs_[2]
                                                  [2]; ///< by type, and whether inputs are packed
};

TEST_P(IntegerTables, AreExactOrLost) {
  const auto [type, path] = GetParam();
  size_t fitted = 0, lost = 0;
  for (const Semiring semiring : kSemiringsOfCounts)
    for (const uint32_t bits : {1U, 24U, 53U}) {
      oracle::BucketCase c;
      c.semiring = semiring;
      c.type = type;
      c.zeroShare = bits == 1 ? 0.4 : 0.1;
      c.integerBits = bits;
      for (c.seed = 1; c.seed <= 12 && !HasFailure(); ++c.seed)
        (check(c, path) ? fitted : lost) += 1;
    }
  EXPECT_GT(fitted, 90U);
  EXPECT_GT(lost, 5U);
}

INSTANTIATE_TEST_SUITE_P(All, IntegerTables,
                         testing::Combine(testing::Values(ElementType::U64, ElementType::U128),
                                          testing::ValuesIn(kTableDrivenPaths)),
                         [](const auto &instance) {
                           return std::string(elementTypeName(std::get<0>(instance.param))) +
                                  suffixOf(std::get<1>(instance.param));
                         });

} // namespace
} // namespace mpf::simt
