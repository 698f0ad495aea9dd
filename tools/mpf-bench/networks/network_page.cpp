#include "tools/mpf-bench/networks/network_page.h"

#include "tools/mpf-bench/networks/network_statistics.h"
#include "tools/mpf-bench/report/html_page.h"
#include "tools/mpf-bench/report/plot.h"

#include <algorithm>
#include <fmt/core.h>

namespace mpf::bench {

namespace {

using TaskGroup = std::vector<const TaskRuns *>;

double widthOf(const TaskRuns &task) {
  double width = 0;
  for (const SolverRun &solver : task.runs)
    width = std::max(width, solver.run.log2LargestClique);
  return width;
}

template <class Visit> void eachSolved(const TaskGroup &group, size_t solver, Visit visit) {
  for (const TaskRuns *task : group)
    if (task->runs[solver].run.status == RunStatus::Solved)
      visit(*task, task->runs[solver]);
}

std::string titleOf(const TaskRuns &task, const SolverRun &solver) {
  return fmt::format("{} {}, {}: {:.4g} s", task.instance, task.task, solver.solver,
                     solver.totalSeconds);
}

Plot cactusPlot(const TaskGroup &group) {
  Plot plot{"networks answered", "seconds of a process", true, 0, 0, {}, {}};
  plot.logX = false;
  plot.joined = true;
  for (size_t s = 0; s < group.front()->runs.size(); ++s) {
    std::vector<std::pair<double, std::string>> times;
    eachSolved(group, s, [&](const TaskRuns &task, const SolverRun &solver) {
      times.emplace_back(solver.totalSeconds, titleOf(task, solver));
    });
    std::ranges::sort(times);
    for (size_t i = 0; i < times.size(); ++i)
      plot.dots.push_back(
          {static_cast<double>(i + 1), times[i].first, seriesColour(s), times[i].second});
  }
  return plot;
}

Plot widthPlot(const TaskGroup &group) {
  Plot plot{"log2 of the largest clique", "seconds of a process", true, 0, 0, {}, {}};
  plot.logX = false;
  for (size_t s = 0; s < group.front()->runs.size(); ++s)
    eachSolved(group, s, [&](const TaskRuns &task, const SolverRun &solver) {
      plot.dots.push_back(
          {widthOf(task), solver.totalSeconds, seriesColour(s), titleOf(task, solver)});
    });
  return plot;
}

Plot predictionPlot(const TaskGroup &group) {
  Plot plot{"seconds of a run", "predicted / measured", true, 0, 0, {1}, {}};
  for (size_t s = 0; s < group.front()->runs.size(); ++s)
    eachSolved(group, s, [&](const TaskRuns &task, const SolverRun &solver) {
      const double run = solver.run.seconds.anyRun();
      if (run > 0 && solver.run.predictedRunUs > 0)
        plot.dots.push_back(
            {run, solver.run.predictedRunUs * 1e-6 / run, seriesColour(s), titleOf(task, solver)});
    });
  return plot;
}

Plot planPlot(const TaskGroup &group) {
  Plot plot{"seconds of a run", "seconds of planning", true, 0, 0, {}, {}};
  for (size_t s = 0; s < group.front()->runs.size(); ++s)
    eachSolved(group, s, [&](const TaskRuns &task, const SolverRun &solver) {
      const PhaseSeconds &seconds = solver.run.seconds;
      if (seconds.anyRun() > 0 && seconds.plan() > 0)
        plot.dots.push_back(
            {seconds.anyRun(), seconds.plan(), seriesColour(s), titleOf(task, solver)});
    });
  return plot;
}

std::string summaryTable(const std::vector<SolverSummary> &summaries, const std::string &task) {
  std::string text = "<table>\n<tr><th>solver</th><th>solved</th><th>of</th><th>seconds in all</th>"
                     "<th>median ms</th><th>process over first</th><th>plan and run over first</th>"
                     "<th>planning over first</th><th>predicted / run</th><th>median error</th>"
                     "<th>90th percentile</th><th>predicted / first run</th><th>median error</th>"
                     "<th>90th percentile</th><th>other answers</th></tr>\n";
  size_t solver = 0;
  for (const SolverSummary &s : summaries) {
    if (s.task != task)
      continue;
    text +=
        fmt::format("<tr><td><span class=\"key\" style=\"background:{}\"></span> {}</td>"
                    "<td>{}</td><td>{}</td><td>{:.3f}</td><td>{:.2f}</td><td>{:.2f}</td>"
                    "<td>{:.2f}</td><td>{:.2f}</td><td>{:.2f}</td><td>{:.0f} %</td>"
                    "<td>{:.0f} %</td><td>{:.2f}</td><td>{:.0f} %</td><td>{:.0f} %</td>"
                    "<td>{}</td></tr>\n",
                    seriesColour(solver++), escapeHtml(s.solver), s.solved, s.tasks, s.totalSeconds,
                    s.medianSeconds * 1e3, s.totalOverFirst, s.workOverFirst, s.planOverFirst,
                    s.prediction.geometricRatio, s.prediction.median * 100,
                    s.prediction.ninetieth * 100, s.firstPrediction.geometricRatio,
                    s.firstPrediction.median * 100, s.firstPrediction.ninetieth * 100, s.different);
  }
  return text + "</table>\n";
}

std::string figure(const Plot &plot) {
  return plot.dots.empty() ? std::string() : "<figure>\n" + svgText(plot) + "</figure>\n";
}

} // namespace

std::string campaignPage(const std::string &command, const std::vector<TaskRuns> &tasks) {
  std::string text = pageHead("Networks");
  text += fmt::format("<p><code>{}</code></p>\n", escapeHtml(command));
  const std::vector<SolverSummary> summaries = summariseNetworks(tasks);
  std::string last;
  for (const SolverSummary &summary : summaries) {
    if (summary.task == last)
      continue;
    last = summary.task;
    TaskGroup group;
    for (const TaskRuns &task : tasks)
      if (task.task == last)
        group.push_back(&task);
    text += fmt::format("<h2>{}</h2>\n", escapeHtml(last)) + summaryTable(summaries, last);
    for (const Plot &plot :
         {cactusPlot(group), widthPlot(group), planPlot(group), predictionPlot(group)})
      text += figure(plot);
  }
  return text + "</body>\n</html>\n";
}

} // namespace mpf::bench
