#include "tools/mpf-bench/bench_papers.h"

#include "dsl/support/check.h"
#include "dsl/support/files/file_output.h"
#include "tools/mpf-bench/papers/paper.h"
#include "tools/mpf-bench/papers/paper_bench.h"
#include "tools/mpf-bench/report/require_writable.h"

#include <algorithm>
#include <cstdio>
#include <fmt/core.h>
#include <fmt/ranges.h>

namespace mpf::bench {

namespace {

std::vector<const Paper *> papers() { return {&gemsPaper(), &icpp10Paper(), &pdp11Paper()}; }

/// Splits names at commas and semicolons outside of parentheses: "table 1,figure 5(a,b)".
std::vector<std::string> splitItems(const std::vector<std::string> &lists) {
  std::vector<std::string> items;
  for (const std::string &list : lists) {
    items.emplace_back();
    int depth = 0;
    for (const char c : list) {
      depth += c == '(' ? 1 : c == ')' ? -1 : 0;
      if (depth == 0 && (c == ',' || c == ';'))
        items.emplace_back();
      else if (c != ' ' || !items.back().empty()) // "table 1, table 2"
        items.back() += c;
    }
  }
  return items;
}

std::vector<PaperExperiment> chosenExperiments(const Paper &paper, const PaperOptions &options) {
  const std::vector<std::string> items = splitItems(options.items);
  const auto isAsked = [&](const std::string &name) {
    return items.empty() || std::ranges::find(items, name) != items.end();
  };
  std::vector<PaperExperiment> chosen;
  std::vector<std::string> names;
  for (const PaperExperiment &experiment : paper.experiments) {
    names.push_back(experiment.name);
    if (isAsked(experiment.name))
      chosen.push_back(experiment);
  }
  for (const std::string &item : items)
    if (std::ranges::find(names, item) == names.end())
      fail(ErrorKind::Usage, "{} has no {}: there are {}", paper.name, item,
           fmt::join(names, ", "));
  return chosen;
}

} // namespace

std::vector<std::string> paperNames() {
  std::vector<std::string> names;
  for (const Paper *paper : papers())
    names.emplace_back(paper->name);
  return names;
}

void benchPaper(const PaperOptions &options) {
  requireWritable({options.jsonFile, options.htmlFile});
  const std::vector<const Paper *> all = papers();
  const Paper &paper = **std::ranges::find(all, options.paper, &Paper::name);
  const std::vector<PaperExperiment> experiments = chosenExperiments(paper, options);
  PaperBench bench(options);
  PaperReport report{paper.title, bench.machine(), options.command, {}};
  fmt::print("{}\n{}\n", report.title, report.machine);
  std::fflush(stdout); // what is measured first may take a minute
  for (const PaperExperiment &experiment : experiments) {
    PaperItem item{experiment.name, experiment.paper, experiment.here, experiment.axes, {}, {}, {}};
    if (experiment.needsGpu && !bench.hasGpu())
      item.here = "Nothing, for want of a GPU. With one: " + item.here;
    else if (experiment.fill != nullptr)
      experiment.fill(bench, item);
    fmt::print("{}", paperItemText(item));
    std::fflush(stdout);
    report.items.push_back(std::move(item));
  }
  if (!options.jsonFile.empty())
    writeFile(options.jsonFile, paperJson(report));
  if (!options.htmlFile.empty())
    writeFile(options.htmlFile, paperPage(report));
}

} // namespace mpf::bench
