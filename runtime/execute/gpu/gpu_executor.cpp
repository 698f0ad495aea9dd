#include "runtime/execute/gpu/gpu_executor.h"

#include "dsl/support/check.h"
#include "dsl/support/system/fork_count.h"
#include "runtime/compile/nvrtc_compiler.h"
#include "runtime/execute/gpu/gpu_device_runs.h"
#include "runtime/execute/gpu/gpu_program.h"
#include "runtime/execute/host/accumulate_slice.h"
#include "runtime/execute/host/best_slice.h"
#include "runtime/execute/host/bind_input.h"
#include "runtime/execute/host/integer_tables.h"
#include "runtime/execute/host/verify_operation.h"

#include <algorithm>
#include <map>
#include <numeric>
#include <optional>
#include <utility>

namespace mpf {

namespace {

class GpuExecutor final : public Executor, public DeviceRuns {
public:
  GpuExecutor(const Bundle &bundle, const GpuOptions &options)
      : bundle_(bundle), self_(DeviceId::gpu(static_cast<uint32_t>(options.ordinal))),
        device_(options.ordinal), store_(openNvrtcCompiler, options.kernels),
        program_(device_, bundle_, store_, options.joins,
                 {options.slicesAtOnce, options.joins.speed}, options.copies),
        inputs_(device_, bundle.inputArenaBytes), states_(bundle.buffers.size()), best_(bundle_),
        slice_(bundle.sliced.size(), 0), changed_(bundle.buffers.size(), 1) {}

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
    program_.setOperations(operationsOf(steps), downloadsOf(steps));
    profile_.clear();
    isLed_ = isWatched(request) || !program_.playsSlices();
    if (isLed_ && runsSlices(steps))
      runSlices(steps, request);
    else if (request.verifySamples != 0)
      program_.runStepwise({[&](uint32_t index) { startChain(index); },
                            [&](uint32_t index) {
                              verify(index, request.verifySamples);
                              endChain(index, request.verifySamples);
                            }});
    else if (request.profile)
      recordProfile(program_.runMeasured());
    else
      startWhole();
  }

  void finish() override {
    results_ = program_.finish();
    refuseLost(results_);
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
    program_.setOperations(operationsOf(steps), {});
    deviceRuns_->bind(request);
    program_.startUnseen();
    deviceRuns_->end(request);
  }

  DeviceRunLaunches launches() const override { return program_.unseenLaunches(); }

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
      return view(id, inputs_.data() + buffer.offsetBytes, states_[id.index()]);
    const std::byte *const bytes = program_.downloaded(id);
    MPF_CHECK(bytes != nullptr, "table {} was not downloaded", buffer.name);
    return view(id, bytes, results_[id.index()]);
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

  /// Returns one flag per operation of the bundle: whether it is in `steps`.
  std::vector<char> operationsOf(std::span<const ScheduleStep> steps) const {
    std::vector<char> runs(bundle_.operations.size(), 0);
    for (const ScheduleStep &step : steps)
      if (step.kind == StepKind::Run)
        runs[step.index] = 1;
    return runs;
  }

  static std::vector<uint32_t> downloadsOf(std::span<const ScheduleStep> steps) {
    std::vector<uint32_t> buffers;
    for (const ScheduleStep &step : steps)
      if (step.kind == StepKind::Copy && step.device.isGpu())
        buffers.push_back(step.index);
    return buffers;
  }

  void runSlices(std::span<const ScheduleStep> steps, const RunRequest &request) {
    std::vector<double> times(bundle_.operations.size(), 0);
    waiting_.clear();
    bestIsHere_ = bestIsHere_ || request.slice.empty();
    program_.beginSlices(request.verifySamples == 0);
    walkSteps(steps, bundle_, request.slice,
              [&](const ScheduleStep &step, const SliceStates &states) {
                if (step.kind != StepKind::Run)
                  return;
                const BundleOperation &operation = bundle_.operations[step.index];
                if (!operation.accumulates || states != slice_ || !joinsSums(operation))
                  finishSums();
                program_.enterSlice(states);
                slice_ = states;
                if (!operation.accumulates) {
                  program_.runOperation(step.index, request.profile ? &times[step.index] : nullptr);
                  if (request.verifySamples != 0)
                    verify(step.index, request.verifySamples);
                } else if (request.slice.empty()) { // a run of one slice adds nothing up
                  waiting_.push_back(&operation);
                }
              });
    finishSums();
    if (request.profile)
      recordProfile(times);
  }

  /// Throws for the first operation with a count that does not fit, because kernels of whole
  /// numbers continue then. The device notes such operations of slices that ran without the host.
  void refuseLost(const std::vector<TableState> &states) const {
    if (!isIntegerType(bundle_.type))
      return;
    const int64_t noted = program_.outcome().faults.lost;
    for (size_t i = 0; i < bundle_.operations.size(); ++i) {
      const BundleOperation &operation = bundle_.operations[i];
      if (static_cast<int64_t>(i) == noted ||
          isLostCount(states[operation.result.buffer.index()], bundle_.type))
        failOverflow(operation.name, bundle_.type);
    }
  }

  void startWhole() {
    if (program_.playsSlices() && std::exchange(bestIsHere_, false))
      program_.setBestSlices(best_.noted());
    program_.start();
  }

  /// True if each operation is examined, or only one slice runs.
  static bool isWatched(const RunRequest &request) {
    return request.verifySamples != 0 || request.profile || !request.slice.empty();
  }

  bool runsSlices(std::span<const ScheduleStep> steps) const {
    return std::any_of(steps.begin(), steps.end(),
                       [](const ScheduleStep &step) { return step.kind == StepKind::Repeat; });
  }

  bool joinsSums(const BundleOperation &operation) const {
    return waiting_.empty() || waiting_.front()->loop == operation.loop;
  }

  /// Adds up slices on the host, because results are small. Consecutive sums of one loop are read
  /// together, so the marginals of a slice take one synchronisation.
  void finishSums() {
    if (waiting_.empty())
      return;
    const std::vector<TableState> states = program_.readStates();
    refuseLost(states); // the next slice starts with new states
    std::vector<std::vector<std::byte>> slices;
    for (const BundleOperation *operation : waiting_) {
      const BufferId from = operation->operands[0].buffer;
      slices.push_back(program_.startRead(from, states[from.index()]));
    }
    program_.synchronize();
    for (size_t i = 0; i < waiting_.size(); ++i)
      accumulate(*waiting_[i], slices[i], states[waiting_[i]->operands[0].buffer.index()]);
    program_.synchronize();
    waiting_.clear();
  }

  void accumulate(const BundleOperation &operation, const std::vector<std::byte> &slice,
                  const TableState &read) {
    const BufferId from = operation.operands[0].buffer, into = operation.result.buffer;
    std::vector<std::byte> &sum = sums_[into.value];
    sum.resize(slice.size());
    const uint32_t state = slice_[operation.loop - 1];
    const SliceSum how{operation.semiring.reduce, hasPlainTables(bundle_), bundle_.forcedLog,
                       state == 0, operation.name};
    const uint64_t elems = bundle_.buffer(into).sizeElems;
    auto *signs = reinterpret_cast<int8_t *>(sum.data() + elems * elementBytes(bundle_.type));
    const MutableTable target{bundle_.type, &sumStates_[into.value], elems, sum.data(),
                              bundle_.signedValues ? signs : nullptr};
    const TableView view = this->view(from, slice.data(), read);
    if (accumulateSlice(how, view, target))
      best_.record(operation.loop, slice_, best_);
    // The sum is written at the end of the loop, after which operations read it.
    const VarId variable = bundle_.sliced[operation.loop - 1];
    if (state + 1 == bundle_.variables[variable.index()].extent)
      program_.startWrite(into, sum, sumStates_[into.value]);
  }

  TableView view(BufferId id, const std::byte *bytes, const TableState &state) const {
    const BundleBuffer &buffer = bundle_.buffer(id);
    const bool signs = state.form != 0 && bundle_.signedValues;
    const auto *plane =
        reinterpret_cast<const int8_t *>(bytes + buffer.sizeElems * elementBytes(bundle_.type));
    return {bundle_.type, state, buffer.sizeElems, bytes, signs ? plane : nullptr};
  }

  void recordProfile(const std::vector<double> &operationUs) {
    if (operationUs.empty())
      return;
    const std::vector<TableState> states = program_.readStates();
    for (uint32_t i = 0; i < operationUs.size(); ++i) {
      if (!program_.runs(i))
        continue;
      const bool log = states[bundle_.operations[i].result.buffer.index()].form != 0;
      profile_.push_back({i, self_, program_.pathName(i), log, operationUs[i]});
    }
  }

  void verify(uint32_t index, size_t samples) const {
    const BundleOperation &operation = bundle_.operations[index];
    const std::vector<TableState> states = program_.readStates();
    refuseLost(states);
    std::vector<std::vector<std::byte>> copies;
    std::vector<TableView> operands;
    copies.reserve(operation.operands.size() + 1);
    for (const BundleAccess &access : operation.operands) {
      const BundleBuffer &buffer = bundle_.buffer(access.buffer);
      const TableState &state = states[access.buffer.index()];
      if (!buffer.input)
        copies.push_back(program_.readBuffer(access.buffer, state));
      operands.push_back(
          view(access.buffer,
               buffer.input ? inputs_.data() + buffer.offsetBytes : copies.back().data(), state));
      const uint64_t offset = sliceOffsetElems(access, slice_);
      operands.back().entries += offset * elementBytes(bundle_.type);
      operands.back().signs += operands.back().signs != nullptr ? offset : 0;
      operands.back().sizeElems -= offset;
    }
    const BufferId result = operation.result.buffer;
    copies.push_back(program_.readBuffer(result, states[result.index()]));
    verifyOperation(operation, operands, view(result, copies.back().data(), states[result.index()]),
                    samples);
  }

  /// Runs a chain's kernel before its operations. Verification runs the operations one by one and
  /// compares their result with the kernel's.
  void startChain(uint32_t index) {
    const auto chain = std::find_if(bundle_.chains.begin(), bundle_.chains.end(),
                                    [&](const BundleChain &c) { return c.first == index; });
    if (chain == bundle_.chains.end())
      return;
    together_ = program_.tryChain(*chain, togetherState_);
    togetherEnd_ = chain->first + chain->count - 1;
  }

  void endChain(uint32_t index, size_t samples) {
    if (!together_ || togetherEnd_ != index)
      return;
    const BufferId result = bundle_.operations[index].result.buffer;
    const TableState state = program_.readStates()[result.index()];
    const std::vector<std::byte> bytes = program_.readBuffer(result, state);
    verifySame(bundle_, bundle_.operations[index], view(result, together_->data(), togetherState_),
               view(result, bytes.data(), state), samples);
    together_.reset();
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
  std::optional<std::vector<std::byte>> together_; ///< result of a chain's kernel, to be verified
  TableState togetherState_;
  uint32_t togetherEnd_ = 0; ///< the chain's last operation
  BestSlice best_;
  bool bestIsHere_ = false; ///< true: the device does not have `best_`
  bool isLed_ = false;      ///< true: the host leads the run that was started last
  SliceStates slice_;       ///< the slice that is being computed
  std::vector<const BundleOperation *> waiting_;    ///< unread sums of this slice, all of one loop
  std::map<uint32_t, std::vector<std::byte>> sums_; ///< by buffer: the sum so far
  std::map<uint32_t, TableState> sumStates_;
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
