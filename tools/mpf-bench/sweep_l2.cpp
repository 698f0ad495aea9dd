#include "tools/mpf-bench/sweep_l2.h"

#include "codegen/emit/emit_cuda.h"
#include "codegen/kernel/build_kernel.h"
#include "tools/mpf-bench/bucket_shape.h"

namespace mpf::bench {

SweepL2::SweepL2(const CudaDevice &device, KernelStore &store) {
  // 256 MiB: twice the largest L2 of any target.
  const BucketShape shape = shapeFromLetters("none", "sweep", "kx->x", {{'k', 1024}, {'x', 65536}});
  KernelOptions options;
  options.target = targetNamed(device.properties().arch);
  options.type = ElementType::F32;
  plan_ = buildKernel(digitFormOf(shape, {}), options);
  source_ = DeviceMemory(device, plan_.form.operands.front().sizeElems * sizeof(float));
  source_.fill(0);
  result_ = DeviceMemory(device, plan_.form.result.sizeElems * sizeof(float));
  const CompiledKernel kernel =
      store.compileAll({{plan_.name, cudaSource(plan_), device.properties().arch}}).front();
  launch_ = std::make_unique<GpuLaunch>(
      device, plan_, kernel.cubin,
      std::vector<CudaDevicePointer>{source_.address(), result_.address()});
}

} // namespace mpf::bench
