#include "tools/mpf-bench/bench_cases.h"

#include "dsl/support/files/file_output.h"
#include "tools/mpf-bench/cases/case_campaign.h"
#include "tools/mpf-bench/cases/case_report.h"
#include "tools/mpf-bench/lanes/case_sweep.h"
#include "tools/mpf-bench/report/case_sweep_page.h"
#include "tools/mpf-bench/report/require_writable.h"

#include <algorithm>
#include <cstdio>
#include <fmt/core.h>

namespace mpf::bench {

namespace {

/// Returns options for every device, task and type.
std::vector<CaseBenchOptions> sweepsOf(const CaseBenchOptions &options) {
  std::vector<CaseBenchOptions> all;
  for (const std::string &device : options.devices)
    for (const std::string &task : options.tasks)
      for (const std::string &type : options.types) {
        all.push_back(options);
        all.back().device = device;
        all.back().task = task;
        all.back().type = type;
      }
  return all;
}

void benchSweeps(const CaseBenchOptions &options) {
  std::vector<CaseSweep> sweeps;
  for (const std::string &model : options.models)
    for (const CaseBenchOptions &one : sweepsOf(options)) {
      sweeps.push_back(sweepCases(model, one));
      fmt::print("{}", sweepText(sweeps.back()));
      std::fflush(stdout);
    }
  if (!options.jsonFile.empty())
    writeFile(options.jsonFile, sweepJson(options.command, sweeps));
  if (!options.htmlFile.empty())
    writeFile(options.htmlFile, sweepPage(options.command, sweeps));
}

} // namespace

size_t benchCases(const CaseBenchOptions &options) {
  requireWritable({options.jsonFile, options.htmlFile});
  if (!options.sweep.empty()) {
    benchSweeps(options);
    return 0;
  }
  const std::vector<CaseList> lists = runCaseCampaign(options, [](const CaseList &list) {
    fmt::print("{}", caseListText(list));
    std::fflush(stdout);
  });
  fmt::print("{}", caseTableText(lists));
  if (!options.jsonFile.empty())
    writeFile(options.jsonFile, casesJson(options.command, lists));
  if (!options.htmlFile.empty())
    writeFile(options.htmlFile, casesPage(options.command, lists));
  return static_cast<size_t>(std::ranges::count_if(lists, &CaseList::disagrees));
}

} // namespace mpf::bench
