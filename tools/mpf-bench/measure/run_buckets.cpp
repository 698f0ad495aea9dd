#include "tools/mpf-bench/measure/run_buckets.h"

#include "codegen/kernel/form/choose_layouts.h"
#include "dsl/support/check.h"
#include "dsl/support/system/thread_count.h"
#include "tools/mpf-bench/measure/measure_buckets.h"
#include "tools/mpf-bench/measure/plan_buckets.h"
#include "tools/mpf-bench/measure/tune_buckets.h"
#include "tools/mpf-bench/shapes/choose_shapes.h"

#include <algorithm>
#include <memory>

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
  switch (options.device) {
  case BucketMeans::Gpu:
    return openBucketGpu(measure);
  case BucketMeans::Compiler:
    return openBucketCompiler(options.target, measure);
  case BucketMeans::Cpu:
    measure.threads = std::max(1u, options.threads);
    return openBucketCpu(measure);
  case BucketMeans::None:
    break;
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
  const bool onCpu = options.device == BucketMeans::Cpu;
  plan.splits = onCpu ? 1 : options.splits;     // the executor runs buckets whole
  plan.orders = onCpu ? 1 : kLayoutOrdersTried; // nor does it follow the model
  plan.chain = options.chain;
  plan.threads = threadCount(options.threads);
  return plan;
}

/// Measures jobs. A lost device ends the measurements, but not the report.
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

BucketRun runBuckets(const BucketBenchOptions &options,
                     const std::function<void(std::vector<BucketJob> &)> &planned) {
  if (options.autotune > 1 && options.device != BucketMeans::Gpu)
    fail(ErrorKind::Usage, "--autotune measures kernels: it needs --device gpu");
  if (options.cublas && options.timing == "train")
    fail(ErrorKind::Usage, "--cublas is timed on tables that stay where they are: --timing warm");
  const std::vector<BucketShape> shapes = chooseShapes(options);
  const std::unique_ptr<BucketDevice> device = openDevice(options);
  BucketRun found;
  found.target = device ? device->target() : targetNamed(options.target);
  found.device = device ? device->name() : "predictions for " + found.target.name;
  const TimeBudget budget(options.totalSeconds);
  std::vector<BucketJob> &jobs = found.jobs;
  jobs = planBuckets(shapes, planOptions(options, found.target), budget);
  if (planned)
    planned(jobs);
  const auto measure = [&](std::vector<BucketJob> &some) { measureAll(*device, some, budget); };
  if (options.autotune > 1)
    jobs = tuneBuckets(std::move(jobs), measure);
  else if (device)
    measure(jobs);
  return found;
}

} // namespace mpf::bench
