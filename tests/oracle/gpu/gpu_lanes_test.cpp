// Tests cases in lanes on a GPU, in every kind of kernel: each has the answer of its single run by
// the definition. Kernels made for a program must be compiled. So those kinds get few models, each
// with other demands, and compile side by side. The table-driven kernels run any model and get most
// of them.
#include "codegen/emit/lane_kernel_choice.h"
#include "codegen/emit/lanes/team_source.h"
#include "dsl/support/check.h"
#include "runtime/choose/jit_gpu.h"
#include "runtime/execute/gpu/cuda_device.h"
#include "runtime/execute/gpu/runs/gpu_executor.h"
#include "runtime/execute/lanes/case_runner.h"
#include "runtime/machine/gpu_lane_backend.h"
#include "tests/oracle/lane_trials.h"
#include "tests/support/trials.h"

#include <algorithm>
#include <atomic>
#include <fmt/format.h>
#include <gtest/gtest.h>
#include <thread>

namespace mpf::oracle {
namespace {

enum class Kernels { Threads, Teams, TableDriven };

struct GpuLaneRun {
  const char *name;
  Kernels kernels;
  ElementType type;
  int leastExponent; ///< of the factors' entries
  int models;
};

/// The result of one runner for a trial.
struct Answered {
  CaseAnswers answers;
  CaseCounts counts;
  bool isOnDevice = false; ///< the GPU answers, but for the cases that it leaves
  std::string refused;     ///< why lanes, or this kind of kernels, refuse the program
  std::string failed;
};

class GpuLanesOfModels : public testing::TestWithParam<GpuLaneRun> {
protected:
  void SetUp() override {
    if (const std::string reason = gpuUnavailableReason(); !reason.empty())
      GTEST_SKIP() << reason;
    device_.emplace();
  }

  /// Returns options that take turns: impossible evidence, tables that cases give, tables that are
  /// bound or follow from params, functions, weights at the edges.
  static LaneTrialOptions optionsOf(int number) {
    LaneTrialOptions options;
    options.leastExponent = GetParam().leastExponent;
    options.givesTables = number % 3 == 1;
    options.bindsTables = number % 4 >= 2;
    options.setsParams = number % 5 == 2;
    if (number % 7 == 3)
      options.model.zeroShare = 0.6;
    if (number % 7 == 5)
      options.model = {.zeroShare = 0, .functionalShare = 0.6};
    constexpr int kWeights[] = {-160, -1070, 1020};
    if (number % 8 == 7)
      options.weightExponent = kWeights[number / 8 % 3];
    return options;
  }

  static LaneTexts textsOf(const LaneProgram &program, const CommonTables &common,
                           const LinearPlan &plan, ElementType type) {
    const std::string arch = gpuBackendArch();
    const LaneLimitsOfDevice limits =
        laneLimitsFor(knowsGpu(arch) ? targetNamed(arch) : leastTarget(), {});
    LaneTexts texts{std::nullopt, teamSource(type)};
    if (GetParam().kernels == Kernels::Threads)
      texts.kernel = emitLanes(program, common, plan, type, limits.threads);
    if (GetParam().kernels == Kernels::Teams)
      texts.kernel = emitTeams(program, plan, type, limits.teams);
    if (!texts.kernel && GetParam().kernels != Kernels::TableDriven)
      fail(ErrorKind::Unsupported, "beyond the limits of this kind of kernels");
    return texts;
  }

  static CaseRunnerOptions runnerOptions() {
    CaseRunnerOptions options;
    options.device = [](const LaneProgram &program, const CommonTables &common,
                        const LinearPlan &plan, ElementType type, ThreadPool &pool) {
      return openGpuLanes(program, common, plan, textsOf(program, common, plan, type), type, {},
                          pool);
    };
    return options;
  }

  /// Answers a trial. Bound tables have other values in a first run, whose answers are ignored.
  static Answered answered(const LaneTrial &trial) {
    Answered found;
    try {
      const LanePlan plan = planTrial(trial, GetParam().type);
      CaseRunner runner(plan.program, runnerOptions());
      const auto bind = [&](double factor) {
        for (const FactorId id : trial.bound) {
          std::vector<double> values = *trial.model.factor(id).values;
          for (double &value : values)
            value *= factor;
          runner.bind(trial.model.factor(id).name, values);
        }
      };
      if (!trial.bound.empty()) {
        bind(0.75);
        runner.run(trial.block, found.answers);
        bind(1);
      }
      const CaseCounts before = runner.counts();
      runner.run(trial.block, found.answers);
      found.counts = runner.counts();
      found.counts.inF64 -= before.inF64;
      found.counts.wide -= before.wide;
      found.isOnDevice = runner.onDevice() != nullptr;
    } catch (const Error &error) {
      (error.kind() == ErrorKind::Unsupported ? found.refused : found.failed) = error.what();
    }
    return found;
  }

  /// Answers all trials. Kernels are compiled for several programs at a time; the first program
  /// compiles those that run any program.
  static std::vector<Answered> answerAll(const std::vector<LaneTrial> &trials) {
    std::vector<Answered> all(trials.size());
    all.front() = answered(trials.front());
    std::atomic<size_t> next{1};
    std::vector<std::thread> workers;
    for (unsigned i = 0; i < std::max(1U, std::thread::hardware_concurrency()); ++i)
      workers.emplace_back([&] {
        for (size_t at = next++; at < trials.size(); at = next++)
          all[at] = answered(trials[at]);
      });
    for (std::thread &worker : workers)
      worker.join();
    return all;
  }

  std::optional<CudaDevice> device_; ///< keeps the context between runners
};

TEST_P(GpuLanesOfModels, EveryCaseHasTheAnswerOfItsSingleRun) {
  const int models = trials(GetParam().models);
  std::mt19937_64 random(61);
  std::vector<LaneTrial> drawn;
  for (int i = 0; i < models; ++i)
    drawn.push_back(randomTrial(random, i, optionsOf(i)));
  const std::vector<Answered> all = answerAll(drawn);
  const bool isSingle = GetParam().type == ElementType::F32;
  // A share of a posterior below the least float may be 0, as below the least double.
  LaneJudge judge(isSingle ? 1e-5 : 1e-12, isSingle ? 0x1p-100L : 1e-300L);
  int refused = 0, onDevice = 0;
  uint64_t cases = 0, left = 0;
  for (size_t i = 0; i < drawn.size() && !HasFatalFailure(); ++i) {
    SCOPED_TRACE(fmt::format("model {}", i));
    ASSERT_EQ(all[i].failed, "");
    refused += all[i].refused.empty() ? 0 : 1;
    onDevice += all[i].isOnDevice ? 1 : 0;
    if (!all[i].refused.empty())
      continue;
    cases += drawn[i].block.count;
    left += all[i].counts.inF64 + all[i].counts.wide;
    judge.compare(drawn[i].model, drawn[i].query, drawn[i].schema, drawn[i].block, all[i].answers);
  }
  if (HasFatalFailure())
    return;
  EXPECT_EQ(judge.compared(), cases);
  EXPECT_GT(judge.observed(), 0u);
  EXPECT_GT(judge.impossible(), 0u);
  EXPECT_LT(refused, models / 4);
  EXPECT_GT(onDevice, models / 2) << refused << " refused";
  // The GPU is judged here, so it must answer most cases, unless values are too far apart for it.
  if (GetParam().leastExponent > -100) {
    EXPECT_LT(left, cases / 4);
  }
}

INSTANTIATE_TEST_SUITE_P(
    Runs, GpuLanesOfModels,
    testing::Values(
        GpuLaneRun{"TableDrivenF64", Kernels::TableDriven, ElementType::F64, 0, 1000},
        GpuLaneRun{"TableDrivenF32", Kernels::TableDriven, ElementType::F32, 0, 1000},
        GpuLaneRun{"TableDrivenF64Spread", Kernels::TableDriven, ElementType::F64, -60, 300},
        GpuLaneRun{"TableDrivenF32Spread", Kernels::TableDriven, ElementType::F32, -12, 300},
        GpuLaneRun{"TableDrivenF64Far", Kernels::TableDriven, ElementType::F64, -1000, 300},
        GpuLaneRun{"TableDrivenF32Far", Kernels::TableDriven, ElementType::F32, -120, 300},
        GpuLaneRun{"ThreadsF64", Kernels::Threads, ElementType::F64, 0, 60},
        GpuLaneRun{"ThreadsF32", Kernels::Threads, ElementType::F32, 0, 60},
        GpuLaneRun{"ThreadsF64Far", Kernels::Threads, ElementType::F64, -1000, 40},
        GpuLaneRun{"ThreadsF32Far", Kernels::Threads, ElementType::F32, -120, 40},
        GpuLaneRun{"TeamsF64", Kernels::Teams, ElementType::F64, 0, 60},
        GpuLaneRun{"TeamsF32", Kernels::Teams, ElementType::F32, 0, 60},
        GpuLaneRun{"TeamsF64Far", Kernels::Teams, ElementType::F64, -1000, 40},
        GpuLaneRun{"TeamsF32Far", Kernels::Teams, ElementType::F32, -120, 40}),
    [](const auto &run) { return std::string(run.param.name); });

} // namespace
} // namespace mpf::oracle
