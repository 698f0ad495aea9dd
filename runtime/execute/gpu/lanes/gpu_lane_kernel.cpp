// Lanes with kernels that were emitted for one lane program (codegen/emit/lanes): a thread for each
// case, or the warps of a block for 32 cases.
#include "runtime/execute/gpu/lanes/gpu_lanes.h"

#include <algorithm>

namespace mpf {

namespace {

class GpuLaneKernel final : public GpuLanes {
public:
  GpuLaneKernel(const LaneProgram &program, const CommonTables &common, const LinearPlan &plan,
                const LaneKernel &kernel, ElementType type, const GpuOptions &options)
      : GpuLanes(program, common, plan, kernel, type, options),
        function_(module_->function(kernel.name, kernel.sharedBytes)),
        residentBlocks_(device_.properties().smCount *
                        residentBlocks(kernel, device_.properties().threadsPerSm,
                                       device_.properties().sharedBytesPerSm)) {}

  uint64_t allocatedBytes() const override {
    return GpuLanes::allocatedBytes() + scratch_.sizeBytes();
  }

private:
  bool sharesMemory() const override { return kernel_.scratchElems != 0; }

  void launch(const LanePointers &cases, CudaStreamHandle stream) override {
    if (cases.count == 0)
      return;
    const uint64_t wanted = (cases.count + kernel_.blockCases - 1) / kernel_.blockCases;
    const uint64_t blocks = std::min(residentBlocks_, wanted);
    const uint64_t launched = reserveScratch(blocks);
    CudaDevicePointer codes = cases.codes, weights = cases.weights, image = image_.address(),
                      results = cases.results, exponents = cases.exponents, states = cases.states,
                      scratch = scratch_.address();
    auto pitch = static_cast<int>(cases.pitch), count = static_cast<int>(cases.count);
    void *arguments[] = {&codes,   &weights,   &pitch,  &count,  &image,
                         &results, &exponents, &states, &scratch};
    device_.launch(function_, {launched, kernel_.blockThreads, kernel_.sharedBytes}, arguments,
                   kernel_.name.c_str(), stream);
  }

  /// Reserves memory for the large messages of `blocks`, or of as many as fit the device. Returns
  /// their number; a block takes case after case.
  uint64_t reserveScratch(uint64_t blocks) {
    const uint64_t blockBytes = kernel_.scratchElems * elementBytes(type_);
    if (blocks * blockBytes <= scratch_.sizeBytes())
      return blocks;
    const uint64_t fitting =
        fittingBlocks(blocks, blockBytes, kernel_.blockCases, scratch_.sizeBytes());
    if (fitting * blockBytes > scratch_.sizeBytes()) {
      scratch_ = DeviceMemory(); // frees the old memory first
      scratch_ = DeviceMemory(device_, fitting * blockBytes);
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
  return std::make_unique<GpuLaneKernel>(program, common, plan, kernel, type, options);
}

} // namespace mpf
