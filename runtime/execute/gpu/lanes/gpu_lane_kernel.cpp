// Lanes with kernels that were emitted for one lane program (codegen/emit/lanes): a thread for each
// case, or the warps of a block for 32 cases.
#include "runtime/execute/gpu/compiled_module.h"
#include "runtime/execute/gpu/lanes/gpu_lanes.h"

#include <algorithm>
#include <mutex>
#include <utility>

namespace mpf {

namespace {

class LaneKernelLauncher final : public LaneLauncher {
public:
  LaneKernelLauncher(const CudaDevice &device, const LaneProgram &program,
                     const CommonTables &common, const LinearPlan &plan, const LaneKernel &kernel,
                     ElementType type, const GpuOptions &options)
      : LaneLauncher(device, program, common, plan, kernel, type, options.kernels),
        residentBlocks_(device.properties().smCount *
                        residentBlocks(kernel, device.properties().threadsPerSm,
                                       device.properties().sharedBytesPerSm)),
        mayReadRows_(kernel.scratchElems == 0 && mayReadRows(kernel)) {
    if (!options.compilesLater)
      words();
  }

  void launchAlone(const LanePointers &cases, CudaStreamHandle stream) override {
    if (cases.count == 0)
      return;
    const uint64_t wanted = (cases.count + kernel().blockCases - 1) / kernel().blockCases;
    const uint64_t blocks = std::min(residentBlocks_, wanted);
    const uint64_t launched = reserveScratch(blocks);
    launchBlocks(words(), kernel().name, {launched, kernel().blockThreads, kernel().sharedBytes},
                 &cases.codes, cases, stream);
  }

  bool readsRows(const GpuPackForm &form) const override {
    return mayReadRows_ && form.kind == GpuPackForm::Rows &&
           fitsRows(kernel(), form, device().properties());
  }

  void launchRows(const GpuLaneRows &rows, const LanePointers &cases,
                  CudaStreamHandle stream) override {
    if (cases.count == 0)
      return;
    const uint32_t shared = laneRowsShared(kernel(), rows.tileBytes);
    std::call_once(rowsMade_, [this] { makeRows(); });
    const DeviceProperties &of = device().properties();
    const uint64_t resident = of.smCount * residentBlocks(kernel().blockThreads, shared,
                                                          of.threadsPerSm, of.sharedBytesPerSm);
    const uint64_t wanted = (cases.count + kernel().blockCases - 1) / kernel().blockCases;
    launchBlocks(rowsFunction_, rowsName_,
                 {std::min(resident, wanted), kernel().blockThreads, shared}, &rows, cases, stream);
  }

private:
  /// Returns the kernel that reads words.
  const CudaKernel &words() {
    std::call_once(wordsMade_,
                   [this] { wordsFunction_ = function(kernel().name, kernel().sharedBytes); });
    return wordsFunction_;
  }

  /// Makes the kernel that reads rows. Reading takes registers, which may leave room for a block
  /// less on a multiprocessor. So the kernel is compiled for a block more, unless values spill.
  void makeRows() {
    rowsName_ = laneRowsName(kernel());
    const auto compile = [this](int moreBlocks) {
      return compiledText(device(), kernels(), rowsName_, laneRowsSource(kernel(), moreBlocks));
    };
    CompiledKernel compiled = compile(1);
    if (std::ranges::any_of(compiled.usage,
                            [](const ResourceUsage &usage) { return usage.spillStoreBytes != 0; }))
      compiled = compile(0);
    rowsModule_ = std::make_unique<CudaModule>(device(), compiled.cubin, false);
    rowsFunction_ = rowsModule_->function(rowsName_, device().properties().sharedBytesPerBlock);
  }

  /// Launches a kernel whose first argument is at `source`.
  void launchBlocks(const CudaKernel &function, const std::string &name, const GridShape &shape,
                    const void *source, const LanePointers &cases, CudaStreamHandle stream) {
    CudaDevicePointer weights = cases.weights, image = this->image(), results = cases.results,
                      exponents = cases.exponents, states = cases.states,
                      scratch = scratch_.address();
    auto pitch = static_cast<int>(cases.pitch), count = static_cast<int>(cases.count);
    void *arguments[] = {const_cast<void *>(source),
                         &weights,
                         &pitch,
                         &count,
                         &image,
                         &results,
                         &exponents,
                         &states,
                         &scratch};
    device().launch(function, shape, arguments, name.c_str(), stream);
  }

  bool sharesMemory() const override { return kernel().scratchElems != 0; }

  /// Reserves memory for the large messages of `blocks`, or of as many as fit the device. Returns
  /// their number; a block takes case after case.
  uint64_t reserveScratch(uint64_t blocks) {
    const uint64_t blockBytes = kernel().scratchElems * elementBytes(type());
    if (blocks * blockBytes <= scratch_.sizeBytes())
      return blocks;
    const uint64_t fitting =
        fittingBlocks(blocks, blockBytes, kernel().blockCases, scratch_.sizeBytes());
    if (fitting * blockBytes > scratch_.sizeBytes()) {
      scratch_ = DeviceMemory(); // frees the old memory first
      scratch_ = DeviceMemory(device(), fitting * blockBytes);
    }
    return fitting;
  }

  const uint64_t residentBlocks_;
  const bool mayReadRows_;
  DeviceMemory scratch_;
  std::once_flag wordsMade_, rowsMade_; ///< the kernels of words and of rows
  CudaKernel wordsFunction_;
  std::string rowsName_;
  std::unique_ptr<CudaModule> rowsModule_;
  CudaKernel rowsFunction_;
};

} // namespace

std::unique_ptr<GpuLanes> makeGpuLaneKernel(const LaneProgram &program, const CommonTables &common,
                                            const LinearPlan &plan, const LaneKernel &kernel,
                                            ElementType type, const GpuOptions &options) {
  auto device = std::make_unique<const CudaDevice>(options.ordinal);
  auto launcher =
      std::make_unique<LaneKernelLauncher>(*device, program, common, plan, kernel, type, options);
  return std::make_unique<GpuLanes>(std::move(device), std::move(launcher), options);
}

} // namespace mpf
