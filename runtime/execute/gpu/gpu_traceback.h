// Decoding on the device: the steps of a bundle's traceback in one launch of one block, the tables
// where they are. Only the states come back.
#pragma once

#include "codegen/bundle/bundle.h"
#include "runtime/execute/gpu/cuda_device.h"
#include "runtime/execute/gpu/device_buffers.h"
#include "runtime/execute/host/executor.h"

#include <vector>

namespace mpf {

class GpuTraceback {
public:
  /// `arenas`: device addresses of the input and the work arena; `states`: of the tables' states.
  struct Places {
    const DeviceBuffers &buffers;
    CudaDevicePointer inputs, work, states;
  };
  /// Nothing is taken when the bundle has no traceback. Device and bundle must outlive it; `module`
  /// holds mpf_traceback.
  GpuTraceback(const CudaDevice &device, const Bundle &bundle, const CudaModule &module,
               const Places &places);

  /// Executor::decode. Waits.
  std::vector<std::vector<uint32_t>> run(const DecodeRequest &request) const;

private:
  const CudaDevice &device_;
  const Bundle &bundle_;
  CudaDevicePointer states_;
  CudaKernel function_;
  DeviceMemory steps_, parts_, terms_, assignment_;
};

} // namespace mpf
