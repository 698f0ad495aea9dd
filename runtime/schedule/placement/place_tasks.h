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
  double timeUs = 0; ///< predicted, of one run; with the GPU's part of what happens once
  double onceUs = 0; ///< that part (TransferTimes::openUs); 0: all runs on the CPU
};

struct PlacementChoice {
  PlacementMethod method = PlacementMethod::Cpu; ///< never Auto
  double timeUs = 0;                             ///< predicted, as in the offers
  TaskPlacement placement;
  std::vector<uint32_t> supersteps;   ///< by operation (supersteps.h)
  Timeline timeline;                  ///< timeUs is its total
  std::vector<PlacementOffer> offers; ///< of every method, in the order of placementMethods()
};

/// What placements are chosen by.
struct PlacementTimes {
  OperationTimes alone; ///< before operations are placed
  /// Of a placement, with the supersteps; both by operation. Times on the other device are not
  /// read.
  std::function<OperationTimes(const std::vector<StepDevice> &devices,
                               const std::vector<uint32_t> &supersteps)>
      placed;
};

/// The placement of `method`; Auto: that of the least predicted time, on equal times the first of
/// placementMethods(). Deterministic.
PlacementChoice placeTasks(const Bundle &bundle, const PlacementTimes &times,
                           const TransferTimes &transfers, PlacementMethod method);

} // namespace mpf
