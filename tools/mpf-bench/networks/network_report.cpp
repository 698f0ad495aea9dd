#include "tools/mpf-bench/networks/network_report.h"

#include "dsl/support/number_text.h"
#include "tools/mpf-bench/networks/network_statistics.h"

#include <cmath>
#include <fmt/core.h>
#include <nlohmann/json.hpp>

namespace mpf::bench {

namespace {

using Json = nlohmann::ordered_json;

/// Number of slow passes in a report.
constexpr size_t kSlowPasses = 12;

std::string predictionText(const NetworkRun &run) {
  if (run.predictedRunUs <= 0 || run.seconds.anyRun() <= 0)
    return "";
  return fmt::format(", predicted {:.2f} of it", run.predictedRunUs / (run.seconds.anyRun() * 1e6));
}

/// Returns the times of runs; after a long first run there are no later ones.
std::string runsText(const NetworkRun &run) {
  std::string first = fmt::format("first run {:.3f}", run.seconds.firstRun * 1e3);
  if (run.touchedBytes != 0)
    first += " (touched " + formatBytes(run.touchedBytes);
  if (const double us = predictedFirstUs(run); us > 0 && run.seconds.firstRun > 0)
    first += fmt::format("{}predicted {:.2f} of it", run.touchedBytes != 0 ? ", " : " (",
                         us / (run.seconds.firstRun * 1e6));
  if (first.find('(') != std::string::npos)
    first += ")";
  if (run.laterRuns == 0)
    return first + ", no later ones";
  return fmt::format("{}, median of {} later {:.3f}", first, run.laterRuns, run.seconds.run * 1e3);
}

std::string phasesText(const SolverRun &solver) {
  const NetworkRun &run = solver.run;
  const PhaseSeconds &s = run.seconds;
  std::string text = fmt::format("read {:.1f}, plan {:.1f} ms", s.reading * 1e3, s.plan() * 1e3);
  if (run.status != RunStatus::Solved)
    return text;
  if (solver.coldTotalSeconds != 0)
    text += fmt::format(", compile {:.1f} ms (total then {:.1f})", solver.compilingSeconds() * 1e3,
                        solver.coldTotalSeconds * 1e3);
  return text + fmt::format(", open {:.2f}, bind {:.2f}, transfer {:.3f}, {}, read out {:.2f} ms; "
                            "total {:.1f} ms{}",
                            s.opening * 1e3, s.binding * 1e3, s.transfer * 1e3, runsText(run),
                            s.readout * 1e3, solver.totalSeconds * 1e3, predictionText(run));
}

std::string predictionSummary(const char *runs, const PredictionError &error) {
  if (error.count == 0)
    return "";
  return fmt::format("; predicted / {} {:.2f}, error median {:.0f} %, 90th percentile {:.0f} %",
                     runs, error.geometricRatio, error.median * 100, error.ninetieth * 100);
}

std::string summaryText(const SolverSummary &s, const std::string &first) {
  std::string text = fmt::format("{:4} {:18} {} of {} solved", s.task, s.solver, s.solved, s.tasks);
  const auto add = [&text](size_t count, const char *what) {
    if (count != 0)
      text += fmt::format(", {} {}", count, what);
  };
  add(s.planned, "planned only"), add(s.refused, "refused"), add(s.timedOut, "timed out");
  add(s.notRun, "not run"), add(s.failed, "failed"), add(s.different, "WITH ANOTHER ANSWER");
  if (s.solved != 0)
    text +=
        fmt::format("; {:.3f} s in all, median {:.1f} ms", s.totalSeconds, s.medianSeconds * 1e3);
  if (s.solver != first && s.shared != 0)
    text += fmt::format("; over {} ({} shared): process {:.2f}, plan and run {:.2f}", first,
                        s.shared, s.totalOverFirst, s.workOverFirst);
  if (s.solver != first && s.planShared != 0)
    text += fmt::format("; planning {:.2f} times (at most {:.1f})", s.planOverFirst,
                        s.mostPlanOverFirst);
  return text + predictionSummary("run", s.prediction) +
         predictionSummary("first run", s.firstPrediction) + "\n";
}

Json predictionJson(const PredictionError &error) {
  return {{"runs", error.count},
          {"geometric_ratio", error.geometricRatio},
          {"median_error", error.median},
          {"ninetieth_percentile_error", error.ninetieth}};
}

Json summaryJson(const SolverSummary &s) {
  return {{"solver", s.solver},
          {"task", s.task},
          {"tasks", s.tasks},
          {"solved", s.solved},
          {"planned", s.planned},
          {"refused", s.refused},
          {"timed_out", s.timedOut},
          {"not_run", s.notRun},
          {"failed", s.failed},
          {"different", s.different},
          {"total_seconds", s.totalSeconds},
          {"median_seconds", s.medianSeconds},
          {"shared_with_first", s.shared},
          {"process_over_first", s.totalOverFirst},
          {"plan_and_run_over_first", s.workOverFirst},
          {"planning_over_first", s.planOverFirst},
          {"most_planning_over_first", s.mostPlanOverFirst},
          {"most_planning_seconds", s.mostPlanSeconds},
          {"prediction", predictionJson(s.prediction)},
          {"first_prediction", predictionJson(s.firstPrediction)}};
}

/// Returns a run as JSON, without marginals: they are large, and were compared already.
Json solverJson(const SolverRun &solver) {
  NetworkRun run = solver.run;
  run.marginals.clear();
  Json json = {{"solver", solver.solver},
               {"total_seconds", solver.totalSeconds},
               {"cold_total_seconds", solver.coldTotalSeconds},
               {"compiling_seconds", solver.compilingSeconds()},
               {"difference", solver.difference}};
  json.update(Json::parse(runJson(run)));
  return json;
}

} // namespace

std::string taskText(const TaskRuns &task) {
  std::string text;
  for (const SolverRun &solver : task.runs) {
    const NetworkRun &run = solver.run;
    text += fmt::format("{:24} {:4} {:18} {}", task.instance, task.task, solver.solver,
                        statusName(run.status));
    if (!run.why.empty())
      text += fmt::format(" ({})", run.why);
    if (run.seconds.plan() + run.seconds.reading > 0)
      text += ": " + phasesText(solver);
    if (!solver.difference.empty())
      text += "; ANOTHER ANSWER: " + solver.difference;
    text += "\n";
  }
  return text;
}

std::string campaignText(const std::vector<TaskRuns> &tasks) {
  std::string text = "\n";
  const std::string first = tasks.front().runs.front().solver;
  for (const SolverSummary &summary : summariseNetworks(tasks))
    text += summaryText(summary, first);
  text += "\nslowest passes of the planner:\n";
  for (const SlowPass &slow : slowestPasses(tasks, kSlowPasses))
    text += fmt::format("  {:8.1f} ms {:18} {} {}, {}\n", slow.seconds * 1e3, slow.pass,
                        slow.instance, slow.task, slow.solver);
  return text;
}

std::string campaignJson(const std::string &command, const std::vector<TaskRuns> &tasks) {
  Json json{{"command", command}, {"summaries", Json::array()}, {"tasks", Json::array()}};
  for (const SolverSummary &summary : summariseNetworks(tasks))
    json["summaries"].push_back(summaryJson(summary));
  for (const TaskRuns &task : tasks) {
    Json runs = Json::array();
    for (const SolverRun &solver : task.runs)
      runs.push_back(solverJson(solver));
    json["tasks"].push_back({{"instance", task.instance}, {"task", task.task}, {"runs", runs}});
  }
  return json.dump(1) + "\n";
}

} // namespace mpf::bench
