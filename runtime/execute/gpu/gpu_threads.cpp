// One thread for each case: kernels of codegen/emit/lanes.
#include "runtime/execute/gpu/gpu_lanes.h"

#include <algorithm>

namespace mpf {

namespace {

class GpuThreads final : public GpuLanes {
public:
  GpuThreads(const LaneProgram &program, const CommonTables &common, const LinearPlan &plan,
             const LaneKernel &kernel, ElementType type, const GpuOptions &options)
      : GpuLanes(program, common, plan, kernel, type, options),
        function_(module_->function(kernel.name, kernel.sharedBytes)),
        mostBlocks_(device_.properties().smCount *
                    residentBlocks(kernel, device_.properties().threadsPerSm,
                                   device_.properties().sharedBytesPerSm)) {}

  void launch() override {
    if (count_ == 0)
      return;
    CudaDevicePointer codes = codes_.address(), weights = weights_.address(),
                      image = image_.address(), results = results_.address(),
                      exponents = exponents_.address(), states = states_.address();
    auto pitch = static_cast<int>(pitch_), count = static_cast<int>(count_);
    void *arguments[] = {&codes, &weights, &pitch, &count, &image, &results, &exponents, &states};
    const uint64_t wanted = (count_ + kernel_.blockThreads - 1) / kernel_.blockThreads;
    device_.launch(function_,
                   {std::min(mostBlocks_, wanted), kernel_.blockThreads, kernel_.sharedBytes},
                   arguments, kernel_.name.c_str());
  }

private:
  const CudaKernel function_;
  const uint64_t mostBlocks_;
};

} // namespace

std::unique_ptr<GpuLanes> makeGpuThreads(const LaneProgram &program, const CommonTables &common,
                                         const LinearPlan &plan, const LaneKernel &kernel,
                                         ElementType type, const GpuOptions &options) {
  return std::make_unique<GpuThreads>(program, common, plan, kernel, type, options);
}

} // namespace mpf
