// Lets a kernel of lanes read rows of bytes of a host program (codegen/emit/preamble/
// mpf_lane_rows.cuh), so that no words of codes are made before it.
#pragma once

#include "codegen/bundle/lanes/lane_kernel.h"
#include "runtime/execute/gpu/cuda_device.h"
#include "runtime/execute/gpu/lanes/gpu_pack_form.h"

#include <cstdint>
#include <string>

namespace mpf {

/// The text and the entry point of a kernel that reads rows, made from the text of `kernel`.
/// `moreBlocks`: blocks of a multiprocessor beyond those of `kernel` that share its registers.
/// Precondition: mayReadRows(kernel).
std::string laneRowsSource(const LaneKernel &kernel, int moreBlocks);
std::string laneRowsName(const LaneKernel &kernel);

/// The argument of the kernel. The struct has its layout.
struct GpuLaneRows {
  CudaDevicePointer rows = 0, flags = 0, counts = 0;
  CudaDevicePointer logs = 0; ///< the only answers; 0: results and flags are stored
  int64_t logStrideElems = 0;
  double exponent = 0; ///< of all results
  int32_t rowBytes = 0, spanBytes = 0, tileBytes = 0, isUnsigned = 0;
  GpuByteWord words[kCaseWords] = {};
};

/// Whether the text of a kernel can read rows: it has a thread for each case, and codes of a byte.
bool mayReadRows(const LaneKernel &kernel);
/// Whether a multiprocessor holds rows in this form for as many blocks as such a kernel needs.
bool fitsRows(const LaneKernel &kernel, const GpuPackForm &form, const DeviceProperties &device);

/// Returns the rows of `packed` without flags, counts and logarithms.
GpuLaneRows laneRowsOf(const std::vector<GpuCaseColumn> &packed, const GpuPackForm &form,
                       const LaneKernel &kernel);
/// Returns a block's shared memory: tables and the rows of two tiles for each warp.
uint32_t laneRowsShared(const LaneKernel &kernel, int32_t tileBytes);

} // namespace mpf
