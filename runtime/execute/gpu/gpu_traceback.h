// Follows a bundle's traceback on the device, in one launch with a block for each start. The tables
// stay on the device. The steps to take and their start states are uploaded in one copy, and only
// states are downloaded.
#pragma once

#include "codegen/bundle/bundle.h"
#include "runtime/execute/gpu/cuda_device.h"
#include "runtime/execute/gpu/tables/device_buffers.h"
#include "runtime/execute/gpu/tables/gpu_trace_table.h"
#include "runtime/execute/host/executor.h"

#include <vector>

namespace mpf {

class GpuTraceback {
public:
  /// `inputs`, `work` and `states` are the device addresses of the two arenas and of the tables'
  /// states.
  struct Places {
    const DeviceBuffers &buffers;
    CudaDevicePointer inputs, work, states;
  };
  /// Uploads the tables of the traceback. Device and bundle must outlive it; `module` must contain
  /// the kernel mpf_traceback. Allocates no device memory if the bundle has no traceback.
  GpuTraceback(const CudaDevice &device, const Bundle &bundle, const CudaModule &module,
               const Places &places);

  /// Does the work of Executor::decode. Waits for the device.
  std::vector<std::vector<uint32_t>> run(const DecodeRequest &request) const;

private:
  const CudaDevice &device_;
  const Bundle &bundle_;
  CudaDevicePointer states_;
  CudaKernel function_;
  std::vector<GpuTraceStep> steps_; ///< all steps of the traceback
  DeviceMemory parts_, terms_;
  DeviceMemory asked_; ///< the steps of a request, then the states
};

} // namespace mpf
