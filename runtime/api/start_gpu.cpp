#include "runtime/api/gpu_backend.h"
#include "runtime/api/mpf.h"

namespace mpf {

void startGpu() noexcept { startGpuBackend(); }
void endGpu() { endGpuBackend(); }

} // namespace mpf
