// Models the cost of work in a lane, in units of one multiply-add. These are ratios of throughputs:
// a multiply-add of a vector or a warp against the entries that it must fetch. The ratios of CPU
// and GPU are alike. A CPU does several lanes in each multiply-add, and loads one entry of a row at
// a time. A GPU does four multiply-adds a cycle and multiprocessor, and one conflict-free row of
// shared memory.
#pragma once

#include "codegen/bundle/lanes/lane_image.h"
#include "codegen/bundle/lanes/lane_program.h"
#include "codegen/machine/device_id.h"

#include <cstdint>

namespace mpf {

struct LaneCosts {
  double address = 1;      ///< one address of an operation, for each operand but the first
  double gatheredElem = 4; ///< one entry of a row that a case picks from a table
  double gatheredCode = 2; ///< one evidence digit of such a table, to find the row
  double storedElem = 0.5; ///< one entry of a message; 0 on a GPU: messages stay in registers
  /// Costs of loading one entry of a row. Loads run beside all work above: the longer of the two
  /// sums is the cost of a lane. `farElem` is for a table that is not in shared memory.
  double loadedElem = 0, farElem = 0;
  uint64_t sharedElems = 0; ///< entries of these tables that shared memory holds
  /// Cost of an address of work that is done once, spread over the expected cases.
  double commonAddress = 1e-4;
};

/// Returns the costs of lanes on a device. An entry of a row took 1.6 wavefronts of shared memory
/// on an H200 (alarm, 20 % observed). A multiprocessor issued three instructions in each of them;
/// f64 took twice that. Through the first cache an entry took 5 wavefronts.
inline LaneCosts laneCostsOf(DeviceKind device, ElementType type) {
  LaneCosts costs;
  if (device == DeviceKind::Gpu) {
    const double words = elementBytes(type) / 4.0;
    costs.address = words; // half the rate in f64
    costs.gatheredElem = words / 4;
    costs.gatheredCode = 1.5;
    costs.storedElem = 0;
    costs.loadedElem = 5 * words;
    costs.farElem = 15 * words;
    costs.sharedElems = kLaneTableBytes / elementBytes(type);
  }
  return costs;
}

/// Upper bounds of the work that is done once for all cases.
struct LaneLimits {
  uint64_t tableElems = 1024; ///< entries of one table over evidence digits
  /// Addresses of one operation that makes such a table: bounds the time until the first case.
  uint64_t commonAddresses = uint64_t{1} << 22;
  uint64_t constantElems = uint64_t{1} << 24; ///< entries of one table without evidence digits
};

/// Returns the cost of one lane of a program.
double laneCost(const LaneProgram &program, const LaneCosts &costs);

} // namespace mpf
