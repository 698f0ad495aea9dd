// Chooses a placement (placement.h) by predicted times.
#pragma once

#include "codegen/bundle/bundle.h"
#include "runtime/schedule/placement/placement.h"
#include "runtime/schedule/placement/timeline.h"

#include <cstdint>
#include <functional>
#include <vector>

namespace mpf {

struct PlacementOffer {
  PlacementMethod method = PlacementMethod::Cpu;
  double timeUs = 0; ///< predicted time of one run, with its share of starting GPUs
  double onceUs = 0; ///< that share (PlacementDevice::openUs); 0: the CPU runs everything
};

struct PlacementChoice {
  PlacementMethod method = PlacementMethod::Cpu; ///< never Auto
  double timeUs = 0;                             ///< its PlacementOffer::timeUs
  TaskPlacement placement;
  std::vector<uint32_t> supersteps; ///< by operation (supersteps.h)
  Timeline timeline;                ///< timeUs is its total
  /// An offer of every method that the devices allow, in the order of placementMethods().
  std::vector<PlacementOffer> offers;
};

/// The predicted times from which a placement is chosen.
struct PlacementTimes {
  OperationTimes alone; ///< times before operations are placed
  /// Returns the times for a placement: devices and supersteps, by operation. Times on other
  /// devices are not used.
  std::function<OperationTimes(const std::vector<DeviceId> &devices,
                               const std::vector<uint32_t> &supersteps)>
      placed;
};

/// Returns the placement by `method`. Auto is the method with the least predicted time, first
/// touches of the CPU's memory included, on equal times the first of placementMethods().
/// Deterministic. Throws Error(Device) for PlacementMethod::Gpu if the site has no GPU.
PlacementChoice placeTasks(const Bundle &bundle, const PlacementTimes &times,
                           const PlacementSite &site, PlacementMethod method);

} // namespace mpf
