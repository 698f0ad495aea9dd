#include "runtime/api/choose_device.h"

#include "dsl/support/counts.h"

#include <algorithm>
#include <vector>

namespace mpf {

namespace {

// Rough rates, within a factor of three on the machines measured (tools/mpf-bench/RESULTS.md):
// the decision matters only where the two sides are far apart.
constexpr double kCpuLoadsPerUs = 2000;      ///< operand entries combined, all threads
constexpr double kCpuOperationUs = 0.5;      ///< of an operation whatever its size
constexpr double kGpuLoadsPerUs = 50000;     ///< the same on table-driven kernels
constexpr double kGpuOpenUs = 300000;        ///< driver, context, modules
constexpr double kGpuLaunchUs = 8;           ///< an operation with its fallback
constexpr double kTransferBytesPerUs = 6000; ///< pageable host memory to the device

} // namespace

RunEstimate estimateRun(const RunVolume &volume) {
  RunEstimate estimate;
  const double operations = static_cast<double>(volume.operations);
  estimate.cpuUs = volume.loads / kCpuLoadsPerUs + kCpuOperationUs * operations;
  estimate.gpuOpenUs = kGpuOpenUs;
  estimate.gpuUploadUs = volume.inputBytes / kTransferBytesPerUs;
  estimate.gpuRunUs = volume.loads / kGpuLoadsPerUs + kGpuLaunchUs * operations;
  return estimate;
}

namespace {

/// Of the operations for which `counts` says so.
template <class Counts> RunVolume volumeOf(const Bundle &bundle, Counts counts) {
  const std::vector<double> runs = bundle.loopRuns();
  RunVolume volume;
  double operations = 0;
  for (const BundleOperation &operation : bundle.operations) {
    if (!counts(operation))
      continue;
    operations += runs[operation.loop];
    volume.loads += runs[operation.loop] * operation.addressesApproximately() *
                    static_cast<double>(operation.operands.size());
  }
  volume.operations = static_cast<uint64_t>(std::min(operations, 1e18));
  return volume;
}

} // namespace

RunVolume volumeOf(const Bundle &bundle) {
  RunVolume volume = volumeOf(bundle, [](const BundleOperation &) { return true; });
  volume.inputBytes = static_cast<double>(bundle.inputArenaBytes);
  return volume;
}

RunVolume volumeOfUnbound(const Bundle &bundle) {
  std::vector<char> changes(bundle.buffers.size(), 0);
  uint64_t inputElems = 0;
  for (const BundleInput &input : bundle.inputs)
    if (!input.table) {
      changes[input.buffer.index()] = 1;
      inputElems = saturatingAdd(inputElems, bundle.buffers[input.buffer.index()].sizeElems);
    }
  RunVolume volume = volumeOf(bundle, [&changes](const BundleOperation &operation) {
    const bool depends =
        std::ranges::any_of(operation.operands, [&changes](const BundleAccess &operand) {
          return changes[operand.buffer.index()] != 0;
        });
    if (depends)
      changes[operation.result.buffer.index()] = 1;
    return depends;
  });
  volume.inputBytes = static_cast<double>(saturatingMul(inputElems, elementBytes(bundle.type)));
  return volume;
}

uint64_t tableBytes(const Bundle &bundle) {
  return saturatingAdd(bundle.inputArenaBytes, bundle.workArenaBytes);
}

} // namespace mpf
