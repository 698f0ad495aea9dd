#include "runtime/execute/gpu/tuning/gpu_tuning_device.h"

#include "codegen/bundle/chain_tables.h"
#include "codegen/bundle/kernel_interface.h"
#include "codegen/bundle/slice_arenas.h"
#include "codegen/bundle/table_state.h"
#include "dsl/support/check.h"
#include "runtime/execute/gpu/cuda_device.h"
#include "runtime/execute/gpu/launch_kernel.h"
#include "runtime/execute/gpu/tuning/tuning_pattern.h"
#include "runtime/execute/host/table_view.h"
#include "runtime/result/compare.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <map>

namespace mpf {

namespace {

/// Most compared entries of a result; of larger results, evenly spread stretches are compared.
constexpr uint64_t kComparedElems = uint64_t{1} << 22, kStretches = 64;

/// The tables of a kernel of the bundle: those of its first operation or chain.
struct KernelTables {
  std::vector<const BundleAccess *> operands;
  const BundleAccess *result = nullptr;
};

KernelTables tablesOf(const Bundle &bundle, uint32_t kernel) {
  for (const BundleOperation &operation : bundle.operations) {
    if (operation.kernel != kernel)
      continue;
    KernelTables tables{{}, &operation.result};
    for (const BundleAccess &operand : operation.operands)
      tables.operands.push_back(&operand);
    return tables;
  }
  for (const BundleChain &chain : bundle.chains)
    if (chain.kernel == kernel)
      return {chainOperands(bundle, chain), &chainResult(bundle, chain)};
  fail(ErrorKind::Internal, "kernel {} of {} serves no operation", kernel, bundle.kernels.size());
}

class GpuTuningDevice final : public TuningDevice {
public:
  GpuTuningDevice(const Bundle &bundle, const FlushL2Kernel &flush, KernelStore &store, int ordinal)
      : bundle_(bundle), device_(ordinal), store_(store), flush_(flush),
        inputs_(device_, bundle.inputArenaBytes), work_(device_, workTableBytes(bundle)),
        states_(device_, bundle.buffers.size() * sizeof(TableState)),
        flushed_(device_, flush.operandBytes), flushResult_(device_, flush.resultBytes),
        flushStates_(device_, 2 * sizeof(TableState)) {
    const std::vector<std::byte> pattern = tuningPattern(bundle.type, bundle.forcedLog);
    pattern_ = DeviceMemory(device_, pattern.size());
    pattern_.upload(pattern.data(), pattern.size());
    fillPattern(inputs_, inputs_.sizeBytes(), 0);
    fillPattern(work_, work_.sizeBytes(), 0);
    const TableState plain = isIntegerType(bundle.type) ? TableState{0, 0, 1, 0}
                                                        : TableState{0, -1, -1, bundle.forcedLog};
    initialStates_.assign(bundle.buffers.size(), plain);
    fillPacked();
    states_.upload(initialStates_.data(), states_.sizeBytes());
    const TableState flushStates[2] = {{0, -1, -1, 0}, {}};
    flushStates_.upload(flushStates, sizeof(flushStates));
    flushed_.fill(0);
    device_.synchronize(); // the uploaded data are local to this constructor
    load({&flush_.kernel});
  }

  void compile(std::span<const BundleKernel *const> kernels) override { load(kernels); }

  std::unique_ptr<CandidateRunner> open(uint32_t kernel,
                                        std::span<const BundleKernel *const> candidates) override;

private:
  friend class GpuCandidates;

  void load(std::span<const BundleKernel *const> kernels) {
    std::vector<CompileRequest> requests;
    for (const BundleKernel *kernel : kernels)
      requests.push_back({kernel->name, kernel->source, device_.properties().arch});
    const std::vector<CompiledKernel> compiled = store_.compileAll(requests);
    for (size_t i = 0; i < compiled.size(); ++i)
      images_[kernels[i]->name] = compiled[i].cubin;
  }
  void load(std::initializer_list<const BundleKernel *> kernels) {
    load(std::span<const BundleKernel *const>(kernels.begin(), kernels.size()));
  }

  /// Fills packed inputs with words of varied bits, and sets the states of zeros and ones.
  void fillPacked() {
    const std::vector<std::byte> bits = tuningPattern(ElementType::F64, false);
    for (size_t i = 0; i < bundle_.buffers.size(); ++i) {
      const BundleBuffer &buffer = bundle_.buffers[i];
      if (!buffer.packed)
        continue;
      initialStates_[i] = {0, 0, 0, bundle_.forcedLog};
      const uint64_t bytes = buffer.sizeElems / 8;
      for (uint64_t done = 0; done < bytes; done += bits.size())
        inputs_.upload(bits.data(), std::min<uint64_t>(bytes - done, bits.size()),
                       buffer.offsetBytes + done);
    }
    device_.synchronize(); // the pattern is local to this function
  }

  void fillPattern(const DeviceMemory &memory, uint64_t bytes, uint64_t offsetBytes) const {
    for (uint64_t done = 0; done < bytes; done += pattern_.sizeBytes())
      memory.copyFrom(pattern_, std::min(bytes - done, pattern_.sizeBytes()), offsetBytes + done);
  }

  const Bundle &bundle_;
  CudaDevice device_;
  KernelStore &store_;
  FlushL2Kernel flush_;
  DeviceMemory inputs_, work_, states_, flushed_, flushResult_, flushStates_, pattern_;
  std::vector<TableState> initialStates_;
  std::map<std::string, std::string> images_; ///< machine code by the kernel's name
};

class GpuCandidates final : public CandidateRunner {
public:
  GpuCandidates(GpuTuningDevice &tuning, uint32_t kernel,
                std::span<const BundleKernel *const> candidates)
      : tuning_(tuning), device_(tuning.device_), bundle_(tuning.bundle_),
        kernels_(candidates.begin(), candidates.end()),
        flushModule_(moduleOf(tuning.flush_.kernel)),
        flush_(functionOf(flushModule_, tuning.flush_.kernel)) {
    const KernelTables tables = tablesOf(bundle_, kernel);
    const auto add = [&](const BundleAccess &access) {
      const BundleBuffer &place = bundle_.buffer(access.buffer);
      tables_.push_back(
          {(place.input ? tuning_.inputs_ : tuning_.work_).address() + place.offsetBytes,
           static_cast<int>(access.buffer.value)});
    };
    for (const BundleAccess *operand : tables.operands)
      add(*operand);
    add(*tables.result);
    result_ = &bundle_.buffer(tables.result->buffer);
    for (const BundleKernel *candidate : kernels_) {
      modules_.push_back(moduleOf(*candidate));
      functions_.push_back(functionOf(modules_.back(), *candidate));
    }
  }

  /// Restores the result's entries and the states for later kernels that read them.
  ~GpuCandidates() override {
    try {
      tuning_.fillPattern(tuning_.work_, resultBytes(), result_->offsetBytes);
      tuning_.states_.upload(tuning_.initialStates_.data(), tuning_.states_.sizeBytes());
      device_.synchronize();
    } catch (const Error &) {
      // The device is lost; the next launch reports that.
    }
  }

  std::string findDifference(size_t index) override {
    tuning_.work_.fill(0xff, resultBytes(), result_->offsetBytes); // NaN, or the greatest count
    launch(index);
    std::vector<std::byte> found = readResult();
    if (index == 0) {
      expected_ = std::move(found);
      return "";
    }
    const uint64_t bytes = elementBytes(bundle_.type);
    for (uint64_t at = 0; at < found.size(); at += bytes)
      if (!isSame(&expected_[at], &found[at]))
        return fmt::format("entry {} of {} compared is {} instead of {}", at / bytes,
                           found.size() / bytes, entryText(&found[at]), entryText(&expected_[at]));
    return "";
  }

  double runUs(size_t index) override {
    const CudaEvent before(device_), after(device_);
    const LaunchTable flushTables[2] = {{tuning_.flushed_.address(), 0},
                                        {tuning_.flushResult_.address(), 1}};
    launchKernel(device_, tuning_.flush_.kernel, flush_, flushTables,
                 tuning_.flushStates_.address(), kRunAlways);
    before.record();
    launch(index);
    after.record();
    device_.synchronize();
    return after.microsecondsSince(before);
  }

private:
  CudaModule moduleOf(const BundleKernel &kernel) const {
    // Kernels are timed one by one, without overlap.
    return {device_, tuning_.images_.at(kernel.name), false};
  }
  static CudaKernel functionOf(const CudaModule &module, const BundleKernel &kernel) {
    return module.function(kernel.name, kernel.sharedBytes);
  }

  uint64_t resultBytes() const { return result_->sizeElems * elementBytes(bundle_.type); }

  void launch(size_t index) {
    launchKernel(device_, *kernels_[index], functions_[index], tables_, tuning_.states_.address(),
                 kRunAlways);
  }

  /// Returns the compared entries: all, or evenly spread stretches that include the first and the
  /// last entry.
  std::vector<std::byte> readResult() const {
    const uint64_t bytes = elementBytes(bundle_.type);
    const bool all = result_->sizeElems <= kComparedElems;
    const uint64_t stretches = all ? 1 : kStretches;
    const uint64_t elems = all ? result_->sizeElems : kComparedElems / kStretches;
    std::vector<std::byte> entries(stretches * elems * bytes);
    for (uint64_t s = 0; s < stretches; ++s) {
      const uint64_t first = all ? 0 : (result_->sizeElems - elems) / (stretches - 1) * s;
      const uint64_t from = s + 1 == stretches ? result_->sizeElems - elems : first;
      tuning_.work_.download(&entries[s * elems * bytes], elems * bytes,
                             result_->offsetBytes + from * bytes);
    }
    device_.synchronize();
    return entries;
  }

  double realAt(const std::byte *entry) const {
    if (bundle_.type == ElementType::F64) {
      double value = 0;
      std::memcpy(&value, entry, sizeof(value));
      return value;
    }
    float value = 0;
    std::memcpy(&value, entry, sizeof(value));
    return value;
  }

  /// True if the entries agree within rounding: both sum the same terms, perhaps in another order.
  bool isSame(const std::byte *expected, const std::byte *found) const {
    if (isIntegerType(bundle_.type))
      return std::memcmp(expected, found, elementBytes(bundle_.type)) == 0;
    const double a = realAt(expected), b = realAt(found);
    const double tolerance = 2 * operationTolerance(bundle_.type);
    return bundle_.forcedLog ? closeLogs(b, a, tolerance)
                             : std::abs(b - a) <= tolerance * std::abs(a);
  }

  std::string entryText(const std::byte *entry) const {
    if (!isIntegerType(bundle_.type))
      return fmt::format("{}", realAt(entry));
    uint64_t low = 0;
    std::memcpy(&low, entry, sizeof(low));
    return fmt::format("{} (mod 2^64)", low);
  }

  GpuTuningDevice &tuning_;
  const CudaDevice &device_;
  const Bundle &bundle_;
  std::vector<const BundleKernel *> kernels_;
  CudaModule flushModule_;
  CudaKernel flush_;
  std::vector<CudaModule> modules_;
  std::vector<CudaKernel> functions_;
  std::vector<LaunchTable> tables_; ///< operands, then the result
  const BundleBuffer *result_ = nullptr;
  std::vector<std::byte> expected_; ///< result of the first candidate
};

std::unique_ptr<CandidateRunner>
GpuTuningDevice::open(uint32_t kernel, std::span<const BundleKernel *const> candidates) {
  return std::make_unique<GpuCandidates>(*this, kernel, candidates);
}

} // namespace

std::unique_ptr<TuningDevice> makeGpuTuningDevice(const Bundle &bundle, const FlushL2Kernel &flush,
                                                  KernelStore &store, int ordinal) {
  return std::make_unique<GpuTuningDevice>(bundle, flush, store, ordinal);
}

} // namespace mpf
