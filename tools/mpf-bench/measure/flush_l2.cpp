#include "tools/mpf-bench/measure/flush_l2.h"

#include "codegen/emit/emit_cuda.h"
#include "codegen/specialise/flush_l2_kernel.h"

namespace mpf::bench {

FlushL2::FlushL2(const CudaDevice &device, KernelStore &store) {
  plan_ = flushL2Kernel(targetNamed(device.properties().arch));
  const DigitForm operation = plan_.operation();
  source_ = DeviceMemory(device, operation.operands.front().sizeElems * sizeof(float));
  source_.fill(0);
  result_ = DeviceMemory(device, operation.result.sizeElems * sizeof(float));
  const CompiledKernel kernel =
      store.compileAll({{plan_.header().name, cudaSource(plan_), device.properties().arch}})
          .front();
  tables_ = {source_.address(), result_.address()};
  launch_ = std::make_unique<GpuLaunch>(device, plan_, kernel);
}

} // namespace mpf::bench
