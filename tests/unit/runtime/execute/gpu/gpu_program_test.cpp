// What a program puts on the stream of a GPU that is not there (tests/support/fake_cuda.cpp).
#include "runtime/execute/gpu/gpu_executor.h"
#include "runtime/schedule/build_schedule.h"
#include "tests/oracle/bind_observed.h"
#include "tests/oracle/random_bucket.h"
#include "tests/unit/runtime/execute/gpu/scripted_driver.h"

#include <algorithm>
#include <gtest/gtest.h>
#include <string>

namespace mpf {
namespace {

class GpuProgramLaunches : public ScriptedDriver {
protected:
  void SetUp() override {
    ScriptedDriver::SetUp();
    if (IsSkipped())
      return;
    oracle::BucketCase c;
    c.seed = 3;
    bundle_ = oracle::randomLevels(c, 60000);
    // Table-driven throughout; what the kernel is has no meaning here.
    bundle_.tableDriven = bundle_.kernels.size();
    BundleKernel kernel;
    kernel.name = "table_driven_f64";
    kernel.source = "extern \"C\" __global__ void mpf_level() {\n  MPF_GRID_BEGIN(0);\n}\n";
    kernel.source = "#define MPF_GRID_BEGIN(mode)\n" + kernel.source;
    bundle_.kernels.push_back(kernel);
  }

  void run(JoinLevels which) {
    GpuOptions options;
    options.joins.which = which;
    const auto executor = makeGpuExecutor(bundle_, options);
    oracle::bindObserved(bundle_, *executor);
    executor->run(buildSchedule(bundle_, StepDevice::Gpu).steps, {});
  }

  /// Lines that begin with `what`, since the last call.
  size_t count(const std::string &what) {
    return static_cast<size_t>(std::ranges::count_if(
        calls(), [&](const std::string &line) { return line.starts_with(what + " "); }));
  }

  Bundle bundle_;
};

TEST_F(GpuProgramLaunches, LevelsThatWaitForEachOtherAreOneCooperativeLaunch) {
  count("");
  run(JoinLevels::Off);
  EXPECT_EQ(count("cooperative"), 0u);
  run(JoinLevels::On);
  EXPECT_EQ(count("cooperative"), 1u);
}

TEST_F(GpuProgramLaunches, ACooperativeLaunchThatMayNotOverlapBeginsByItself) {
  count("");
  ASSERT_EQ(::setenv("MPF_FAKE_CUDA_SERIAL", "1", 1), 0);
  run(JoinLevels::On);
  ::unsetenv("MPF_FAKE_CUDA_SERIAL");
  EXPECT_EQ(count("cooperative-serial"), 1u);
}

} // namespace
} // namespace mpf
