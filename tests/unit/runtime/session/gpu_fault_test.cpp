// GPUs that fail in host programs. The driver is a fake whose launches do nothing, and whose memory
// is full while MPF_FAKE_CUDA_FULL is set (tests/support/fake_cuda.cpp).
#include "codegen/bundle/bundle.h"
#include "codegen/pipeline/pipeline.h"
#include "runtime/api/session.h"
#include "runtime/choose/jit_gpu.h"
#include "runtime/choose/jit_memory.h"
#include "runtime/choose/program_predictor.h"
#include "runtime/compile/nvrtc_compiler.h"
#include "runtime/library/jit_model.h"
#include "tests/support/error_kind.h"
#include "tests/unit/runtime/library/rain_model.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <fstream>
#include <gtest/gtest.h>
#include <optional>
#include <string>
#include <sys/resource.h>
#include <unistd.h>
#include <vector>

namespace mpf {
namespace {

const double kLog10Wet = std::log10(0.24), kLog10Dry = std::log10(0.76);

/// Sets a variable of the environment during the life of the object.
class Setting {
public:
  Setting(const char *name, const std::string &value) : name_(name) {
    if (const char *before = std::getenv(name)) {
      had_ = true;
      before_ = before;
    }
    ::setenv(name, value.c_str(), 1);
  }
  Setting(const Setting &) = delete;
  Setting &operator=(const Setting &) = delete;
  ~Setting() { had_ ? ::setenv(name_, before_.c_str(), 1) : ::unsetenv(name_); }

private:
  const char *const name_;
  bool had_ = false;
  std::string before_;
};

/// A model with one table of 8 MiB.
constexpr const char *kLarge = R"(
  var a, b : 1024
  factor f(a, b) = input
  query evidence
)";

/// Limits the address space, during its life, to less than the process has. Allocations fail unless
/// the allocator has free memory.
class NoMoreMemory {
public:
  NoMoreMemory() {
    ::getrlimit(RLIMIT_AS, &before_);
    uint64_t pages = 0;
    std::ifstream("/proc/self/statm") >> pages;
    rlimit limit = before_;
    limit.rlim_cur = pages / 2 * static_cast<uint64_t>(::sysconf(_SC_PAGESIZE));
    ::setrlimit(RLIMIT_AS, &limit);
  }
  NoMoreMemory(const NoMoreMemory &) = delete;
  NoMoreMemory &operator=(const NoMoreMemory &) = delete;
  ~NoMoreMemory() { ::setrlimit(RLIMIT_AS, &before_); }

private:
  rlimit before_{};
};

class GpuFault : public testing::Test {
protected:
  void SetUp() override {
    if (std::getenv("MPF_LIBCUDA") == nullptr)
      GTEST_SKIP() << "run by CTest, which names the driver";
    if (!NvrtcCompiler::available())
      GTEST_SKIP() << nvrtcMissingMessage();
  }

  static Program compiledFor(const std::string &schedule, const char *model = kRain) {
    CompileOptions options;
    options.schedule = schedule;
    return compileText(model, options);
  }
  static SessionOptions by(const std::string &schedule) {
    SessionOptions options;
    options.schedule = schedule;
    return options;
  }
};

class GpuFaultBySchedule : public GpuFault, public testing::WithParamInterface<const char *> {};
INSTANTIATE_TEST_SUITE_P(Schedules, GpuFaultBySchedule,
                         testing::Values("gpu", "greedy", "acceleration"));

TEST_P(GpuFaultBySchedule, OfMemoryWhileASessionOpensLeavesTheCpu) {
  const Program program = compiledFor(GetParam());
  const Setting full("MPF_FAKE_CUDA_FULL", "1");
  Session session(program, by(GetParam()));
  const Result result = session.run();
  EXPECT_NEAR(log10Of(result), kLog10Wet, 1e-12);
  EXPECT_TRUE(result.device.starts_with("cpu")) << result.device;
  EXPECT_NE(result.deviceFault.find("the GPU's driver gave no"), std::string::npos)
      << result.deviceFault;
  session.observe("wet", "no");
  EXPECT_NEAR(log10Of(session.run()), kLog10Dry, 1e-12);
}

TEST_P(GpuFaultBySchedule, OfADriverThatIsNotThereLeavesTheCpu) {
  const Setting nowhere("MPF_LIBCUDA", "/nowhere/libcuda.so.1");
  const Program program = compiledFor(GetParam());
  EXPECT_FALSE(program.bundle().tableDriven);
  EXPECT_FALSE(program.bundle().gpuFault.empty());
  Session session(program, by(GetParam()));
  const Result result = session.run();
  EXPECT_NEAR(log10Of(result), kLog10Wet, 1e-12);
  EXPECT_EQ(result.deviceFault, program.bundle().gpuFault);
  // A session on the CPU reports no fault of a GPU.
  EXPECT_EQ(Session(program, by("cpu")).run().deviceFault, "");
}

TEST_F(GpuFault, OfADriverThatWentAwayLeavesTheCpu) {
  const Program program = compiledFor("gpu");
  ASSERT_TRUE(program.bundle().tableDriven);
  const Setting nowhere("MPF_LIBCUDA", "/nowhere/libcuda.so.1");
  const Result result = Session(program, by("gpu")).run();
  EXPECT_NEAR(log10Of(result), kLog10Wet, 1e-12);
  EXPECT_NE(result.deviceFault, "");
}

TEST_F(GpuFault, OfAKernelThatMayNotBeCompiledLeavesTheCpu) {
  const Program program = compiledFor("gpu");
  const Setting cold("MPF_CACHE_DIR", "/nowhere");
  SessionOptions options = by("gpu");
  options.forbidCompiling = true;
  const Result result = Session(program, options).run();
  EXPECT_NEAR(log10Of(result), kLog10Wet, 1e-12);
  EXPECT_NE(result.deviceFault, "");
}

/// A run that was started is done again there, with what was bound and observed for it.
TEST_F(GpuFault, OfMemoryInMidSessionLeavesTheCpu) {
  Session session(compiledFor("gpu"), by("gpu"));
  session.observe("wet", "no");
  {
    const Setting full("MPF_FAKE_CUDA_FULL", "1"); // the plan of the first run needs some
    EXPECT_NEAR(log10Of(session.run()), kLog10Dry, 1e-12);
  }
  const Result result = session.run();
  EXPECT_NEAR(log10Of(result), kLog10Dry, 1e-12);
  EXPECT_NE(result.deviceFault.find("the GPU's driver gave no"), std::string::npos)
      << result.deviceFault;
}

/// The CPU takes over as soon as it can.
TEST_F(GpuFault, InMidSessionWhereTheCpuHasNoMemoryEitherIsNotTheEndOfTheSession) {
  if (MPF_SANITIZED)
    GTEST_SKIP() << "a sanitizer takes addresses for itself";
  Session session(compiledFor("gpu", kLarge), by("gpu"));
  session.bind("f", std::vector<double>(1024 * 1024, 2));
  {
    const Setting full("MPF_FAKE_CUDA_FULL", "1");
    const NoMoreMemory none;
    for (int i = 0; i < 2; ++i)
      EXPECT_EQ(errorKindOf([&] { session.run(); }), ErrorKind::MemoryBound);
    EXPECT_EQ(errorKindOf([&] { session.deviceLayout({}); }), ErrorKind::Unsupported);
  }
  const Result result = session.run();
  EXPECT_NEAR(log10Of(result), std::log10(2) * 21, 1e-12);
  EXPECT_NE(result.deviceFault, "");
}

TEST_F(GpuFault, OfAGpuThatWasAskedForIsAnError) {
  CompileOptions compile;
  compile.device = "gpu";
  SessionOptions options;
  options.device = "gpu";
  const Program program = compileText(kRain, compile);
  {
    const Setting full("MPF_FAKE_CUDA_FULL", "1");
    EXPECT_EQ(errorKindOf([&] { Session(program, options); }), ErrorKind::MemoryBound);
  }
  const Setting nowhere("MPF_LIBCUDA", "/nowhere/libcuda.so.1");
  EXPECT_EQ(errorKindOf([&] { Session(program, options); }), ErrorKind::Device);
  EXPECT_EQ(errorKindOf([&] { compileText(kRain, compile); }), ErrorKind::Device);
}

/// A plan that needs more memory than the host has asks the GPU for its own.
TEST_F(GpuFault, OfADriverThatIsTooOldIsToldToThePlanner) {
  const auto asked = [] {
    CompileSettings settings;
    settings.boundIsOfHost = true;
    setMachine(settings);
    return largerMemory(settings);
  };
  EXPECT_EQ(asked()->fault, "");
  const Setting old("MPF_LIBCUDA", "libm.so.6");
  const std::optional<MemoryBound> bound = asked();
  ASSERT_TRUE(bound);
  EXPECT_EQ(bound->bytes, 0u);
  EXPECT_NE(bound->fault.find("too old"), std::string::npos) << bound->fault;
}

/// A machine without a GPU has nothing that fails.
TEST_F(GpuFault, IsNoneWhereNobodyMissesAGpu) {
  const Setting nowhere("MPF_LIBCUDA", "/nowhere/libcuda.so.1");
  const Result result = Session(compiledFor("auto"), {}).run();
  EXPECT_NEAR(log10Of(result), kLog10Wet, 1e-12);
  EXPECT_EQ(result.deviceFault, "");
}

/// The GPU starts when orders are found, and overlaps the rest of planning.
TEST(GpuExpectation, IsOfOrdersThatTakeACpuLongerThanAGpuTakesToOpen) {
  size_t calls = 0;
  CompileSettings settings;
  settings.threads = 1;
  settings.expectedRuns = 10;
  settings.gpuExpected = [&calls] { ++calls; };
  const PipelineHooks hooks = gpuExpectation(settings);
  ASSERT_TRUE(hooks.ordered);
  hooks.ordered({1e6});
  EXPECT_EQ(calls, 0u);
  hooks.ordered({1e12});
  EXPECT_EQ(calls, 1u);
  settings.devices = DeviceRequest::cpu();
  EXPECT_FALSE(gpuExpectation(settings).ordered);
  settings.devices = {};
  settings.gpuExpected = {};
  EXPECT_FALSE(gpuExpectation(settings).ordered);
}

TEST(GpuExpectation, IsToldOfByThePipelineBeforeThePasses) {
  std::vector<std::string> told;
  PipelineOptions options;
  options.hooks.ordered = [&told](const OrdersFound &orders) {
    EXPECT_GT(orders.operations, 0);
    told.emplace_back("ordered");
  };
  options.hooks.afterPlanPass = [&told](const PassEvent &event) { told.emplace_back(event.pass); };
  const Model model = modelFor(Network::parse(kRain), {});
  Diagnostics warnings;
  Pipeline(options).compile(model, model.queries.front(), warnings);
  const auto at = std::ranges::find(told, "ordered");
  ASSERT_NE(at, told.end());
  EXPECT_EQ(at - told.begin(), 1); // behind initial-program
}

} // namespace
} // namespace mpf
