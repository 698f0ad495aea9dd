// Measures copies between locked host memory and a GPU. The results choose the copies that run
// beside other work (runtime/schedule/transfers/hide_copies.h) and predict copy times.
#pragma once

#include "runtime/execute/gpu/cuda_device.h"
#include "runtime/schedule/transfers/hide_copies.h"

namespace mpf {

/// Returns the speed of the device's copies. It is computed from differences between short and long
/// rows of copies, each the least of several, so that costs of a whole row do not count. Figures
/// that the clock cannot distinguish from 0 are those of `otherwise`; so are all if the system
/// locks no memory.
///
/// Takes some 150 ms, 32 MiB of device memory and as much host memory. Throws Error(Device), and
/// Error(MemoryBound) if there is no such memory.
CopySpeed measureCopies(const CudaDevice &device, const CopySpeed &otherwise = {});

} // namespace mpf
