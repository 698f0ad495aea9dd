// Lanes with kernels that were emitted for one lane program (codegen/emit/lanes): a thread for each
// case, or the warps of a block for 32 cases.
#include "runtime/execute/gpu/lanes/gpu_lanes.h"

#include <algorithm>
#include <utility>

namespace mpf {

namespace {

class LaneKernelLauncher final : public LaneLauncher {
public:
  LaneKernelLauncher(const CudaDevice &device, const LaneProgram &program,
                     const CommonTables &common, const LinearPlan &plan, const LaneKernel &kernel,
                     ElementType type, const KernelStoreOptions &kernels)
      : LaneLauncher(device, program, common, plan, kernel, type, kernels),
        function_(function(kernel.name, kernel.sharedBytes)),
        residentBlocks_(device.properties().smCount *
                        residentBlocks(kernel, device.properties().threadsPerSm,
                                       device.properties().sharedBytesPerSm)) {}

  uint64_t deviceBytes() const override {
    return LaneLauncher::deviceBytes() + scratch_.sizeBytes();
  }

  void launchAlone(const LanePointers &cases, CudaStreamHandle stream) override {
    if (cases.count == 0)
      return;
    const uint64_t wanted = (cases.count + kernel().blockCases - 1) / kernel().blockCases;
    const uint64_t blocks = std::min(residentBlocks_, wanted);
    const uint64_t launched = reserveScratch(blocks);
    CudaDevicePointer codes = cases.codes, weights = cases.weights, image = this->image(),
                      results = cases.results, exponents = cases.exponents, states = cases.states,
                      scratch = scratch_.address();
    auto pitch = static_cast<int>(cases.pitch), count = static_cast<int>(cases.count);
    void *arguments[] = {&codes,   &weights,   &pitch,  &count,  &image,
                         &results, &exponents, &states, &scratch};
    device().launch(function_, {launched, kernel().blockThreads, kernel().sharedBytes}, arguments,
                    kernel().name.c_str(), stream);
  }

private:
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

  const CudaKernel function_;
  const uint64_t residentBlocks_;
  DeviceMemory scratch_;
};

} // namespace

std::unique_ptr<GpuLanes> makeGpuLaneKernel(const LaneProgram &program, const CommonTables &common,
                                            const LinearPlan &plan, const LaneKernel &kernel,
                                            ElementType type, const GpuOptions &options) {
  auto device = std::make_unique<const CudaDevice>(options.ordinal);
  auto launcher = std::make_unique<LaneKernelLauncher>(*device, program, common, plan, kernel, type,
                                                       options.kernels);
  return std::make_unique<GpuLanes>(std::move(device), std::move(launcher), options);
}

} // namespace mpf
