#include "runtime/api/choose_device.h"

namespace mpf {

namespace {

// Rough rates, within a factor of three on the machines measured (tools/mpf-bench/RESULTS.md):
// the decision matters only where the two sides are far apart.
constexpr double kCpuLoadsPerUs = 2000;      ///< operand entries combined, all threads
constexpr double kGpuLoadsPerUs = 50000;     ///< the same on table-driven kernels
constexpr double kGpuOpenUs = 300000;        ///< driver, context, modules
constexpr double kGpuLaunchUs = 8;           ///< an operation with its fallback
constexpr double kTransferBytesPerUs = 6000; ///< pageable host memory to the device

} // namespace

bool gpuPays(const Bundle &bundle) {
  double loads = 0;
  for (const BundleOperation &operation : bundle.operations) {
    double addresses = 1;
    for (const BundleDigit &digit : operation.digits)
      addresses *= static_cast<double>(digit.extent);
    loads += addresses * static_cast<double>(operation.operands.size());
  }
  const double cpuUs = loads / kCpuLoadsPerUs;
  const double gpuUs = kGpuOpenUs + loads / kGpuLoadsPerUs +
                       kGpuLaunchUs * static_cast<double>(bundle.operations.size()) +
                       static_cast<double>(bundle.inputArenaBytes) / kTransferBytesPerUs;
  return gpuUs < cpuUs;
}

} // namespace mpf
