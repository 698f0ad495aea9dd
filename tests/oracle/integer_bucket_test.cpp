// Tests random buckets of whole numbers on the CPU: exact, or refused if the true count does not
// fit.
#include "dsl/support/error.h"
#include "runtime/execute/host/verify_operation.h"
#include "tests/oracle/brute/count_brute_force.h"
#include "tests/oracle/bundle_builder.h"
#include "tests/oracle/random_bucket.h"
#include "tests/oracle/run_on_cpu.h"
#include "tests/support/trials.h"

#include <gtest/gtest.h>

namespace mpf::oracle {
namespace {

struct Outcome {
  std::unique_ptr<Executor> executor;
  std::string refusal; ///< empty: it ran
};

Outcome runIntegerBundle(const Bundle &bundle, unsigned threads) {
  try {
    return {runOnCpu(bundle, threads), ""};
  } catch (const Error &error) {
    EXPECT_EQ(error.kind(), ErrorKind::Overflow) << error.what();
    return {nullptr, error.what()};
  }
}

/// Returns whether the bundle ran.
bool expectExact(const Bundle &bundle, uint64_t seed, unsigned threads) {
  const ExpectedCounts expected = countByBruteForce(bundle);
  const Outcome outcome = runIntegerBundle(bundle, threads);
  const std::string where = fmt::format("seed {} {} {}", seed, elementTypeName(bundle.type),
                                        semiringName(bundle.operations.front().semiring));
  if (expected.lost) {
    EXPECT_NE(outcome.refusal.find("(operation " + *expected.lost + ")"), std::string::npos)
        << where << ": " << *expected.lost << " is lost, found '" << outcome.refusal << "'";
    return false;
  }
  EXPECT_EQ(outcome.refusal, "") << where;
  if (outcome.executor == nullptr)
    return false;
  for (size_t b = 0; b < bundle.buffers.size(); ++b) {
    const TableView table = outcome.executor->table(BufferId(b));
    for (size_t i = 0; i < bundle.buffers[b].sizeElems; ++i)
      if (table.whole(i) != expected.tables[b][i].value()) {
        ADD_FAILURE() << where << ": entry " << i << " of " << bundle.buffers[b].name << " is "
                      << fmt::format("{}, not {}", table.whole(i), expected.tables[b][i].value());
        return true;
      }
  }
  return true;
}

constexpr Semiring kIntegerSemirings[] = {{Reduce::Sum, Combine::Times},
                                          {Reduce::Max, Combine::Times},
                                          {Reduce::Min, Combine::Times},
                                          {Reduce::Max, Combine::Plus},
                                          {Reduce::Min, Combine::Plus}};

/// Tests rows of neighbouring results longer than a block, cut by parts. Operands stride over the
/// rows, lack them or have them permuted.
TEST(IntegerBuckets, LongRowsAreExact) {
  for (const ElementType type : {ElementType::U64, ElementType::U128})
    for (const Semiring semiring : kIntegerSemirings)
      for (const uint32_t length : {8U, 255U, 700U}) {
        BundleBuilder builder(type);
        const VarId a = builder.variable(3), b = builder.variable(length), k = builder.variable(5);
        const auto values = [](size_t count, size_t seed) {
          std::vector<double> list(count);
          for (size_t i = 0; i < count; ++i)
            list[i] = static_cast<double>((i * 7919 + seed) % 61);
          return list;
        };
        const BufferId f = builder.input({k, b}, values(size_t{5} * length, 1));
        const BufferId g = builder.input({b, a, k}, values(size_t{15} * length, 2));
        const BufferId h = builder.input({a, k}, values(15, 3));
        builder.operation(semiring, {f, g, h}, {a, b});
        builder.operation(semiring, {h, g}, {b, a});
        builder.operation(semiring, {h, f}, {a, b});
        expectExact(builder.finish(), length, 2);
      }
}

TEST(IntegerBuckets, AreExactOrRefused) {
  size_t ran = 0, refused = 0;
  for (const ElementType type : {ElementType::U64, ElementType::U128})
    for (const Semiring semiring : kIntegerSemirings)
      for (const uint32_t bits : {1U, 8U, 24U, 53U}) {
        BucketCase c;
        c.semiring = semiring;
        c.type = type;
        c.zeroShare = bits == 1 ? 0.4 : 0.1;
        c.integerBits = bits;
        for (c.seed = 1; c.seed <= trials(60u) && !testing::Test::HasFailure(); ++c.seed)
          (expectExact(randomBucket(c, 600), c.seed, 1) ? ran : refused) += 1;
        for (c.seed = 1001; c.seed <= 1004 && !testing::Test::HasFailure(); ++c.seed)
          expectExact(randomBucket(c, 20'000), c.seed, 2);
      }
  EXPECT_GT(ran, trials(1500u)); // neither way is rare
  EXPECT_GT(refused, trials(150u));
}

/// Returns a bundle of sum(x) of the values over x times the constants: the reduction over the
/// product.
Bundle productBundle(ElementType type, Semiring semiring, const std::vector<double> &constants,
                     const std::vector<double> &overX) {
  BundleBuilder builder(type);
  const VarId x = builder.variable(static_cast<uint32_t>(overX.size()));
  std::vector<BufferId> operands{builder.input({x}, overX)};
  for (const double constant : constants)
    operands.push_back(builder.input({}, {constant}));
  builder.operation(semiring, operands, {});
  return builder.finish();
}

constexpr Semiring kSum{Reduce::Sum, Combine::Times};

/// Returns the only result, or the error.
std::string resultOf(const Bundle &bundle) {
  const Outcome outcome = runIntegerBundle(bundle, 1);
  return outcome.executor
             ? fmt::format("{}",
                           outcome.executor->table(BufferId(bundle.buffers.size() - 1)).whole(0))
             : outcome.refusal;
}

TEST(IntegerBuckets, U64EndsAtTwoToThe64) {
  const double p32 = 0x1p32;
  EXPECT_EQ(resultOf(productBundle(ElementType::U64, kSum, {p32 - 1}, {p32 + 1})),
            "18446744073709551615");
  EXPECT_EQ(resultOf(productBundle(ElementType::U64, kSum, {p32}, {p32})),
            "a count is above 2^64 - 1, the greatest u64; --type u128 holds counts below 2^128, "
            "f64 rounds them but holds any (operation op0)");
  EXPECT_EQ(resultOf(productBundle(ElementType::U128, kSum, {p32}, {p32})), "18446744073709551616");
  // The sum, not a term: 2^63 + (2^63 - 1), and one more.
  EXPECT_EQ(resultOf(productBundle(ElementType::U64, kSum, {}, {0x1p63, 0x1p63 - 1024, 1023})),
            "18446744073709551615");
  EXPECT_NE(resultOf(productBundle(ElementType::U64, kSum, {}, {0x1p63, 0x1p63 - 1024, 1024}))
                .find("2^64 - 1"),
            std::string::npos);
}

TEST(IntegerBuckets, U128EndsAtTwoToThe128) {
  // The prime factors of 2^128 - 1.
  const std::vector<double> primes{15, 17, 257, 641, 65537, 274177, 6700417};
  EXPECT_EQ(resultOf(productBundle(ElementType::U128, kSum, primes, {67280421310721})),
            "340282366920938463463374607431768211455");
  EXPECT_EQ(resultOf(productBundle(ElementType::U128, kSum, {0x1p52, 0x1p52}, {0x1p24})),
            "a count is above 2^128 - 1, the greatest u128; --type f64 rounds counts but holds any "
            "(operation op0)");
  EXPECT_NE(resultOf(productBundle(ElementType::U128, kSum, primes, {67280421310721, 1}))
                .find("operation op0"),
            std::string::npos);
}

TEST(IntegerBuckets, ZeroTimesTooMuchIsZeroAndAMinimumForgetsIt) {
  const double p40 = 0x1p40;
  EXPECT_EQ(resultOf(productBundle(ElementType::U64, kSum, {p40, p40}, {0, 0})), "0");
  EXPECT_EQ(
      resultOf(productBundle(ElementType::U64, {Reduce::Min, Combine::Times}, {p40}, {p40, 3})),
      fmt::format("{}", Uint128{3} << 40));
  EXPECT_NE(resultOf(productBundle(ElementType::U64, {Reduce::Min, Combine::Times}, {p40}, {p40}))
                .find("operation op0"),
            std::string::npos);
  EXPECT_NE(
      resultOf(productBundle(ElementType::U64, {Reduce::Max, Combine::Times}, {p40}, {p40, 3}))
          .find("operation op0"),
      std::string::npos);
}

TEST(IntegerBuckets, WrongEntriesAreFound) {
  const Bundle bundle = productBundle(ElementType::U128, kSum, {3}, {5, 7});
  const Outcome outcome = runIntegerBundle(bundle, 1);
  const BundleOperation &operation = bundle.operations.front();
  std::vector<TableView> operands;
  for (const BundleAccess &access : operation.operands)
    operands.push_back(outcome.executor->table(access.buffer));
  TableView result = outcome.executor->table(operation.result.buffer);
  verifyOperation(operation, operands, result, 4);
  const Uint128 wrong = 37;
  result.entries = reinterpret_cast<const std::byte *>(&wrong);
  EXPECT_THROW(verifyOperation(operation, operands, result, 4), Error);
}

TEST(IntegerBuckets, HostValuesMustBeIntegersAndFit) {
  for (const double bad : {0.5, -1.0, 0x1p64, std::numeric_limits<double>::infinity()}) {
    const Bundle bundle = productBundle(ElementType::U64, kSum, {}, {1, bad < 0 ? 0 : bad});
    if (bad >= 0) {
      EXPECT_THROW(runOnCpu(bundle), Error) << bad;
    }
  }
  EXPECT_EQ(resultOf(productBundle(ElementType::U64, kSum, {}, {0x1p63})), "9223372036854775808");
}

} // namespace
} // namespace mpf::oracle
