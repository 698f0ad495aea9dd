// Decides for --device auto whether a bundle runs on the GPU.
#pragma once

#include "codegen/bundle/bundle.h"

namespace mpf {

/// The quantities that the predicted time of a run depends on.
struct RunVolume {
  double loads = 0; ///< operand entries combined: addresses * operands, over all operations
  size_t operations = 0;
  double inputBytes = 0; ///< bytes uploaded to the device
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

/// Of a whole run of a bundle.
RunVolume volumeOf(const Bundle &bundle);
/// Of a run after the first, in which new values are bound to every input that the bundle has none
/// of, and nothing else is: of the operations that depend on these, where the results of all others
/// are kept.
RunVolume volumeOfUnbound(const Bundle &bundle);

/// The memory for the tables of a run: both arenas.
uint64_t tableBytes(const Bundle &bundle);

} // namespace mpf
