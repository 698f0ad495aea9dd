// Device runs, which the host does not check, on a fake GPU (tests/support/fake_cuda.cpp): the
// plans between which the device chooses, and the runs with one plan. tests/simt/guard_test.cpp
// tests the guard.
#include "runtime/execute/gpu/gpu_guard.h"
#include "runtime/execute/gpu/runs/gpu_executor.h"
#include "runtime/schedule/build_schedule.h"
#include "tests/oracle/bind_observed.h"
#include "tests/oracle/bundle_builder.h"
#include "tests/unit/runtime/execute/gpu/scripted_driver.h"

#include <algorithm>
#include <gtest/gtest.h>
#include <memory>
#include <string>
#include <vector>

namespace mpf {
namespace {

/// A row of products, each of the one before and an input; the first `kernels` are specialised. The
/// text of kernels does not matter here, except that the specialised one waits: its launches
/// overlap with those before.
Bundle rowOfProducts(int products, int kernels) {
  constexpr Semiring kSum{Reduce::Sum, Combine::Times};
  oracle::BundleBuilder build;
  const VarId a = build.variable(2);
  BufferId last = build.input({a}, {0.25, 0.75});
  for (int i = 0; i < products; ++i)
    last = build.operation(kSum, {build.input({a}, {0.5, 0.5}), last}, {a});
  build.output(last);
  Bundle bundle = build.finish();
  const auto add = [&](const std::string &name, const std::string &begin) {
    BundleKernel &kernel = bundle.kernels.emplace_back();
    kernel.name = name;
    kernel.source = "#define MPF_GRID_BEGIN(mode)\nextern \"C\" __global__ void " + name +
                    "() {\n" + begin + "}\n";
    return static_cast<uint32_t>(bundle.kernels.size() - 1);
  };
  const uint32_t own = add("own", "  MPF_GRID_BEGIN(0);\n");
  for (int i = 0; i < kernels; ++i)
    bundle.operations[static_cast<size_t>(i)].kernel = own;
  bundle.tableDriven = add("table_driven", "");
  return bundle;
}

constexpr const char *kOwn = "overlapping", *kFallback = "launch";

class GuardedRuns : public ScriptedDriver {
protected:
  void SetUp() override {
    ScriptedDriver::SetUp();
    for (const char *name :
         {"MPF_FAKE_CUDA_BRANCH", "MPF_FAKE_CUDA_NO_BRANCH", "MPF_FAKE_CUDA_SERIAL_BRANCH"})
      ::unsetenv(name);
  }
  void TearDown() override { SetUp(); }

  /// Runs with the values of an input on the device.
  void make(Bundle bundle, uint32_t onDevice = 0) {
    executor_.reset();
    bundle_ = std::move(bundle);
    GpuOptions options;
    options.joins.which = JoinLevels::Off;
    executor_ = makeGpuExecutor(bundle_, options);
    oracle::bindObserved(bundle_, *executor_);
    const std::vector<uint32_t> inputs = {onDevice};
    executor_->onDevice()->prepare(inputs);
  }

  /// Returns the driver's calls in one run, without those of binding, reading and streams.
  /// Operations before `first` do not run.
  std::vector<std::string> run(uint32_t first = 0) {
    const std::vector<uint64_t> values = {reinterpret_cast<uint64_t>(values_)};
    const Evidence none;
    std::vector<ScheduleStep> steps = buildSchedule(bundle_, DeviceId::gpu(0)).steps;
    std::erase_if(steps, [&](const ScheduleStep &step) {
      return step.kind == StepKind::Run && step.index < first;
    });
    calls();
    executor_->onDevice()->startOnDevice(steps,
                                         {none, values, reinterpret_cast<uint64_t>(results_),
                                          reinterpret_cast<uint64_t>(exponents_), 0, 0, nullptr});
    std::vector<std::string> words = calls();
    for (std::string &line : words)
      line.resize(line.find(' '));
    // Modules are loaded before anything is recorded.
    EXPECT_EQ(std::find(std::ranges::find(words, "branch"), words.end(), "load"), words.end());
    const auto isOther = [](const std::string &word) {
      return word == "record" || word == "wait" || word == "upload" || word == "load";
    };
    words.erase(std::remove_if(words.begin(), words.end(), isOther), words.end());
    EXPECT_GE(words.size(), 4u);
    words.erase(words.begin(), words.begin() + 2); // binds
    words.erase(words.end() - 2, words.end());     // reads
    std::erase(words, "synchronize");
    return words;
  }

  static size_t count(const std::vector<std::string> &words, const std::string &what) {
    return static_cast<size_t>(std::ranges::count(words, what));
  }

  Bundle bundle_;
  std::unique_ptr<Executor> executor_;
  double values_[2] = {1, 2}, results_[2] = {};
  int32_t exponents_[1] = {};
};

/// Repeats words.
std::vector<std::string> repeated(const std::vector<std::string> &words, int times) {
  std::vector<std::string> all;
  for (int i = 0; i < times; ++i)
    all.insert(all.end(), words.begin(), words.end());
  return all;
}

std::vector<std::string> joined(const std::vector<std::vector<std::string>> &parts) {
  std::vector<std::string> all;
  for (const std::vector<std::string> &part : parts)
    all.insert(all.end(), part.begin(), part.end());
  return all;
}

TEST_F(GuardedRuns, AreOneGraphWithTheCarefulLaunchesInItsBranch) {
  make(rowOfProducts(6, 6));
  const std::vector<std::string> first = run();
  const DeviceRunLaunches launches = executor_->onDevice()->launches();
  EXPECT_EQ(launches.always, 6u);
  EXPECT_EQ(launches.again, 12u) << "each with its fallback";
  const std::vector<std::string> guard = {"launch"};
  EXPECT_EQ(
      first,
      joined({repeated({kOwn}, 6), guard, {"branch"}, repeated({kOwn, kFallback}, 6), {"graph"}}));
  for (int i = 0; i < 3; ++i)
    EXPECT_EQ(run(), std::vector<std::string>{"graph"});
}

TEST_F(GuardedRuns, TheDeviceTakesTheBranch) {
  make(rowOfProducts(6, 6));
  run();
  ::setenv("MPF_FAKE_CUDA_BRANCH", "1", 1);
  EXPECT_EQ(
      run(),
      joined({{"graph"},
              repeated({"branch-" + std::string(kOwn), "branch-" + std::string(kFallback)}, 6)}));
  ::unsetenv("MPF_FAKE_CUDA_BRANCH");
  EXPECT_EQ(run(), std::vector<std::string>{"graph"});
}

TEST_F(GuardedRuns, LaunchKernelsBeforeTheyRecordThemWhereThatIsRefused) {
  if (std::getenv("MPF_FAKE_CUDA_LAZY") == nullptr)
    GTEST_SKIP() << "the driver has loaded all by now";
  make(rowOfProducts(6, 6));
  const std::vector<std::string> assumed = repeated({kOwn}, 6),
                                 careful = repeated({kOwn, kFallback}, 6);
  EXPECT_EQ(run(), joined({assumed, careful, assumed, {"launch"}, {"branch"}, careful, {"graph"}}));
  EXPECT_EQ(run(), std::vector<std::string>{"graph"});
}

TEST_F(GuardedRuns, DoWithoutOverlapInBranchesWhereItIsRefused) {
  ::setenv("MPF_FAKE_CUDA_SERIAL_BRANCH", "1", 1);
  make(rowOfProducts(6, 6));
  const std::vector<std::string> assumed = repeated({kOwn}, 6), behind = {"launch", "branch"},
                                 careful = repeated({kOwn, kFallback}, 6);
  EXPECT_EQ(run(), joined({assumed,
                           behind,
                           careful, // refused
                           assumed,
                           careful, // launched, lest that was missing
                           assumed,
                           behind,
                           careful, // refused
                           assumed,
                           behind,
                           repeated({"launch"}, 12),
                           {"graph"}}));
  EXPECT_EQ(run(), std::vector<std::string>{"graph"});
}

TEST_F(GuardedRuns, WithoutBranchesAreCareful) {
  ::setenv("MPF_FAKE_CUDA_NO_BRANCH", "1", 1);
  make(rowOfProducts(6, 6));
  run();
  EXPECT_EQ(executor_->onDevice()->launches().always, 12u);
  EXPECT_EQ(executor_->onDevice()->launches().again, 0u);
  EXPECT_EQ(run(), joined({repeated({kOwn, kFallback}, 6), {"graph"}})) << "recorded";
  EXPECT_EQ(run(), std::vector<std::string>{"graph"});
}

TEST_F(GuardedRuns, SpareMoreThanAGuardTakesOrAreCareful) {
  make(rowOfProducts(6, 3)); // three fallbacks less
  for (int i = 0; i < 3; ++i) {
    EXPECT_EQ(count(run(), "branch"), 0u);
    EXPECT_EQ(executor_->onDevice()->launches().again, 0u);
  }
  make(rowOfProducts(6, 4));
  EXPECT_EQ(count(run(), "branch"), 1u);
}

TEST_F(GuardedRuns, RunChainsAsOneKernelUntilTheAssumptionFails) {
  make(rowOfProducts(2, 2));
  EXPECT_EQ(count(run(), "branch"), 0u);
  Bundle bundle = rowOfProducts(2, 2);
  bundle.chains.push_back({0, 2, 1, 0});
  make(std::move(bundle));
  EXPECT_EQ(run(),
            joined({{kOwn}, {"launch"}, {"branch"}, repeated({kOwn, kFallback}, 2), {"graph"}}));
}

TEST_F(GuardedRuns, MayReadWhatAnotherRunHasLeft) {
  make(rowOfProducts(12, 12), 7);
  run();
  run(6);
  EXPECT_EQ(executor_->onDevice()->launches().always, 6u);
  EXPECT_EQ(executor_->onDevice()->launches().again, 12u) << "all of them unproven";
  EXPECT_EQ(run(6), std::vector<std::string>{"graph"});
  EXPECT_EQ(run(), std::vector<std::string>{"graph"}) << "the other graph is still there";
}

TEST_F(GuardedRuns, OfLogarithmsAssumeNothing) {
  Bundle bundle = rowOfProducts(6, 6);
  bundle.forcedLog = true;
  make(std::move(bundle));
  EXPECT_EQ(count(run(), "branch"), 0u);
  EXPECT_EQ(executor_->onDevice()->launches().again, 0u);
}

TEST_F(GuardedRuns, AreRecordedAgainWhereAPlanChanges) {
  make(rowOfProducts(12, 12), 7);
  run();
  EXPECT_EQ(run(), std::vector<std::string>{"graph"});
  EXPECT_EQ(executor_->onDevice()->launches().again, 18u) << "half of them proven exact";
  executor_->setInput(bundle_.inputs[3].buffer, {0, -1000, 1000, 0});
  const std::vector<std::string> words = run();
  EXPECT_EQ(count(words, "branch"), 1u);
  EXPECT_EQ(words.back(), "graph");
  EXPECT_EQ(executor_->onDevice()->launches().again, 22u);
  EXPECT_EQ(run(), std::vector<std::string>{"graph"});
}

TEST(GuardKernels, CompileWithoutSpills) {
  if (!NvrtcCompiler::available())
    GTEST_SKIP() << nvrtcMissingMessage();
  std::vector<CompileRequest> requests;
  for (const ElementType type : {ElementType::F32, ElementType::F64})
    for (const char *arch : {"sm_80", "sm_90"})
      requests.push_back({guardName(type), guardSource(type), arch});
  expectNoSpills(requests, 1);
}

} // namespace
} // namespace mpf
