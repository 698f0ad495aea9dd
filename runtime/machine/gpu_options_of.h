// The options of a GPU's executors that follow from those of a session. For builds with CUDA.
#pragma once

#include "codegen/machine/device_request.h"
#include "runtime/api/session.h"
#include "runtime/execute/gpu/runs/gpu_executor.h"

namespace mpf {

inline GpuOptions gpuOptionsOf(const SessionOptions &options) {
  GpuOptions gpu;
  gpu.ordinal = static_cast<int>(deviceRequestOf(options.device).gpuNumber());
  gpu.kernels.forbidCompiling = options.forbidCompiling;
  gpu.kernels.threads = options.threads;
  gpu.kernels.dumpFolder = options.dumpKernels;
  gpu.kernels.overrideFolder = options.overrideKernels;
  return gpu;
}

} // namespace mpf
