#include "tools/mpf-bench/cases/measure_lanes.h"

#include "dsl/support/check.h"
#include "dsl/support/system/thread_count.h"
#include "runtime/execute/lanes/case_runner.h"
#include "tools/mpf-bench/cases/card_target.h"
#include "tools/mpf-bench/measure/case_ways.h"
#include "tools/mpf-bench/measure/clock_seconds.h"
#include "tools/mpf-bench/measure/time_gpu_lanes.h"

#include <algorithm>

namespace mpf::bench {

namespace {

constexpr unsigned kLeastPasses = 5;  ///< least number of passes for a median
constexpr int kLeastShareLog2 = -100; ///< shares that a posterior in f32 may round to 0

void setTimes(std::vector<double> seconds, CaseRate &rate) {
  std::ranges::sort(seconds);
  rate.passes = static_cast<unsigned>(seconds.size());
  rate.bestSeconds = seconds.front();
  rate.medianSeconds = seconds[seconds.size() / 2];
}

void setCompared(const ComparedAnswers &compared, CaseRate &rate) {
  rate.checked = compared.rows;
  rate.largestError = compared.largestError;
}

void timeOnCpu(const LanePlan &plan, const CommonTables &common, const CaseBlock &block,
               const CaseBenchOptions &options, CaseAnswers &answers, CaseRate &rate) {
  const unsigned threads = threadCount(options.threads);
  CaseRunnerOptions runnerOptions;
  runnerOptions.threads = threads;
  runnerOptions.own = {.expectedRuns = options.expectedRows, .threads = threads, .cacheFolder = {}};
  CaseRunner runner(plan.program, runnerOptions);
  const double began = clockSeconds(false);
  runner.deviceName(); // compiles, if that pays
  rate.compileSeconds = options.expectedRows == 0 ? 0 : clockSeconds(false) - began;
  runner.run(block, answers);
  rate.left = runner.counts().inF64 + runner.counts().wide;
  setCompared(checkRows(plan.program, common, block, answers, {}, options), rate);
  std::vector<double> seconds;
  for (double passed = 0; seconds.size() < kLeastPasses || passed < options.seconds;
       passed += seconds.back()) {
    const double before = clockSeconds(false);
    runner.run(block, answers);
    seconds.push_back(clockSeconds(false) - before);
  }
  setTimes(std::move(seconds), rate);
  rate.device = runner.deviceName();
  rate.floor = caseFloor(plan.program, *elementTypeNamed(options.type), block.count,
                         targetNamed("cpu"), threads);
}

void timeOnGpu(const LanePlan &plan, const CommonTables &common, const CaseBlock &block,
               const CaseBenchOptions &options, CaseAnswers &answers, CaseRate &rate) {
  const ElementType type = *elementTypeNamed(options.type);
  std::optional<GpuLaneTimes> times = timeGpuLanes(
      plan.program, common, type, block, options.seconds, options.kernel, options.teamWarps);
  if (!times)
    fail(ErrorKind::Unsupported, "no such kernel, or no linear arithmetic");
  answers = std::move(times->answers);
  rate.left = times->left.size();
  setCompared(checkRows(plan.program, common, block, answers, times->left, options), rate);
  std::vector<double> seconds;
  for (const double us : times->launchUs)
    seconds.push_back(us * 1e-6);
  setTimes(std::move(seconds), rate);
  rate.device = times->device;
  rate.way = times->kernel;
  rate.compileSeconds = times->compileSeconds;
  rate.floor = caseFloor(plan.program, type, block.count, targetOfCard(times->card), 1);
}

} // namespace

ComparedAnswers checkRows(const LaneProgram &program, const CommonTables &common,
                          const CaseBlock &block, const CaseAnswers &answers,
                          const std::vector<uint32_t> &left, const CaseBenchOptions &options) {
  const double began = clockSeconds(false);
  WideLanes wide(program, common);
  CaseAnswers expected;
  const uint32_t most = std::min(options.checked, block.count);
  shapeAnswers(program, most, expected);
  ComparedAnswers compared;
  for (uint32_t i = 0; i < most; ++i) {
    if (std::binary_search(left.begin(), left.end(), i))
      continue;
    if (compared.rows != 0 && clockSeconds(false) - began > options.seconds)
      break;
    wide.run(block, i, expected);
    ++compared.rows;
    for (size_t t = 0; t < expected.tables.size(); ++t)
      for (size_t e = 0; e < expected.tables[t].size; ++e) {
        const ScaledNumber found = answers.tables[t].at(i, e), right = expected.tables[t].at(i, e);
        if (found.sign() == 0 && expected.tables[t].normalised && right.log2() < kLeastShareLog2)
          continue;
        compared.add(found, right,
                     [&] { return fmt::format("row {}, {}", i, expected.tables[t].name); });
      }
  }
  compared.require(options.type);
  return compared;
}

CaseRate measureLanes(const MeasuredCases &cases, const CaseBenchOptions &options,
                      CaseAnswers &answers) {
  CaseRate rate;
  const double began = clockSeconds(false);
  const LanePlan plan =
      planLanes(cases, shortQuery(cases.model, kindOfTask(options.task)), options);
  const CommonTables common(plan.program);
  rate.planSeconds = clockSeconds(false) - began;
  rate.rows = cases.block.count;
  if (deviceRequestOf(options.device).requiresGpu())
    timeOnGpu(plan, common, cases.block, options, answers, rate);
  else
    timeOnCpu(plan, common, cases.block, options, answers, rate);
  rate.status = RunStatus::Solved;
  return rate;
}

} // namespace mpf::bench
