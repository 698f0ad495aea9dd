#include "tools/mpf-bench/bench_buckets.h"

#include "dsl/support/files/file_input.h"
#include "dsl/support/files/file_output.h"
#include "tools/mpf-bench/measure/run_buckets.h"
#include "tools/mpf-bench/measure/tune_buckets.h"
#include "tools/mpf-bench/report/against.h"
#include "tools/mpf-bench/report/report_text.h"
#include "tools/mpf-bench/report/require_writable.h"
#include "tools/mpf-bench/report/scatter_page.h"

#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <set>

namespace mpf::bench {

namespace {

void dumpPlans(const std::vector<BucketJob> &jobs, const std::string &folder) {
  std::filesystem::create_directories(folder);
  for (const BucketJob &job : jobs) {
    if (!job.plan)
      continue;
    std::string stem = job.groupName() + " " + job.shape.name;
    std::replace_if(
        stem.begin(), stem.end(), [](char c) { return c == ' ' || c == '/'; }, '-');
    writeFile(fmt::format("{}/{}.plan", folder, stem), planText(job));
    if (job.plan->header().launch.blockThreads > 1)
      writeFile(fmt::format("{}/{}.cu", folder, stem), sourceText(job));
  }
}

/// Returns each bucket once, laid out for the first type and form in which it is measured.
std::vector<BucketShape> measuredShapes(const std::vector<BucketJob> &jobs) {
  std::vector<BucketShape> shapes;
  std::set<std::pair<std::string, std::string>> known;
  for (const BucketJob &job : jobs)
    if (known.emplace(job.shape.set, job.shape.name).second)
      shapes.push_back(job.shape);
  return shapes;
}

} // namespace

size_t benchBuckets(const BucketBenchOptions &options) {
  requireWritable({options.jsonFile, options.htmlFile});
  const std::string other = options.againstFile.empty() ? "" : readFile(options.againstFile);
  const BucketRun run = runBuckets(options, [&](std::vector<BucketJob> &planned) {
    if (!options.exportFile.empty())
      writeFile(options.exportFile, shapesJson(measuredShapes(planned)));
    if (!options.againstFile.empty())
      readAgainst(options.againstFile, other, planned);
    if (!options.dumpFolder.empty())
      dumpPlans(planned, options.dumpFolder);
  });
  const std::vector<BucketJob> &jobs = run.jobs;
  const ReportHead head{run.device, options.command};
  const std::vector<GroupSummary> summaries = summarise(jobs, run.target);
  fmt::print("# {}; {}\n", head.device, head.command);
  if (!options.summaryOnly)
    fmt::print("{}", jobTable(jobs));
  fmt::print("{}{}{}{}{}{}", cublasText(jobs), summaryText(summaries), tunedText(jobs),
             chainText(jobs, run.target), fusedText(jobs), againstText(jobs));
  std::fflush(stdout);
  if (!options.jsonFile.empty())
    writeFile(options.jsonFile, reportJson(head, jobs, summaries));
  if (!options.htmlFile.empty())
    writeFile(options.htmlFile, scatterPage(head, jobs, summaries));
  return static_cast<size_t>(std::count_if(jobs.begin(), jobs.end(), [](const BucketJob &job) {
    return job.result.outcome == Outcome::Wrong || job.result.outcome == Outcome::Failed;
  }));
}

} // namespace mpf::bench
