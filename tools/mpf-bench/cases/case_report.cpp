#include "tools/mpf-bench/cases/case_report.h"

#include "tools/mpf-bench/report/html_page.h"
#include "tools/mpf-bench/report/plot.h"

#include <algorithm>
#include <fmt/core.h>
#include <nlohmann/json.hpp>

namespace mpf::bench {

namespace {

using Json = nlohmann::ordered_json;

double floorRate(const CaseRate &rate) {
  const double seconds = rate.floor.seconds();
  return seconds > 0 ? static_cast<double>(rate.rows) / seconds : 0;
}

double shareOfFloor(const CaseRate &rate) {
  return rate.medianSeconds > 0 ? rate.floor.seconds() / rate.medianSeconds : 0;
}

/// Returns the rate over that of the fastest other program with equal answers; "-" without one.
std::string overPeers(const CaseList &list, const CaseRate &rate) {
  double fastest = 0;
  for (const CaseRate &other : list.rates)
    if (other.isPeer && other.status == RunStatus::Solved && other.difference.empty())
      fastest = std::max(fastest, other.rowsPerSecond());
  return fastest > 0 ? fmt::format("{:.1f}", rate.rowsPerSecond() / fastest) : "-";
}

std::string statusText(const CaseRate &rate) {
  if (!rate.difference.empty())
    return "ANOTHER ANSWER: " + rate.difference;
  std::string text(statusName(rate.status));
  return rate.why.empty() ? text : text + fmt::format(" ({})", rate.why);
}

std::string floorText(const CaseRate &rate) {
  return rate.floor.bound().empty() ? std::string("-")
                                    : fmt::format("{:.3g} {}", floorRate(rate), rate.floor.bound());
}

Json rateJson(const CaseRate &rate) {
  return {{"solver", rate.solver},
          {"status", statusName(rate.status)},
          {"why", rate.why},
          {"device", rate.device},
          {"kernel", rate.way},
          {"rows", rate.rows},
          {"passes", rate.passes},
          {"median_seconds", rate.medianSeconds},
          {"best_seconds", rate.bestSeconds},
          {"rows_per_second", rate.rowsPerSecond()},
          {"best_rows_per_second", rate.bestRowsPerSecond()},
          {"plan_seconds", rate.planSeconds},
          {"compile_seconds", rate.compileSeconds},
          {"left_rows", rate.left},
          {"checked_rows", rate.checked},
          {"largest_relative_error", rate.isPeer ? Json() : Json(rate.largestError)},
          {"floor_seconds",
           {{"bytes", rate.floor.bytesSeconds},
            {"arithmetic", rate.floor.arithmeticSeconds},
            {"rows", rate.floor.rowsSeconds}}},
          {"floor", rate.floor.bound()},
          {"difference", rate.difference}};
}

std::vector<std::string> tasksOf(const std::vector<CaseList> &lists) {
  std::vector<std::string> tasks;
  for (const CaseList &list : lists)
    if (std::ranges::find(tasks, list.task) == tasks.end())
      tasks.push_back(list.task);
  return tasks;
}

/// Plots rates over networks, in the given order. The x coordinate is the number of the list.
Plot ratePlot(const std::vector<CaseList> &lists, const std::string &task) {
  Plot plot{"network, by number in the table", "rows / s, median", true, 0, 0, {}, {}};
  plot.logX = false;
  for (size_t l = 0; l < lists.size(); ++l)
    for (size_t s = 0; lists[l].task == task && s < lists[l].rates.size(); ++s) {
      const CaseRate &rate = lists[l].rates[s];
      if (rate.status == RunStatus::Solved && rate.rowsPerSecond() > 0)
        plot.dots.push_back({static_cast<double>(l + 1), rate.rowsPerSecond(), seriesColour(s),
                             fmt::format("{} {}, {}: {:.4g} rows/s", lists[l].model, task,
                                         rate.solver, rate.rowsPerSecond())});
    }
  return plot;
}

std::string tableHtml(const std::vector<CaseList> &lists) {
  std::string text = "<table>\n<tr><th>number, network</th><th>task</th><th>rows</th>"
                     "<th>solver</th><th>rows/s, median</th><th>best</th><th>floor, rows/s</th>"
                     "<th>floor over time</th><th>over the fastest peer</th><th>status</th></tr>\n";
  for (size_t l = 0; l < lists.size(); ++l)
    for (size_t s = 0; s < lists[l].rates.size(); ++s) {
      const CaseList &list = lists[l];
      const CaseRate &rate = list.rates[s];
      text += fmt::format(
          "<tr><td>{}, {}</td><td>{}</td><td>{}, {}</td>"
          "<td><span class=\"key\" style=\"background:{}\"></span> {}</td><td>{:.4g}</td>"
          "<td>{:.4g}</td><td>{}</td><td>{:.2f}</td><td>{}</td><td>{}</td></tr>\n",
          l + 1, escapeHtml(list.model), list.task, rate.rows, list.source, seriesColour(s),
          escapeHtml(rate.solver), rate.rowsPerSecond(), rate.bestRowsPerSecond(), floorText(rate),
          shareOfFloor(rate), overPeers(list, rate), escapeHtml(statusText(rate)));
    }
  return text + "</table>\n";
}

} // namespace

bool CaseList::disagrees() const {
  return std::ranges::any_of(rates, [](const CaseRate &rate) { return !rate.difference.empty(); });
}

std::string caseListText(const CaseList &list) {
  std::string text = fmt::format("{} {}: {} rows of {} columns, {}, in {:.2f} s\n", list.model,
                                 list.task, list.rows, list.columns, list.source, list.drawSeconds);
  for (const CaseRate &rate : list.rates) {
    text += fmt::format("  {:12} {}", rate.solver, statusText(rate));
    if (rate.status == RunStatus::Solved)
      text += fmt::format(
          ": {:.4g} rows/s (best {:.4g}, {} passes over {} rows), {}{}{}, {} rows left, {} "
          "checked{}; planned in {:.3f} s, opened and compiled in {:.2f} s",
          rate.rowsPerSecond(), rate.bestRowsPerSecond(), rate.passes, rate.rows, rate.device,
          rate.way.empty() ? "" : ", ", rate.way, rate.left, rate.checked,
          rate.isPeer ? "" : fmt::format(", largest relative error {:.2g}", rate.largestError),
          rate.planSeconds, rate.compileSeconds);
    text += '\n';
  }
  return text;
}

std::string caseTableText(const std::vector<CaseList> &lists) {
  std::string text =
      fmt::format("\n{:16} {:4} {:12} {:>11} {:>11} {:>20} {:>10} {:>10}\n", "network", "task",
                  "solver", "rows/s", "best", "floor, rows/s", "of floor", "over peers");
  for (const CaseList &list : lists)
    for (const CaseRate &rate : list.rates) {
      text += fmt::format("{:16} {:4} {:12} ", list.model, list.task, rate.solver);
      text += rate.status == RunStatus::Solved && rate.difference.empty()
                  ? fmt::format("{:>11.4g} {:>11.4g} {:>20} {:>10.2f} {:>10}\n",
                                rate.rowsPerSecond(), rate.bestRowsPerSecond(), floorText(rate),
                                shareOfFloor(rate), overPeers(list, rate))
                  : statusText(rate) + "\n";
    }
  return text;
}

std::string casesJson(const std::string &command, const std::vector<CaseList> &lists) {
  Json json{{"command", command}, {"lists", Json::array()}};
  for (const CaseList &list : lists) {
    Json rates = Json::array();
    for (const CaseRate &rate : list.rates)
      rates.push_back(rateJson(rate));
    json["lists"].push_back({{"model", list.model},
                             {"task", list.task},
                             {"rows", list.rows},
                             {"columns", list.columns},
                             {"source", list.source},
                             {"draw_seconds", list.drawSeconds},
                             {"rates", rates}});
  }
  return json.dump(1) + "\n";
}

std::string casesPage(const std::string &command, const std::vector<CaseList> &lists) {
  std::string text = pageHead("Lists of cases");
  text += fmt::format("<p><code>{}</code></p>\n", escapeHtml(command));
  for (const std::string &task : tasksOf(lists))
    if (const Plot plot = ratePlot(lists, task); !plot.dots.empty())
      text += fmt::format("<h2>{}</h2>\n<figure>\n{}</figure>\n", escapeHtml(task), svgText(plot));
  return text + tableHtml(lists) + "</body>\n</html>\n";
}

} // namespace mpf::bench
