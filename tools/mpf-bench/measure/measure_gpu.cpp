#include "dsl/support/error.h"
#include "tools/mpf-bench/measure/check_gpu_result.h"
#include "tools/mpf-bench/measure/compile_buckets.h"
#include "tools/mpf-bench/measure/cublas.h"
#include "tools/mpf-bench/measure/gpu_launch.h"
#include "tools/mpf-bench/measure/gpu_tables.h"
#include "tools/mpf-bench/measure/gpu_timer.h"
#include "tools/mpf-bench/measure/measure_buckets.h"

#include <algorithm>
#include <array>
#include <fmt/core.h>
#include <functional>
#include <optional>
#include <utility>

namespace mpf::bench {

namespace {

void skip(BucketJob &job, std::string why) {
  job.result.outcome = Outcome::Skipped;
  job.result.note = std::move(why);
}

bool sameContents(const BucketJob &a, const BucketJob &b) {
  return a.type == b.type && a.valueForm == b.valueForm;
}

/// The launches that give a bucket's result: one, or two of a split sum.
class BucketRun {
public:
  BucketRun(const CudaDevice &device, const BucketJob &job, const CompiledKernel &kernel,
            const GpuTables &tables, WaitPoint wait)
      : job_(job), tables_(tables), wait_(wait),
        first_(device, job.cut ? job.cut->partial : *job.plan, kernel) {
    if (job.cut)
      adding_.emplace(device, job.cut->adding, kernel, first_);
  }
  void launch(uint64_t placement) {
    std::vector<CudaDevicePointer> places = tables_.addresses(job_, placement);
    if (!adding_)
      return first_.launch(places, wait_);
    // All placements share the splits: the launch before, which adds those up, must have ended.
    const CudaDevicePointer splits = tables_.splits();
    const CudaDevicePointer result = std::exchange(places.back(), splits);
    first_.launch(places, std::min(wait_, WaitPoint::Stores));
    adding_->launch(std::array{splits, result});
  }
  int resultScale() const { return (adding_ ? *adding_ : first_).resultScale(); }

private:
  const BucketJob &job_;
  const GpuTables &tables_;
  WaitPoint wait_;
  GpuLaunch first_;
  std::optional<GpuLaunch> adding_;
};

/// Returns when launches wait, as in a program (LaunchWindow). Launches on the same tables write
/// results to memory that the launch before may still write, so they wait before stores.
WaitPoint waitOf(const MeasureOptions &options) {
  switch (options.timing) {
  case GpuTiming::Train:
    return options.wait;
  case GpuTiming::Warm:
    return std::min(options.wait, WaitPoint::Stores);
  case GpuTiming::Alone:
    break;
  }
  return WaitPoint::Begin;
}

class GpuBuckets final : public BucketDevice {
public:
  explicit GpuBuckets(const MeasureOptions &options)
      : options_(options), compiler_(device_.properties().arch, options),
        tables_(device_, compiler_.threads(), options.timing),
        timer_(device_, compiler_.store(), options.timing, options.repeats, options.bucketSeconds) {
    if (options.cublas)
      cublas_.emplace(device_);
  }

  std::string name() const override {
    return fmt::format("{} ({})", device_.properties().name, device_.properties().arch);
  }
  Target target() const override { return targetNamed(device_.properties().arch); }

  void measure(std::vector<BucketJob> &jobs, const TimeBudget &budget) override {
    std::vector<BucketJob *> group;
    done_ = 0;
    all_ = jobs.size();
    for (BucketJob &job : jobs) {
      if (job.result.outcome != Outcome::Predicted)
        continue;
      if (!group.empty() && !sameContents(*group.front(), job)) {
        measureGroup(group, budget);
        group.clear();
      }
      group.push_back(&job);
    }
    if (!group.empty())
      measureGroup(group, budget);
  }

private:
  /// Compiles a few kernels per core, then runs them while nothing compiles, and so on: the budget
  /// is looked at in between, and no compilation disturbs a measurement.
  void measureGroup(const std::vector<BucketJob *> &group, const TimeBudget &budget) {
    tables_.prepare(group);
    const size_t atOnce = compiler_.atOnce();
    for (size_t first = 0; first < group.size(); first += atOnce) {
      const std::vector<BucketJob *> jobs(
          group.begin() + static_cast<std::ptrdiff_t>(first),
          group.begin() + static_cast<std::ptrdiff_t>(std::min(group.size(), first + atOnce)));
      for (BucketJob *job : jobs)
        skipUnfit(*job, budget);
      const std::vector<CompiledKernel> kernels = compiler_.compile(jobs);
      for (size_t i = 0; i < jobs.size(); ++i, ++done_) {
        showProgress(done_, all_, "measured");
        if (jobs[i]->result.outcome == Outcome::Predicted)
          measureOne(*jobs[i], kernels[i], budget);
      }
    }
  }

  void skipUnfit(BucketJob &job, const TimeBudget &budget) const {
    if (budget.spent())
      skip(job, "the time budget was spent");
    else if (!tables_.fits(job))
      skip(job, "its tables do not fit the device");
    else if (job.predictedUs() > options_.bucketSeconds * 1e6)
      skip(job, fmt::format("predicted to take {:.1f} s", job.predictedUs() * 1e-6));
  }

  void measureOne(BucketJob &job, const CompiledKernel &kernel, const TimeBudget &budget) {
    if (budget.spent())
      return skip(job, "the time budget was spent");
    try {
      BucketRun run(device_, job, kernel, tables_, waitOf(options_));
      tables_.result().fill(0xff); // all bits set: NaN in both types
      run.launch(0);
      device_.synchronize();
      job.result.error =
          worstGpuError(device_, tables_.result(), job, options_.checkedEntries, run.resultScale());
      if (*job.result.error <= tolerance(job)) {
        job.result.timeUs =
            timer_.medianUs({[&](uint64_t placement) { run.launch(placement); },
                             tables_.placements(job), GpuTables::bytes(job), job.predictedUs()});
        job.result.outcome = Outcome::Right;
        if (cublas_ && !job.shape.chain)
          measurePeer(job);
      } else {
        job.result.outcome = Outcome::Wrong;
      }
    } catch (const std::exception &problem) {
      setFailed(job, problem);
      device_.synchronize(); // throws when the context itself is lost: nothing could run any more
    }
  }

  /// Times cuBLAS. Its errors do not count as the bucket's.
  void measurePeer(BucketJob &job) {
    const auto size = matrixSizeOf(job);
    if (!size)
      return;
    try {
      job.result.cublasUs =
          cublas_->bestUs(*size, job.type, [&](const std::function<void()> &work) {
            return timer_.medianUs({[&](uint64_t) { work(); }});
          });
    } catch (const std::exception &problem) {
      fmt::print(stderr, "{}: cuBLAS: {}\n", job.shape.name, problem.what());
      device_.synchronize();
    }
  }

  MeasureOptions options_;
  CudaDevice device_;
  BucketCompiler compiler_;
  GpuTables tables_;
  GpuTimer timer_;
  std::optional<Cublas> cublas_;
  size_t done_ = 0, all_ = 0;
};

} // namespace

std::unique_ptr<BucketDevice> openBucketGpu(const MeasureOptions &options) {
  return std::make_unique<GpuBuckets>(options);
}

} // namespace mpf::bench
