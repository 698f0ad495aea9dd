#include "tools/mpf-bench/bench_cases.h"

#include "dsl/support/files/file_output.h"
#include "dsl/support/system/thread_count.h"
#include "runtime/execute/lanes/case_runner.h"
#include "tools/mpf-bench/measure/case_sweep.h"
#include "tools/mpf-bench/measure/case_ways.h"
#include "tools/mpf-bench/measure/clock_seconds.h"
#include "tools/mpf-bench/measure/random_cases.h"
#include "tools/mpf-bench/measure/time_gpu_lanes.h"
#include "tools/mpf-bench/report/case_sweep_page.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <fmt/core.h>

namespace mpf::bench {

namespace {

/// The first rows, in numbers that lose nothing. Rows of `left` have no answer.
void checkRows(const LaneProgram &program, const CommonTables &common, const CaseBlock &block,
               const CaseAnswers &answers, const std::vector<uint32_t> &left,
               const CaseBenchOptions &options) {
  WideLanes wide(program, common);
  CaseAnswers expected;
  shapeAnswers(program, block.count, expected);
  const double tolerance = options.type == "f32" ? 2e-5 : 1e-11;
  for (uint32_t i = 0; i < std::min(options.checked, block.count); ++i) {
    if (std::binary_search(left.begin(), left.end(), i))
      continue;
    wide.run(block, i, expected);
    for (size_t t = 0; t < expected.tables.size(); ++t)
      for (size_t e = 0; e < expected.tables[t].size; ++e) {
        const ScaledNumber found = answers.tables[t].at(i, e), right = expected.tables[t].at(i, e);
        if (found.sign() == 0 && right.log2() < -100) // a share that a posterior in f32 rounds to 0
          continue;
        if (found.sign() != right.sign() ||
            (right.sign() != 0 && !(std::abs(found.ln() - right.ln()) <= tolerance)))
          fail(ErrorKind::Verification, "row {}, {}: ln {} instead of {}", i,
               expected.tables[t].name, found.ln(), right.ln());
      }
  }
}

std::string shapeText(const LanePlan &plan) {
  const LaneProgram &program = plan.program;
  const auto gathers =
      std::count_if(program.steps.begin(), program.steps.end(),
                    [](const LaneStep &step) { return std::holds_alternative<LaneGather>(step); });
  return fmt::format("lane {:.0f}, {} steps, {} of them rows, {} entries alive, {} shared",
                     plan.laneCost, program.steps.size(), gathers, program.laneElems,
                     plan.readElems);
}

/// Whole runs of the runner, with what it reads and writes on the host.
std::string timeOnCpu(const LanePlan &plan, const CommonTables &common, const CaseBlock &block,
                      const CaseBenchOptions &options) {
  CaseRunner runner(plan.program, {threadCount(options.threads)});
  CaseAnswers answers;
  runner.run(block, answers);
  checkRows(plan.program, common, block, answers, {}, options);
  double best = 0, passed = 0;
  const double cpuBefore = processSeconds();
  unsigned runs = 0;
  for (; runs < 3 || passed < options.seconds; ++runs) {
    const double before = clockSeconds(false);
    runner.run(block, answers);
    const double taken = clockSeconds(false) - before;
    best = runs == 0 ? taken : std::min(best, taken);
    passed += taken;
  }
  const double rows = static_cast<double>(block.count);
  return fmt::format("{}: {:.4g} rows/s, {:.4g} a core-second, {} of {} again in f64, {} wide",
                     runner.deviceName(), rows / best, rows * runs / (processSeconds() - cpuBefore),
                     runner.counts().second, runner.counts().cases, runner.counts().wide);
}

/// Launches over cases that stay on the device.
std::string timeOnGpu(const LanePlan &plan, const CommonTables &common, const CaseBlock &block,
                      const CaseBenchOptions &options) {
  const std::optional<GpuLaneTimes> times =
      timeGpuLanes(plan.program, common, *elementTypeNamed(options.type), block, options.seconds,
                   options.kernel);
  if (!times)
    return "gpu: no such kernel, or not linear";
  checkRows(plan.program, common, block, times->answers, times->left, options);
  return fmt::format("{}, {}: {:.4g} rows/s, {} of {} left, opened and compiled in {:.2f} s",
                     times->device, times->kernel,
                     static_cast<double>(block.count) / times->bestUs * 1e6, times->left.size(),
                     block.count, times->compileSeconds);
}

void benchModel(const std::string &path, const CaseBenchOptions &options) {
  const MeasuredCases cases = measuredCases(path, options.rows, options.observed);
  const double began = clockSeconds(false);
  const LanePlan plan =
      planLanes(cases, shortQuery(cases.model, kindOfTask(options.task)), options);
  const double planned = clockSeconds(false);
  const CommonTables common(plan.program);
  const double shared = clockSeconds(false);
  fmt::print("{} {} {}, {}; {}; planned in {:.3f} s, shared tables in {:.3f} s\n",
             path.substr(path.find_last_of('/') + 1), options.task, options.type,
             options.device == "gpu" ? timeOnGpu(plan, common, cases.block, options)
                                     : timeOnCpu(plan, common, cases.block, options),
             shapeText(plan), planned - began, shared - planned);
}

void benchSweeps(const CaseBenchOptions &options) {
  std::vector<CaseSweep> sweeps;
  for (const std::string &model : options.models) {
    sweeps.push_back(sweepCases(model, options));
    fmt::print("{}", sweepText(sweeps.back()));
    std::fflush(stdout);
  }
  if (!options.jsonFile.empty())
    writeFile(options.jsonFile, sweepJson(options.command, sweeps));
  if (!options.htmlFile.empty())
    writeFile(options.htmlFile, sweepPage(options.command, sweeps));
}

} // namespace

void benchCases(const CaseBenchOptions &options) {
  if (!options.sweep.empty())
    return benchSweeps(options);
  for (const std::string &model : options.models)
    benchModel(model, options);
}

} // namespace mpf::bench
