#include "tools/mpf-bench/bench_buckets.h"

#include "codegen/kernel/form/choose_layouts.h"
#include "dsl/support/error.h"
#include "dsl/support/files/file_input.h"
#include "dsl/support/files/file_output.h"
#include "tools/mpf-bench/measure/measure_buckets.h"
#include "tools/mpf-bench/measure/plan_buckets.h"
#include "tools/mpf-bench/measure/tune_buckets.h"
#include "tools/mpf-bench/report/against.h"
#include "tools/mpf-bench/report/report_text.h"
#include "tools/mpf-bench/report/scatter_page.h"
#include "tools/mpf-bench/shapes/choose_shapes.h"

#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <set>
#include <thread>

namespace mpf::bench {

namespace {

std::unique_ptr<BucketDevice> openDevice(const BucketBenchOptions &options) {
  MeasureOptions measure;
  measure.repeats = options.repeats;
  measure.bucketSeconds = options.bucketSeconds;
  measure.checkedEntries = options.checkedEntries;
  measure.timing = options.timing == "train"  ? GpuTiming::Train
                   : options.timing == "warm" ? GpuTiming::Warm
                                              : GpuTiming::Alone;
  measure.wait = options.wait == "begin"    ? WaitPoint::Begin
                 : options.wait == "stores" ? WaitPoint::Stores
                                            : WaitPoint::End;
  measure.compiled = options.compiled;
  measure.cublas = options.cublas;
  measure.threads = options.threads;
  if (options.device == "gpu")
    return openBucketGpu(measure);
  if (options.device == "nvrtc")
    return openBucketCompiler(options.target, measure);
  if (options.device == "cpu") {
    measure.threads = std::max(1u, options.threads);
    return openBucketCpu(measure);
  }
  return nullptr;
}

PlanBucketsOptions planOptions(const BucketBenchOptions &options, const Target &target) {
  PlanBucketsOptions plan;
  plan.target = target;
  plan.types.clear();
  for (const std::string &type : options.types)
    plan.types.push_back(type == "f32" ? ElementType::F32 : ElementType::F64);
  plan.forms.clear();
  for (const std::string &form : options.forms)
    plan.forms.push_back(form == "log" ? ValueForm::Log : ValueForm::Linear);
  plan.semirings.clear();
  for (const std::string &name : options.semirings) {
    const std::optional<Semiring> semiring = semiringNamed(name);
    if (!semiring || semiring->reduce == Reduce::LogSum)
      fail(ErrorKind::Usage, "no semiring '{}' to measure (log sums are --forms log)", name);
    plan.semirings.push_back(*semiring);
  }
  plan.family = options.family;
  plan.stages = options.stages;
  plan.nextBest = options.autotune > 1 ? options.autotune - 1 : 0;
  plan.splits = options.device == "cpu" ? 1 : options.splits;     // the executor runs buckets whole
  plan.orders = options.device == "cpu" ? 1 : kLayoutOrdersTried; // nor does it follow the model
  plan.chain = options.chain;
  plan.threads =
      options.threads != 0 ? options.threads : std::max(1u, std::thread::hardware_concurrency());
  return plan;
}

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

/// As they are laid out for the first type and form that each is measured in.
std::vector<BucketShape> measuredShapes(const std::vector<BucketJob> &jobs) {
  std::vector<BucketShape> shapes;
  std::set<std::pair<std::string, std::string>> known;
  for (const BucketJob &job : jobs)
    if (known.emplace(job.shape.set, job.shape.name).second)
      shapes.push_back(job.shape);
  return shapes;
}

/// A lost device ends the measuring, not the report.
void measureAll(BucketDevice &device, std::vector<BucketJob> &jobs, const TimeBudget &budget) {
  try {
    device.measure(jobs, budget);
  } catch (const Error &error) {
    for (BucketJob &job : jobs)
      if (job.result.outcome == Outcome::Predicted) {
        job.result.outcome = Outcome::Failed;
        job.result.note = fmt::format("not run: {}", error.what());
      }
  }
}

} // namespace

size_t benchBuckets(const BucketBenchOptions &options) {
  if (options.autotune > 1 && options.device != "gpu")
    fail(ErrorKind::Usage, "--autotune measures kernels: it needs --device gpu");
  if (options.cublas && options.timing == "train")
    fail(ErrorKind::Usage, "--cublas is timed on tables that stay where they are: --timing warm");
  const std::vector<BucketShape> shapes = chooseShapes(options);
  const std::string other = options.againstFile.empty() ? "" : readFile(options.againstFile);
  const std::unique_ptr<BucketDevice> device = openDevice(options);
  const Target target = device ? device->target() : targetNamed(options.target);
  const ReportHead head{device ? device->name() : "predictions for " + target.name,
                        options.command};
  const TimeBudget budget(options.totalSeconds);
  std::vector<BucketJob> jobs = planBuckets(shapes, planOptions(options, target), budget);
  if (!options.exportFile.empty())
    writeFile(options.exportFile, shapesJson(measuredShapes(jobs)));
  if (!options.againstFile.empty())
    readAgainst(options.againstFile, other, jobs);
  if (!options.dumpFolder.empty())
    dumpPlans(jobs, options.dumpFolder);
  const auto measure = [&](std::vector<BucketJob> &some) { measureAll(*device, some, budget); };
  if (options.autotune > 1)
    jobs = tuneBuckets(std::move(jobs), measure);
  else if (device)
    measure(jobs);

  const std::vector<GroupSummary> summaries = summarise(jobs, target);
  fmt::print("# {}; {}\n", head.device, head.command);
  if (!options.summaryOnly)
    fmt::print("{}", jobTable(jobs));
  fmt::print("{}{}{}{}{}{}", cublasText(jobs), summaryText(summaries), tunedText(jobs),
             chainText(jobs, target), fusedText(jobs), againstText(jobs));
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
