// Selects the tables that a session reads from device memory, and lays out its results there.
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
  std::vector<uint32_t> inputs;  ///< the inputs of the layout's factors, as indices of the bundle's
  std::vector<uint32_t> factors; ///< the factor of each, as an index of DeviceRunLayout::factors
  std::vector<bool> areHere;     ///< one flag per Bundle::inputs: whether it is among `inputs`
  /// Sums of costs: the exponents of the inputs for which `greatestHere` was computed.
  std::vector<std::optional<int32_t>> greatest;
  int32_t greatestHere = 0; ///< greatestWithin (sum_exponent.h) for these exponents
};

/// Returns the tables for these factors. Throws Error(Unsupported) for programs whose runs need the
/// host: whole numbers, decoded assignments, held variables, finalTables. Throws
/// Error(Unsupported) for factors that are stored as bits too. Throws Error(Usage) for factors that
/// the program does not have, or that are named twice.
DeviceTables deviceTablesOf(const Bundle &bundle, const std::vector<std::string> &factors);

/// Throws Error(Usage) for arrays that are missing or not aligned.
void checkDeviceRun(const DeviceRunLayout &layout, const DeviceRun &run);

} // namespace mpf
