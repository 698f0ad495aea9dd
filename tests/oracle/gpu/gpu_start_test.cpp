// Tests a GPU that starts while a program is compiled, without a request for it by name.
#include "runtime/api/session.h"
#include "runtime/execute/gpu/device_start.h"
#include "runtime/execute/gpu/runs/gpu_executor.h"
#include "runtime/execute/gpu/start_times.h"

#include <algorithm>
#include <cstdio>
#include <gtest/gtest.h>
#include <string>

namespace mpf::oracle {
namespace {

constexpr const char *kTriangle = R"(
  param n = 300
  var x, y, z : n
  factor f(x, y) = 1 + (x < y)
  factor g(y, z) = 1 + (y < z)
  factor h(x, z) = 1 + (x < z)
  query evidence
)";

double log10By(const std::string &device, const std::string &schedule, Result &result) {
  CompileOptions compile;
  compile.device = device;
  compile.schedule = schedule;
  SessionOptions options;
  options.device = device;
  options.schedule = schedule;
  options.expectedRuns = 1;
  result = Session(compileText(kTriangle, compile), options).run();
  return result.tables.front().at(0).log10();
}

class GpuStart : public testing::Test {
protected:
  void SetUp() override {
    if (const std::string reason = gpuUnavailableReason(); !reason.empty())
      GTEST_SKIP() << reason;
  }
};

TEST_F(GpuStart, GoesOnBesideCompilingForEverySchedule) {
  Result result;
  const double expected = log10By("cpu", "auto", result);
  for (const char *schedule : {"gpu", "greedy", "acceleration", "auto"}) {
    EXPECT_NEAR(log10By("auto", schedule, result), expected, 1e-9) << schedule;
    EXPECT_EQ(result.deviceFault, "") << schedule;
  }
  EXPECT_NEAR(log10By("auto", "gpu", result), expected, 1e-9);
  EXPECT_NE(result.device.find("sm_"), std::string::npos) << result.device;
}

TEST_F(GpuStart, ConsistsOfParts) {
  Result result;
  startGpu();
  log10By("gpu", "auto", result);
  endGpu();
  const auto parts = startTimes();
  for (const char *name :
       {"driver", "context", "compile", "modules", "memory", "first copy", "end"}) {
    const auto at = std::ranges::find(parts, name, [](const auto &part) { return part.first; });
    ASSERT_NE(at, parts.end()) << name;
    EXPECT_GT(at->second, 0) << name;
    std::printf("start of the GPU: %s %.3f ms\n", name, at->second / 1000);
  }
}

} // namespace
} // namespace mpf::oracle
