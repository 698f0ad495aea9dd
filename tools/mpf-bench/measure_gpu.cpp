#include "dsl/support/error.h"
#include "dsl/support/median.h"
#include "tools/mpf-bench/check_gpu_result.h"
#include "tools/mpf-bench/compile_buckets.h"
#include "tools/mpf-bench/cublas.h"
#include "tools/mpf-bench/gpu_launch.h"
#include "tools/mpf-bench/gpu_tables.h"
#include "tools/mpf-bench/measure_buckets.h"
#include "tools/mpf-bench/sweep_l2.h"

#include <algorithm>
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

/// The launches that give a bucket's result: one, or two of a sum in parts.
class BucketRun {
public:
  BucketRun(const CudaDevice &device, const BucketJob &job, const std::string &cubin,
            const GpuTables &tables) {
    std::vector<CudaDevicePointer> places = tables.addresses(job);
    if (!job.cut) {
      first_.emplace(device, *job.plan, cubin, std::move(places));
      return;
    }
    const CudaDevicePointer result = std::exchange(places.back(), tables.parts());
    first_.emplace(device, job.cut->partial, cubin, std::move(places));
    adding_.emplace(device, job.cut->adding, cubin,
                    std::vector<CudaDevicePointer>{tables.parts(), result}, *first_);
  }
  void launch() {
    first_->launch();
    if (adding_)
      adding_->launch();
  }
  int resultScale() const { return (adding_ ? *adding_ : *first_).resultScale(); }

private:
  std::optional<GpuLaunch> first_, adding_;
};

class GpuBuckets final : public BucketDevice {
public:
  explicit GpuBuckets(const MeasureOptions &options)
      : options_(options), compiler_(device_.properties().arch, options),
        tables_(device_, compiler_.threads()) {
    if (!options.warm)
      sweep_.emplace(device_, compiler_.store());
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
    const size_t batch = compiler_.batchSize();
    for (size_t first = 0; first < group.size(); first += batch) {
      const std::vector<BucketJob *> jobs(
          group.begin() + static_cast<std::ptrdiff_t>(first),
          group.begin() + static_cast<std::ptrdiff_t>(std::min(group.size(), first + batch)));
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
      BucketRun run(device_, job, kernel.cubin, tables_);
      tables_.result().fill(0xff); // all bits set: NaN in both types
      run.launch();
      device_.synchronize();
      job.result.error =
          worstGpuError(device_, tables_.result(), job, options_.checkedEntries, run.resultScale());
      if (*job.result.error <= tolerance(job)) {
        job.result.timeUs = timeOf([&] { run.launch(); });
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

  /// What goes wrong with the peer is not the bucket's fault.
  void measurePeer(BucketJob &job) {
    const auto size = matrixSizeOf(job);
    if (!size)
      return;
    try {
      job.result.cublasUs = cublas_->bestUs(
          *size, job.type, [&](const std::function<void()> &work) { return timeOf(work); });
    } catch (const std::exception &problem) {
      fmt::print(stderr, "{}: cuBLAS: {}\n", job.shape.name, problem.what());
      device_.synchronize();
    }
  }

  double timeOf(const std::function<void()> &work) {
    std::vector<double> times;
    double sumUs = 0;
    while (times.size() < std::max(1u, options_.repeats) && sumUs < options_.bucketSeconds * 1e6) {
      times.push_back(options_.warm ? warmUs(work) : coldUs(work));
      sumUs += times.back();
    }
    return median(std::move(times));
  }

  double coldUs(const std::function<void()> &work) {
    const CudaEvent before(device_), after(device_);
    sweep_->launch();
    before.record();
    work();
    after.record();
    device_.synchronize();
    return after.microsecondsSince(before);
  }

  /// Mean of launches one after another, enough of them to hide the events and the first launch.
  double warmUs(const std::function<void()> &work) {
    constexpr unsigned kLaunches = 10;
    const CudaEvent before(device_), after(device_);
    work();
    before.record();
    for (unsigned i = 0; i < kLaunches; ++i)
      work();
    after.record();
    device_.synchronize();
    return after.microsecondsSince(before) / kLaunches;
  }

  MeasureOptions options_;
  CudaDevice device_;
  BucketCompiler compiler_;
  GpuTables tables_;
  std::optional<SweepL2> sweep_;
  std::optional<Cublas> cublas_;
  size_t done_ = 0, all_ = 0;
};

} // namespace

std::unique_ptr<BucketDevice> openBucketGpu(const MeasureOptions &options) {
  return std::make_unique<GpuBuckets>(options);
}

} // namespace mpf::bench
