#include "runtime/execute/gpu/gpu_executor.h"

#include "dsl/support/check.h"
#include "runtime/execute/gpu/gpu_program.h"
#include "runtime/execute/verify_operation.h"

#include <map>

namespace mpf {

namespace {

class GpuExecutor final : public Executor {
public:
  GpuExecutor(const Bundle &bundle, const GpuOptions &options)
      : bundle_(bundle), device_(options.ordinal), store_(options.kernels),
        program_(device_, bundle, store_), inputs_(bundle.inputArenaBytes),
        states_(bundle.buffers.size()) {}

  std::string deviceName() const override {
    return fmt::format("gpu ({}, {})", device_.properties().name, device_.properties().arch);
  }

  std::byte *inputMemory(BufferId input) override {
    const BundleBuffer &buffer = bundle_.buffer(input);
    MPF_CHECK(buffer.input, "buffer {} is no input", buffer.name);
    return inputs_.data() + buffer.offsetBytes;
  }

  void setInput(BufferId input, const TableState &state) override {
    states_[input.index()] = state;
    changed_ = true;
  }

  const std::vector<OperationProfile> &profile() const override { return profile_; }

  void run(std::span<const ScheduleStep> steps, const RunRequest &request) override {
    if (!bundle_.sliced.empty())
      fail(ErrorKind::Unsupported,
           "query {} was planned in slices, which the CPU runs: --device cpu", bundle_.name);
    if (changed_)
      program_.setInputs(inputs_.data(), states_);
    changed_ = false;
    profile_.clear();
    if (request.verifySamples != 0)
      program_.runStepwise([&](uint32_t index) { verify(index, request.verifySamples); });
    else
      recordProfile(program_.run(request.profile));
    results_ = program_.readStates();
    downloads_.clear();
    for (const ScheduleStep &step : steps)
      if (step.kind == StepKind::Download)
        downloads_[step.index] = program_.readBuffer(BufferId(step.index));
  }

  SliceStates bestSlice() const override { return {}; }
  uint64_t allocatedBytes() const override {
    return bundle_.inputArenaBytes + bundle_.workArenaBytes;
  }

  TableView table(BufferId id) const override {
    const BundleBuffer &buffer = bundle_.buffer(id);
    if (buffer.input)
      return view(id, inputs_.data() + buffer.offsetBytes, states_[id.index()]);
    const auto found = downloads_.find(id.value);
    MPF_CHECK(found != downloads_.end(), "table {} was not downloaded", buffer.name);
    return view(id, found->second.data(), results_[id.index()]);
  }

private:
  TableView view(BufferId id, const std::byte *bytes, const TableState &state) const {
    const BundleBuffer &buffer = bundle_.buffer(id);
    const bool signs = state.form != 0 && bundle_.signedValues;
    const auto *plane =
        reinterpret_cast<const int8_t *>(bytes + buffer.sizeElems * elementBytes(bundle_.type));
    return {bundle_.type, state, buffer.sizeElems, bytes, signs ? plane : nullptr};
  }

  void recordProfile(const GpuRunProfile &measured) {
    if (measured.operationUs.empty())
      return;
    const std::vector<TableState> states = program_.readStates();
    for (uint32_t i = 0; i < measured.operationUs.size(); ++i) {
      const bool log = states[bundle_.operations[i].result.buffer.index()].form != 0;
      profile_.push_back({i, StepDevice::Gpu, program_.pathName(i), log, measured.operationUs[i]});
    }
  }

  void verify(uint32_t index, size_t samples) const {
    const BundleOperation &operation = bundle_.operations[index];
    const std::vector<TableState> states = program_.readStates();
    std::vector<std::vector<std::byte>> copies;
    std::vector<TableView> operands;
    copies.reserve(operation.operands.size() + 1);
    for (const BundleAccess &access : operation.operands) {
      copies.push_back(program_.readBuffer(access.buffer));
      operands.push_back(view(access.buffer, copies.back().data(), states[access.buffer.index()]));
    }
    const BufferId result = operation.result.buffer;
    copies.push_back(program_.readBuffer(result));
    verifyOperation(operation, bundle_.logInputs, operands,
                    view(result, copies.back().data(), states[result.index()]), samples);
  }

  const Bundle &bundle_;
  CudaDevice device_;
  KernelStore store_;
  GpuProgram program_;
  std::vector<std::byte> inputs_;   ///< host image of the input arena
  std::vector<TableState> states_;  ///< of inputs as bound; results neutral
  std::vector<TableState> results_; ///< after the last run
  std::map<uint32_t, std::vector<std::byte>> downloads_;
  std::vector<OperationProfile> profile_;
  bool changed_ = true;
};

} // namespace

std::unique_ptr<Executor> makeGpuExecutor(const Bundle &bundle, const GpuOptions &options) {
  return std::make_unique<GpuExecutor>(bundle, options);
}

std::string gpuUnavailableReason() { return CudaDevice::unavailableReason(); }

} // namespace mpf
