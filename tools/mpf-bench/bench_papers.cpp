#include "tools/mpf-bench/bench_papers.h"

#include "dsl/support/error.h"
#include "dsl/support/files/file_output.h"
#include "tools/mpf-bench/papers/paper.h"
#include "tools/mpf-bench/papers/paper_bench.h"

#include <algorithm>
#include <cstdio>
#include <fmt/core.h>
#include <fmt/ranges.h>

namespace mpf::bench {

namespace {

std::vector<const Paper *> papers() { return {&gemsPaper(), &icpp10Paper(), &pdp11Paper()}; }

std::vector<PaperExperiment> chosenExperiments(const Paper &paper, const PaperOptions &options) {
  const auto isAsked = [&](const std::string &name) {
    return options.items.empty() || std::ranges::find(options.items, name) != options.items.end();
  };
  std::vector<PaperExperiment> chosen;
  std::vector<std::string> names;
  for (const PaperExperiment &experiment : paper.experiments) {
    names.push_back(experiment.name);
    if (isAsked(experiment.name))
      chosen.push_back(experiment);
  }
  for (const std::string &item : options.items)
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
  const std::vector<const Paper *> all = papers();
  const Paper &paper = **std::ranges::find(all, options.paper, &Paper::name);
  const std::vector<PaperExperiment> experiments = chosenExperiments(paper, options);
  PaperBench bench(options);
  PaperReport report{paper.title, bench.machine(), options.command, {}};
  fmt::print("{}\n{}\n", report.title, report.machine);
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
