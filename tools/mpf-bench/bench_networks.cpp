#include "tools/mpf-bench/bench_networks.h"

#include "dsl/support/files/file_output.h"
#include "tools/mpf-bench/networks/campaign.h"
#include "tools/mpf-bench/networks/network_page.h"
#include "tools/mpf-bench/networks/network_report.h"
#include "tools/mpf-bench/networks/planning_table.h"
#include "tools/mpf-bench/networks/solve_network.h"
#include "tools/mpf-bench/report/require_writable.h"

#include <algorithm>
#include <cstdio>
#include <fmt/core.h>

namespace mpf::bench {

size_t benchNetworks(const NetworkBenchOptions &options) {
  const std::string &planning = options.planningFile;
  requireWritable({options.jsonFile, options.htmlFile, planning + (planning.empty() ? "" : ".md"),
                   planning + (planning.empty() ? "" : ".csv")});
  const std::vector<TaskRuns> tasks = runCampaign(options, [](const TaskRuns &task) {
    fmt::print("{}", taskText(task));
    std::fflush(stdout);
  });
  fmt::print("{}", campaignText(tasks));
  if (!options.jsonFile.empty())
    writeFile(options.jsonFile, campaignJson(options.command, tasks));
  if (!options.htmlFile.empty())
    writeFile(options.htmlFile, campaignPage(options.command, tasks));
  if (!options.planningFile.empty()) {
    constexpr size_t kMostRows = 100;
    const std::vector<PlanningRow> rows = planningRows(tasks);
    writeFile(options.planningFile + ".md", planningTable(rows, kMostRows));
    writeFile(options.planningFile + ".csv", planningCsv(rows));
  }
  return static_cast<size_t>(std::ranges::count_if(tasks, &TaskRuns::disagrees));
}

void benchNetwork(const NetworkTask &task) {
  const auto write = [&task](const NetworkRun &run) { writeFile(task.json, runJson(run)); };
  write(solveNetwork(task, write));
}

} // namespace mpf::bench
