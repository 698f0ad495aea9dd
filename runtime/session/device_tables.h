// Which tables of a program a session takes from device memory, and where its results go there.
#pragma once

#include "codegen/bundle/bundle.h"
#include "runtime/result/device_run.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace mpf {

struct DeviceTables {
  DeviceRunLayout layout;
  std::vector<uint32_t> inputs;  ///< into Bundle::inputs: those of the layout's factors
  std::vector<uint32_t> factors; ///< of each of these: into DeviceRunLayout::factors
  std::vector<bool> areHere;     ///< one flag per Bundle::inputs: it is among `inputs`
  /// Of sums of costs: greatestWithin (sum_exponent.h) for these exponents of the inputs.
  std::vector<std::optional<int32_t>> greatest;
  int32_t greatestHere = 0;
};

/// Error(Unsupported) for programs whose runs need the host: of whole numbers, of assignments
/// to decode, simplified for good; and for factors that are kept as bits. Error(Usage)
/// for factors that the program does not have, or that are named twice.
DeviceTables deviceTablesOf(const Bundle &bundle, const std::vector<std::string> &factors);

/// Error(Usage) for arrays that are missing or not aligned.
void checkDeviceRun(const DeviceRunLayout &layout, const DeviceRun &run);

} // namespace mpf
