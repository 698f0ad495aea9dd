#include "codegen/bundle/bundle.h"
#include "dsl/support/median.h"
#include "dsl/support/table_layout.h"
#include "runtime/execute/compiled/choose_compiled.h"
#include "runtime/execute/compiled/compiled_cost.h"
#include "runtime/execute/compiled/plan_compiled.h"
#include "runtime/execute/cpu/prepare_operation.h"
#include "runtime/execute/cpu_executor.h"
#include "runtime/schedule/build_schedule.h"
#include "tools/mpf-bench/measure/clock_seconds.h"
#include "tools/mpf-bench/measure/measure_buckets.h"
#include "tools/mpf-bench/shapes/bucket_values.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace mpf::bench {

namespace {

/// Returns the bucket as a program of one operation, with the layouts of the digit form.
Bundle bundleOf(const BucketJob &job) {
  const DigitForm form = job.plan->operation();
  Bundle bundle;
  bundle.type = job.type;
  bundle.forcedLog = job.valueForm == ValueForm::Log;
  BundleOperation operation;
  operation.name = job.shape.name;
  operation.semiring = job.semiring;
  operation.digits.assign(form.digits.begin(), form.digits.end());
  const auto access = [&](const DigitAccess &table, bool input) {
    uint64_t &arena = input ? bundle.inputArenaBytes : bundle.workArenaBytes;
    bundle.buffers.push_back({"table", table.sizeElems, arena, input});
    const uint64_t bytes = bufferBytes(table.sizeElems, job.type, false);
    arena += roundUp(bytes, 256);
    return BundleAccess{BufferId(bundle.buffers.size() - 1), table.stridesElems};
  };
  for (const DigitAccess &operand : form.operands)
    operation.operands.push_back(access(operand, true));
  operation.result = access(form.result, false);
  bundle.operations.push_back(std::move(operation));
  return bundle;
}

class CpuBuckets final : public BucketDevice {
public:
  explicit CpuBuckets(const MeasureOptions &options) : options_(options) {
    name_ =
        fmt::format("{}, {} time", makeCpuExecutor(Bundle{}, {options.threads, {}})->deviceName(),
                    options.threads == 1 ? "processor" : "wall-clock");
  }
  std::string name() const override { return name_; }
  Target target() const override { return targetNamed("cpu"); }

  void measure(std::vector<BucketJob> &jobs, const TimeBudget &budget) override {
    for (size_t i = 0; i < jobs.size(); ++i) {
      BucketJob &job = jobs[i];
      showProgress(i, jobs.size(), "measured");
      if (job.result.outcome != Outcome::Predicted)
        continue;
      if (budget.spent()) {
        job.result.outcome = Outcome::Skipped;
        job.result.note = "the time budget was spent";
        continue;
      }
      try {
        measureOne(job);
      } catch (const std::exception &problem) {
        job.result.outcome = Outcome::Failed;
        job.result.note = problem.what();
      }
    }
  }

private:
  void measureOne(BucketJob &job) const {
    const Bundle bundle = bundleOf(job);
    const Schedule schedule = buildSchedule(bundle, DeviceId::cpu());
    const auto builtIn = makeCpuExecutor(bundle, {options_.threads, {}});
    double builtInUs = runOnce(job, bundle, schedule, *builtIn);
    if (!options_.compiled || !mayBeCompiled(bundle, 0)) {
      job.result.timeUs = medianUs({{builtIn.get(), schedule, builtInUs}}).front();
      return;
    }
    CompiledKernelOptions own;
    own.expectedRuns = std::numeric_limits<double>::infinity();
    const auto compiled = makeCpuExecutor(bundle, {options_.threads, own});
    const std::string path = job.result.note;
    double compiledUs = runOnce(job, bundle, schedule, *compiled);
    const auto [builtInNs, compiledNs] = predictedNs(bundle);
    job.result.note += fmt::format(", else {}, {:.2f} predicted ({:.1f} and {:.1f} us)", path,
                                   builtInNs / compiledNs, compiledNs * 1e-3, builtInNs * 1e-3);
    const std::vector<double> timesUs =
        medianUs({{builtIn.get(), schedule, builtInUs}, {compiled.get(), schedule, compiledUs}});
    job.otherUs = timesUs[0];
    job.result.timeUs = timesUs[1];
  }

  /// Returns the predicted times of the built-in kernels and of the compiled one, by which the
  /// executor chooses between them.
  static std::pair<double, double> predictedNs(const Bundle &bundle) {
    const auto predict = [&](const auto &kernels) {
      const CpuOperation operation =
          prepareOperation(bundle.operations.front(), bundle.logInputs, tileTarget(kernels, 1));
      return std::pair(builtInTimeNs(operation), planCompiled(operation, bundle.type).timeNs);
    };
    return bundle.type == ElementType::F32 ? predict(cpuKernels<float>())
                                           : predict(cpuKernels<double>());
  }

  struct Contender {
    Executor *executor;
    const Schedule &schedule;
    double firstUs;
  };

  /// Checks the result; the time is that of one run.
  double runOnce(BucketJob &job, const Bundle &bundle, const Schedule &schedule,
                 Executor &executor) const {
    bindOperands(job, bundle, executor);
    const double timeUs = runUs(executor, schedule);
    job.result.note = executor.profile().front().path;
    if (executor.profile().front().log)
      job.result.note += ", log";
    job.result.error = errorOf(job, bundle, executor);
    const bool right = *job.result.error <= tolerance(job);
    if (job.result.outcome != Outcome::Wrong)
      job.result.outcome = right ? Outcome::Right : Outcome::Wrong;
    return timeUs;
  }

  /// Returns the median times of contenders. They take turns, so that other work of the machine
  /// slows all of them equally.
  std::vector<double> medianUs(const std::vector<Contender> &contenders) const {
    const double start = clockSeconds(false);
    std::vector<std::vector<double>> timesUs(contenders.size());
    while (timesUs.front().size() < options_.repeats &&
           clockSeconds(false) - start < options_.bucketSeconds)
      for (size_t i = 0; i < contenders.size(); ++i)
        timesUs[i].push_back(runUs(*contenders[i].executor, contenders[i].schedule));
    std::vector<double> medians;
    for (size_t i = 0; i < contenders.size(); ++i)
      medians.push_back(timesUs[i].empty() ? contenders[i].firstUs : median(std::move(timesUs[i])));
    return medians;
  }

  double runUs(Executor &executor, const Schedule &schedule) const {
    const bool processorTime = options_.threads == 1;
    const double start = clockSeconds(processorTime);
    executor.run(schedule.steps, {true, 0});
    return (clockSeconds(processorTime) - start) * 1e6;
  }

  void bindOperands(const BucketJob &job, const Bundle &bundle, Executor &executor) const {
    const std::vector<uint64_t> places = operandPlaces(job.plan->operation(), job.type);
    const TableState state{0, -1, -1, job.valueForm == ValueForm::Log ? 1 : 0};
    const bool plain = job.semiring.combine == Combine::Plus;
    for (size_t i = 0; i < places.size(); ++i) {
      const BufferId buffer = bundle.operations.front().operands[i].buffer;
      std::byte *memory = executor.inputMemory(buffer);
      const uint64_t count = bundle.buffer(buffer).sizeElems;
      const unsigned threads = std::max(1u, options_.threads);
      if (job.type == ElementType::F32)
        fillEntries(reinterpret_cast<float *>(memory), places[i], count, job.valueForm, threads);
      else
        fillEntries(reinterpret_cast<double *>(memory), places[i], count, job.valueForm, threads);
      executor.setInput(buffer, plain ? TableState{0, 0, 0, 0} : state);
    }
  }

  double errorOf(const BucketJob &job, const Bundle &bundle, const Executor &executor) const {
    const TableView view = executor.table(bundle.operations.front().result.buffer);
    // The executor may keep a result in another form than its operands had.
    const bool log = job.valueForm == ValueForm::Log;
    return worstError(job.plan->operation(), job.type, job.valueForm, options_.checkedEntries,
                      [&](uint64_t offset) {
                        if (log)
                          return view.log2Entry(offset) + view.state.scale;
                        return std::ldexp(view.entry(offset), view.state.scale);
                      });
  }

  MeasureOptions options_;
  std::string name_;
};

} // namespace

std::unique_ptr<BucketDevice> openBucketCpu(const MeasureOptions &options) {
  return std::make_unique<CpuBuckets>(options);
}

} // namespace mpf::bench
