// Predicted times on several threads, from given times on one thread.
#include "runtime/predict/predict_threads.h"
#include "tests/oracle/bundle_builder.h"

#include <gtest/gtest.h>
#include <numeric>

namespace mpf {
namespace {

constexpr Semiring kSumProduct{Reduce::Sum, Combine::Times};
constexpr size_t kOperations = 40;

/// Waking 4 threads takes 20 us.
constexpr ThreadCosts kCosts{.wakeUs = 10, .handUs = 0, .sharingUs = 2, .crowding = 0};

double sharedUs(double oneUs, size_t threads, const ThreadCosts &costs = kCosts) {
  CpuSpeed speed;
  speed.threads = costs;
  return mpf::sharedUs(oneUs, threads, speed);
}

/// Each operation reads the one before.
Bundle chainOfOperations() {
  oracle::BundleBuilder builder;
  BufferId last = builder.input({builder.variable(2)}, {1, 2});
  for (size_t i = 0; i < kOperations; ++i)
    last = builder.operation(kSumProduct, {last}, {});
  builder.output(last);
  return builder.finish();
}

/// Each operation reads a separate input.
Bundle branches() {
  oracle::BundleBuilder builder;
  for (size_t i = 0; i < kOperations; ++i) {
    const VarId x = builder.variable(2);
    builder.output(builder.operation(kSumProduct, {builder.input({x}, {1, 2})}, {}));
  }
  return builder.finish();
}

/// Returns the time of a run in which every operation takes one thread `eachUs`.
double runUs(const Bundle &bundle, double eachUs, size_t threads) {
  CpuSpeed speed;
  speed.threads = kCosts;
  const std::vector<double> one(bundle.operations.size(), eachUs);
  const std::vector<double> times = spreadOverThreads(bundle, one, speed, threads);
  return std::accumulate(times.begin(), times.end(), 0.0);
}

TEST(PredictThreads, SharingCostsLessOfALongOperation) {
  EXPECT_DOUBLE_EQ(sharedUs(400, 1), 400);
  EXPECT_DOUBLE_EQ(sharedUs(400, 4), 100 + 2 * 20 * 0.75);
  EXPECT_DOUBLE_EQ(sharedUs(10, 4), 10); // one thread's
  EXPECT_LT(sharedUs(1e6, 16), 1e6 / 15.0);
}

TEST(PredictThreads, CrowdingSlowsAllDown) {
  ThreadCosts crowded = kCosts;
  crowded.crowding = 0.1;
  EXPECT_DOUBLE_EQ(sharedUs(400, 4, crowded), 130 + 2 * 20 * 0.75);
}

TEST(PredictThreads, BranchesDivideTheWork) {
  EXPECT_NEAR(runUs(branches(), 15, 1), kOperations * 15, 1e-9);
  // One of them is the longest chain; the others are divided.
  EXPECT_NEAR(runUs(branches(), 15, 4), 20 + 15 + (kOperations - 1) * 15 / 4.0, 1e-9);
}

TEST(PredictThreads, ShortRunsStayOnOneThread) {
  EXPECT_NEAR(runUs(branches(), 2, 6), kOperations * 2, 1e-9);
}

TEST(PredictThreads, AChainOfShortOperationsGainsNothing) {
  EXPECT_NEAR(runUs(chainOfOperations(), 15, 6), kOperations * 15, 1e-9);
}

TEST(PredictThreads, LargeOperationsOfAChainAreShared) {
  EXPECT_NEAR(runUs(chainOfOperations(), 500, 4), 20 + kOperations * sharedUs(500, 4), 1e-6);
}

} // namespace
} // namespace mpf
