// --device auto: whether a bundle is worth a GPU.
#pragma once

#include "codegen/bundle/bundle.h"

namespace mpf {

/// Compares the predicted times of one run: on the CPU, and on the GPU with opening the device,
/// moving the inputs and launching every operation. All operations go to one device.
bool gpuPays(const Bundle &bundle);

} // namespace mpf
