#include "tools/mpf-bench/networks/network_statistics.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace mpf::bench {

namespace {

bool isSolved(const SolverRun &run) { return run.run.status == RunStatus::Solved; }

/// Whether the process made a plan, for any status of the run.
bool hasPlan(const SolverRun &run) { return run.run.seconds.planning > 0; }

double workSeconds(const NetworkRun &run) { return run.seconds.plan() + run.seconds.anyRun(); }

void countStatus(const SolverRun &run, SolverSummary &summary) {
  ++summary.tasks;
  size_t *const counts[] = {&summary.solved,   &summary.planned, &summary.refused,
                            &summary.timedOut, &summary.notRun,  &summary.failed};
  ++*counts[static_cast<size_t>(run.run.status)];
  summary.different += run.difference.empty() ? 0 : 1;
}

/// Returns the errors of `timesUs`, which returns a predicted and a measured time, in microseconds;
/// one that is 0 is unknown.
template <class TimesUs>
PredictionError errorOf(const std::vector<const SolverRun *> &runs, const TimesUs &timesUs) {
  std::vector<double> ratios, errors;
  for (const SolverRun *run : runs) {
    const auto [predictedUs, measuredUs] = timesUs(run->run);
    if (!isSolved(*run) || predictedUs <= 0 || measuredUs <= 0)
      continue;
    ratios.push_back(predictedUs / measuredUs);
    errors.push_back(std::abs(ratios.back() - 1));
  }
  PredictionError error;
  error.count = ratios.size();
  error.geometricRatio = geometricMean(ratios);
  error.median = quantile(errors, 0.5);
  error.ninetieth = quantile(errors, 0.9);
  return error;
}

SolverSummary summaryOf(const std::vector<const TaskRuns *> &tasks, size_t solver) {
  SolverSummary summary;
  summary.solver = tasks.front()->runs[solver].solver;
  summary.task = tasks.front()->task;
  std::vector<double> seconds, totals, works, plans;
  std::vector<const SolverRun *> runs;
  for (const TaskRuns *task : tasks) {
    const SolverRun &run = task->runs[solver], &first = task->runs.front();
    runs.push_back(&run);
    countStatus(run, summary);
    if (isSolved(run))
      seconds.push_back(run.totalSeconds);
    if (isSolved(run) && isSolved(first)) {
      totals.push_back(run.totalSeconds / first.totalSeconds);
      works.push_back(workSeconds(run.run) / workSeconds(first.run));
    }
    if (hasPlan(run))
      summary.mostPlanSeconds = std::max(summary.mostPlanSeconds, run.run.seconds.plan());
    if (hasPlan(run) && hasPlan(first))
      plans.push_back(run.run.seconds.plan() / first.run.seconds.plan());
  }
  for (const double s : seconds)
    summary.totalSeconds += s;
  summary.medianSeconds = quantile(seconds, 0.5);
  summary.prediction = predictionError(runs);
  summary.firstPrediction = firstPredictionError(runs);
  summary.shared = totals.size();
  summary.totalOverFirst = geometricMean(totals);
  summary.workOverFirst = geometricMean(works);
  summary.planShared = plans.size();
  summary.planOverFirst = geometricMean(plans);
  summary.mostPlanOverFirst = quantile(plans, 1);
  return summary;
}

} // namespace

double geometricMean(const std::vector<double> &values) {
  double sum = 0;
  for (const double value : values)
    sum += std::log(value);
  return values.empty() ? 1 : std::exp(sum / static_cast<double>(values.size()));
}

double quantile(std::vector<double> values, double share) {
  if (values.empty())
    return 0;
  std::sort(values.begin(), values.end());
  const double count = std::ceil(share * static_cast<double>(values.size()));
  return values[static_cast<size_t>(std::max(1.0, count)) - 1];
}

PredictionError predictionError(const std::vector<const SolverRun *> &runs) {
  return errorOf(runs, [](const NetworkRun &run) {
    return std::pair(run.predictedRunUs, run.seconds.anyRun() * 1e6);
  });
}

PredictionError firstPredictionError(const std::vector<const SolverRun *> &runs) {
  return errorOf(runs, [](const NetworkRun &run) {
    return std::pair(predictedFirstUs(run), run.seconds.firstRun * 1e6);
  });
}

std::vector<SolverSummary> summariseNetworks(const std::vector<TaskRuns> &tasks) {
  std::vector<std::string> names;
  for (const TaskRuns &task : tasks)
    if (std::ranges::find(names, task.task) == names.end())
      names.push_back(task.task);
  std::vector<SolverSummary> summaries;
  for (const std::string &name : names) {
    std::vector<const TaskRuns *> group;
    for (const TaskRuns &task : tasks)
      if (task.task == name)
        group.push_back(&task);
    for (size_t solver = 0; solver < group.front()->runs.size(); ++solver)
      summaries.push_back(summaryOf(group, solver));
  }
  return summaries;
}

std::vector<SlowPass> slowestPasses(const std::vector<TaskRuns> &tasks, size_t most) {
  std::vector<SlowPass> passes;
  for (const TaskRuns &task : tasks)
    for (const SolverRun &run : task.runs)
      for (const auto &[pass, seconds] : run.run.passSeconds)
        passes.push_back({task.instance, task.task, run.solver, pass, seconds});
  std::ranges::stable_sort(passes, std::greater<>(), &SlowPass::seconds);
  if (passes.size() > most)
    passes.resize(most);
  return passes;
}

} // namespace mpf::bench
