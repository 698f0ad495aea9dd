#include "runtime/execute/gpu/runs/gpu_executor.h"

#include "dsl/support/check.h"
#include "dsl/support/system/fork_count.h"
#include "runtime/compile/nvrtc_compiler.h"
#include "runtime/execute/gpu/runs/gpu_device_runs.h"
#include "runtime/execute/gpu/runs/gpu_program.h"
#include "runtime/execute/gpu/runs/led_slices.h"
#include "runtime/execute/gpu/runs/operation_checks.h"
#include "runtime/execute/gpu/runs/result_tables.h"
#include "runtime/execute/host/accumulate_slice.h"
#include "runtime/execute/host/best_slice.h"
#include "runtime/execute/host/bind_input.h"

#include <algorithm>
#include <numeric>
#include <optional>
#include <utility>

namespace mpf {

namespace {

/// Returns one flag per operation of the bundle: whether it is in `steps`.
std::vector<char> runFlags(const Bundle &bundle, std::span<const ScheduleStep> steps) {
  std::vector<char> runs(bundle.operations.size(), 0);
  for (const ScheduleStep &step : steps)
    if (step.kind == StepKind::Run)
      runs[step.index] = 1;
  return runs;
}

std::vector<uint32_t> downloadsOf(std::span<const ScheduleStep> steps) {
  std::vector<uint32_t> buffers;
  for (const ScheduleStep &step : steps)
    if (step.kind == StepKind::Copy && step.device.isGpu())
      buffers.push_back(step.index);
  return buffers;
}

/// True if each operation is examined, or only one slice runs.
bool isWatched(const RunRequest &request) {
  return request.verifySamples != 0 || request.profile || !request.slice.empty();
}

bool runsSlices(std::span<const ScheduleStep> steps) {
  return std::any_of(steps.begin(), steps.end(),
                     [](const ScheduleStep &step) { return step.kind == StepKind::Repeat; });
}

class GpuExecutor final : public Executor, public DeviceRuns {
public:
  GpuExecutor(const Bundle &bundle, const GpuOptions &options)
      : bundle_(bundle), self_(DeviceId::gpu(static_cast<uint32_t>(options.ordinal))),
        device_(options.ordinal), store_(openNvrtcCompiler, options.kernels),
        program_(device_, bundle_, store_, options.joins,
                 {options.slicesAtOnce, options.joins.speed}, options.copies),
        inputs_(device_, bundle.inputArenaBytes), states_(bundle.buffers.size()),
        checks_(device_, bundle_, program_, inputs_), best_(bundle_),
        slices_(bundle_, program_, checks_, best_), changed_(bundle.buffers.size(), 1) {}

  /// Waits: kernels and copies in flight use this object's memory.
  ~GpuExecutor() override { program_.drain(); }
  GpuExecutor(const GpuExecutor &) = delete;
  GpuExecutor &operator=(const GpuExecutor &) = delete;

  std::string deviceName() const override {
    return fmt::format("gpu ({}, {})", device_.properties().name, device_.properties().arch);
  }

  std::byte *inputMemory(BufferId input) override {
    const BundleBuffer &buffer = bundle_.buffer(input);
    MPF_CHECK(buffer.input, "buffer {} is no input", buffer.name);
    settle();
    return inputs_.data() + buffer.offsetBytes;
  }

  void setInput(BufferId input, const TableState &state) override {
    states_[input.index()] = state;
    changed_[input.index()] = 1;
  }

  const std::vector<OperationProfile> &profile() const override { return profile_; }

  void run(std::span<const ScheduleStep> steps, const RunRequest &request) override {
    start(steps, request);
    finish();
  }

  /// False for runs that the host leads: measured or verified operations, and a single slice. False
  /// also for very many slices, whose launches take the host long.
  bool worksByItself(std::span<const ScheduleStep> steps,
                     const RunRequest &request) const override {
    constexpr double kMostSlices = 1 << 16;
    const std::vector<double> loopRuns = bundle_.loopRuns();
    return !isWatched(request) &&
           (!runsSlices(steps) ||
            (program_.playsSlices() &&
             std::accumulate(loopRuns.begin(), loopRuns.end(), 0.0) <= kMostSlices));
  }

  void start(std::span<const ScheduleStep> steps, const RunRequest &request) override {
    refuseAfterFork();
    device_.makeCurrent();
    settle();
    setInputs();
    program_.setOperations(runFlags(bundle_, steps), downloadsOf(steps));
    profile_.clear();
    isLed_ = isWatched(request) || !program_.playsSlices();
    if (isLed_ && runsSlices(steps)) {
      bestIsHere_ = bestIsHere_ || request.slice.empty();
      const std::vector<double> times = slices_.run(steps, request);
      if (request.profile)
        recordProfile(times);
    } else if (request.verifySamples != 0) {
      checks_.run(request.verifySamples);
    } else if (request.profile) {
      recordProfile(program_.led().runMeasured());
    } else {
      startWhole();
    }
  }

  void finish() override {
    results_ = program_.finish();
    refuseLost(bundle_, program_.outcome().faults.lost, results_);
    if (isLed_)
      return;
    if (const uint64_t beyond = program_.outcome().faults.beyond; beyond != 0)
      failBeyondScale(static_cast<int64_t>(beyond / 2) * (beyond % 2 != 0 ? -1 : 1));
    best_.setNoted(program_.outcome().best);
  }

  DeviceRuns *onDevice() override { return this; }

  void prepare(std::span<const uint32_t> inputs) override {
    refuseAfterFork();
    settle();
    if (!deviceRuns_)
      deviceRuns_.emplace(device_, bundle_, store_, program_);
    deviceRuns_->prepare(inputs);
  }

  void startOnDevice(std::span<const ScheduleStep> steps, const Request &request) override {
    refuseAfterFork();
    isUnseen_ = true;
    deviceRuns_->begin(request);
    // The host knows neither range nor form of inputs that kernels bind: plans must not rely on it.
    const ExponentRange widest = exponentRange(bundle_.type);
    for (const uint32_t input : deviceRuns_->inputs()) {
      const size_t buffer = bundle_.inputs[input].buffer.index();
      arePlaced_ &= states_[buffer] == TableState{0, widest.least, widest.greatest, 1};
      states_[buffer] = {0, widest.least, widest.greatest, 1};
      changed_[buffer] = 0;
    }
    setInputs();
    program_.sendInputs(); // before the inputs that kernels bind
    program_.setOperations(runFlags(bundle_, steps), {});
    deviceRuns_->bind(request);
    program_.unseen().start();
    deviceRuns_->end(request);
  }

  DeviceRunLaunches launches() const override { return program_.unseen().launches(); }

  void setTables(std::span<const GivenTable> tables) override {
    device_.makeCurrent();
    program_.writeTables(tables);
  }

  SliceStates bestSlice() const override { return best_.states(); }
  uint64_t allocatedBytes() const override { return program_.tableBytes(); }
  std::vector<std::vector<uint32_t>> decode(const DecodeRequest &request) const override {
    return program_.decode(request);
  }

  TableView table(BufferId id) const override {
    const BundleBuffer &buffer = bundle_.buffer(id);
    if (buffer.input)
      return viewOf(bundle_, id, inputs_.data() + buffer.offsetBytes, states_[id.index()]);
    const std::byte *const bytes = program_.downloaded(id);
    MPF_CHECK(bytes != nullptr, "table {} was not downloaded", buffer.name);
    return viewOf(bundle_, id, bytes, results_[id.index()]);
  }

private:
  void refuseAfterFork() const {
    if (forkCount_ != mpf::forkCount())
      fail(ErrorKind::Device, "this session is of the process before the fork: its GPU is not "
                              "this process's; run on the CPU, or start a program anew (exec)");
  }

  /// Waits for unseen runs, which may still read the host's image of the inputs and their plans.
  void settle() {
    if (std::exchange(isUnseen_, false))
      program_.synchronize();
  }

  /// Gives the program the inputs that have changed since the last run.
  void setInputs() {
    if (!arePlaced_ ||
        std::any_of(changed_.begin(), changed_.end(), [](char changed) { return changed != 0; }))
      program_.setInputs(inputs_, states_, changed_);
    std::fill(changed_.begin(), changed_.end(), 0);
    arePlaced_ = true;
  }

  void startWhole() {
    if (program_.playsSlices() && std::exchange(bestIsHere_, false))
      program_.setBestSlices(best_.noted());
    program_.start();
  }

  void recordProfile(const std::vector<double> &operationUs) {
    if (operationUs.empty())
      return;
    const std::vector<TableState> states = program_.states().read();
    for (uint32_t i = 0; i < operationUs.size(); ++i) {
      if (!program_.runs(i))
        continue;
      const bool log = states[bundle_.operations[i].result.buffer.index()].form != 0;
      profile_.push_back({i, self_, program_.led().pathName(i), log, operationUs[i]});
    }
  }

  const Bundle bundle_;
  const DeviceId self_;
  CudaDevice device_;
  KernelStore store_;
  GpuProgram program_;
  HostImage inputs_;                ///< the input arena
  std::vector<TableState> states_;  ///< states of inputs as bound; results neutral
  std::vector<TableState> results_; ///< states after the last run
  std::vector<OperationProfile> profile_;
  OperationChecks checks_;
  BestSlice best_;
  LedSlices slices_;
  bool bestIsHere_ = false; ///< true: the device does not have `best_`
  bool isLed_ = false;      ///< true: the host leads the run that was started last
  unsigned forkCount_ = mpf::forkCount();
  std::vector<char> changed_; ///< by buffer: inputs that have changed since the last run
  std::optional<GpuDeviceRuns> deviceRuns_;
  bool arePlaced_ = true; ///< true: the program has the states of `states_`
  bool isUnseen_ = false; ///< runs of DeviceRuns were started since the last wait
};

} // namespace

std::unique_ptr<Executor> makeGpuExecutor(const Bundle &bundle, const GpuOptions &options) {
  return std::make_unique<GpuExecutor>(bundle, options);
}

std::string gpuUnavailableReason() { return CudaDevice::lack().reason; }

} // namespace mpf
