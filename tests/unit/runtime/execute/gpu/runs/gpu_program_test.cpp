// The calls of a program on the stream of a fake GPU (tests/support/fake_cuda.cpp).
#include "runtime/execute/gpu/cuda_device.h"
#include "runtime/execute/gpu/kernel_modules.h"
#include "runtime/execute/gpu/runs/gpu_executor.h"
#include "runtime/schedule/build_schedule.h"
#include "tests/oracle/bind_observed.h"
#include "tests/oracle/random_bucket.h"
#include "tests/unit/runtime/execute/gpu/scripted_driver.h"

#include <algorithm>
#include <gtest/gtest.h>
#include <string>
#include <utility>
#include <vector>

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
    // All operations are table-driven; the kernel's text does not matter here.
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
    executor->run(buildSchedule(bundle_, DeviceId::gpu(0)).steps, {});
  }

  /// Returns the lines of the log since the last call that begin with `what`.
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

TEST_F(GpuProgramLaunches, AModuleIsLoadedWhenAPlanLaunchesItsKernel) {
  BundleKernel unused;
  unused.name = "unused";
  unused.source = "extern \"C\" __global__ void unused() {}\n";
  bundle_.kernels.push_back(unused);
  count("");
  run(JoinLevels::Off);
  EXPECT_EQ(count("load"), 1u);

  const CudaDevice device;
  KernelStore store(openNvrtcCompiler, {});
  std::vector<std::string> images;
  for (const CompiledKernel &kernel :
       store.compileAll({{bundle_.kernels[0].name, bundle_.kernels[0].source, "sm_90"},
                         {unused.name, unused.source, "sm_90"}}))
    images.push_back(kernel.cubin);
  ASSERT_EQ(images.size(), bundle_.kernels.size());
  bundle_.operations[0].kernel = 1;
  KernelModules modules(device, bundle_, std::move(images), {0, 0});
  LaunchPlan plan;
  count("");
  modules.load(plan);
  EXPECT_EQ(count("load"), 0u);
  plan.launches = {{.kind = LaunchKind::Specialised, .first = 0}};
  modules.load(plan);
  EXPECT_EQ(count("load"), 1u);
  plan.launches.push_back({.kind = LaunchKind::Level, .first = 1});
  modules.load(plan);
  modules.load(plan);
  EXPECT_EQ(count("load"), 1u);
  EXPECT_NE(modules.specialised(1).function, modules.tableDriven("mpf_level").function);
  EXPECT_EQ(count("load"), 0u);
}

} // namespace
} // namespace mpf
