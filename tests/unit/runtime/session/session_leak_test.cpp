// 10^4 runs of one session: the heap as large as after the first hundred, and the same bits.
#include "runtime/api/session.h"
#include "runtime/machine/gpu_backend.h"

#include <cstring>
#include <fstream>
#include <gtest/gtest.h>
#include <malloc.h>
#include <map>
#include <unistd.h>
#include <vector>

namespace mpf {
namespace {

constexpr const char *kLeakModel = R"(
  var season : {dry, wet, cold}
  var rain, sprinkler, grass, slippery : {no, yes}
  factor forecast(season) = input
  prob P(rain | season) = [[0.9, 0.1], [0.3, 0.7], [0.6, 0.4]]
  prob P(sprinkler | season) = [[0.2, 0.8], [0.9, 0.1], [0.99, 0.01]]
  prob P(grass | rain, sprinkler) = [[[1, 0], [0.2, 0.8]], [[0.1, 0.9], [0.01, 0.99]]]
  prob P(slippery | rain) = [[0.97, 0.03], [0.4, 0.6]]
  observe grass = yes
  observe slippery = no
  query marginals
)";
constexpr int kRuns = 10'000;
constexpr int kWarmUp = 100; ///< runs after which thread pools, streams and caches exist
constexpr int kRunsPerError = 8;
/// The allocator counts what a thread freed and keeps for itself as held, so the books move a
/// little with the threads' turns. A leak of its smallest chunk (32 bytes) in every run, or in
/// every failed call, is far above this.
constexpr uint64_t kThreadCacheBytes = 32 << 10;
static_assert(kRuns / kRunsPerError * 2 * 32 > 2 * kThreadCacheBytes);

/// Bytes that the process has from the allocator, and all resident bytes.
struct Footprint {
  uint64_t heapBytes = 0;
  uint64_t residentBytes = 0;
};

Footprint footprint() {
  const struct mallinfo2 info = mallinfo2();
  uint64_t totalPages = 0, residentPages = 0;
  std::ifstream("/proc/self/statm") >> totalPages >> residentPages;
  return {info.uordblks + info.hblkhd,
          residentPages * static_cast<uint64_t>(sysconf(_SC_PAGESIZE))};
}

/// Every number of a result, bit for bit.
std::vector<double> numbersOf(const Result &result) {
  std::vector<double> numbers;
  for (const ResultTable &table : result.tables)
    numbers.insert(numbers.end(), table.entries.begin(), table.entries.end());
  return numbers;
}

bool sameBits(const std::vector<double> &a, const std::vector<double> &b) {
  return a.size() == b.size() && std::memcmp(a.data(), b.data(), a.size() * sizeof a[0]) == 0;
}

struct LeakCase {
  const char *name;
  const char *device;
  bool forcedLog;
  uint64_t heapSlackBytes; ///< not a leak: thread caches, drivers' own books
};

class SessionLeak : public testing::TestWithParam<LeakCase> {};

TEST_P(SessionLeak, TenThousandRunsHoldNoMoreMemoryAndTheSameBits) {
  const LeakCase &c = GetParam();
  if (std::string(c.device) == "gpu" && !gpuBackendUnavailable().empty())
    GTEST_SKIP() << gpuBackendUnavailable();
  CompileOptions options;
  options.device = c.device;
  options.forcedLog = c.forcedLog;
  options.expectedRuns = kRuns; // so that specialised kernels take part on a GPU
  SessionOptions sessionOptions;
  sessionOptions.device = c.device;
  sessionOptions.threads = 2;
  Session session(compileText(kLeakModel, options), sessionOptions);

  const std::vector<std::vector<double>> forecasts = {{1, 1, 1}, {5, 0, 2}, {1e-200, 3, 1e-180}};
  std::map<int, std::vector<double>> first; // by inputs
  Footprint before;
  for (int run = 0; run < kRuns; ++run) {
    if (run == kWarmUp)
      before = footprint();
    const int inputs = run % 6;
    session.bind("forecast", forecasts[static_cast<size_t>(inputs % 3)]);
    session.observe("grass", static_cast<uint32_t>(inputs % 2));
    if (run % kRunsPerError == 0) { // errors must not leak either
      EXPECT_THROW(session.bind("forecast", std::vector<double>{1}), Error);
      EXPECT_THROW(session.observe("slippery", "maybe"), Error);
    }
    const std::vector<double> numbers = numbersOf(session.run());
    const auto [known, isNew] = first.try_emplace(inputs, numbers);
    ASSERT_TRUE(isNew || sameBits(known->second, numbers)) << "run " << run;
  }
  const Footprint after = footprint();
  EXPECT_EQ(first.size(), 6u);
  EXPECT_FALSE(sameBits(first[0], first[1])) << "the inputs must matter";
  EXPECT_LE(after.heapBytes, before.heapBytes + c.heapSlackBytes);
  // Sanitizers replace the allocator (its books are empty then) and hold freed memory back.
  if (before.heapBytes > 0) {
    EXPECT_LE(after.residentBytes, before.residentBytes + (uint64_t{2} << 20));
  }
}

INSTANTIATE_TEST_SUITE_P(Devices, SessionLeak,
                         testing::Values(LeakCase{"cpu", "cpu", false, kThreadCacheBytes},
                                         LeakCase{"cpu_log", "cpu", true, kThreadCacheBytes},
                                         LeakCase{"gpu", "gpu", false, uint64_t{1} << 20}),
                         [](const auto &instance) { return std::string(instance.param.name); });

} // namespace
} // namespace mpf
