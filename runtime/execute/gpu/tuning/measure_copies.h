// What copies between locked host memory and a GPU take, measured: for the choice of those that
// stand beside other work (schedule/transfers/hide_copies.h), and for predictions of them.
#pragma once

#include "runtime/execute/gpu/cuda_device.h"
#include "runtime/schedule/transfers/hide_copies.h"

namespace mpf {

/// Of the device: differences between short and long rows of copies, each the least of several, so
/// that what happens once a row does not count. Figures that the clock cannot tell from 0 are those
/// of `otherwise`, and all where the system locks no memory. Takes some 150 ms, 32 MiB of device
/// memory and as much of the host's. Throws Error(Device), and Error(MemoryBound) where there is no
/// such memory.
CopySpeed measureCopies(const CudaDevice &device, const CopySpeed &otherwise = {});

} // namespace mpf
