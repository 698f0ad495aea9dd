// --device auto: whether a bundle is worth a GPU.
#pragma once

#include "codegen/bundle/bundle.h"

namespace mpf {

/// What decides how long a run takes.
struct RunVolume {
  double loads = 0; ///< operand entries combined: addresses * operands, over all operations
  size_t operations = 0;
  double inputBytes = 0; ///< to the device
};

/// Predicted microseconds of one run, within a factor of three on the machines measured.
struct RunEstimate {
  double cpuUs = 0;
  double gpuOpenUs = 0; ///< driver, context, modules: once per process
  double gpuUploadUs = 0;
  double gpuRunUs = 0; ///< on table-driven kernels, launches included

  bool gpuPays() const { return gpuOpenUs + gpuUploadUs + gpuRunUs < cpuUs; }
};
RunEstimate estimateRun(const RunVolume &volume);

/// What a run takes for its tables: both arenas.
uint64_t tableBytes(const Bundle &bundle);

/// --device auto: a run pays there, or its tables are more than `hostBytes`, which the host has.
bool gpuWanted(const Bundle &bundle, uint64_t hostBytes);

/// Compares the predicted times of one run: on the CPU, and on the GPU with opening the device,
/// moving the inputs and launching every operation. All operations go to one device.
bool gpuPays(const Bundle &bundle);

} // namespace mpf
