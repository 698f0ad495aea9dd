#include "runtime/api/session.h"
#include "runtime/machine/gpu_backend.h"

namespace mpf {

void startGpu() noexcept { startGpuBackend(); }
void endGpu() { endGpuBackend(); }

} // namespace mpf
