// Chooses by predicted times which device runs which operation of a program on this machine.
#pragma once

#include "codegen/bundle/bundle.h"
#include "runtime/machine/stored_speed.h"
#include "runtime/schedule/placement/place_tasks.h"

#include <functional>
#include <optional>

namespace mpf {

struct PlacementConditions {
  unsigned threads = 0;    ///< SessionOptions::threads
  double expectedRuns = 1; ///< runs that share the cost of starting; values below 1 count as 1
  /// Devices with their speeds. Operations are placed on the usable ones.
  Machine machine = machineOf(MachineSpeed());
  bool compiles = true; ///< whether CPU kernels are compiled where that pays over these runs
  double kernelsUs = 0; ///< time to compile the table-driven GPU kernels, once
};

/// Returns the conditions of this machine with its speed, and its missing kernels.
PlacementConditions conditionsHere(unsigned threads, double expectedRuns,
                                   const MachineSpeed &speed = storedSpeed());

/// Returns the time to open the first GPU and to compile its table-driven kernels, in microseconds.
double startUs(const PlacementConditions &conditions);

/// Returns an upper bound of the time of any run on a CPU: a generous price for each load and
/// operation.
double mostRunUs(const Bundle &bundle);

/// Returns the time of every operation on each device, if all operations run there. A bundle
/// without GPU kernels is predicted with table-driven kernels only.
OperationTimes predictOperations(const Bundle &bundle, const PlacementConditions &conditions);

/// Returns the times from which a placement is chosen. The bundle must outlive them.
PlacementTimes predictPlacements(const Bundle &bundle, const PlacementConditions &conditions);

/// Returns the usable devices, with the times of copies and of starting GPUs, with the copies of
/// inputs.
PlacementSite placementSite(const Bundle &bundle, const PlacementConditions &conditions);

/// Returns the placement by `method`, as if there were a GPU. Its times are predictions for all
/// methods.
PlacementChoice placeProgram(const Bundle &bundle, PlacementMethod method,
                             const PlacementConditions &conditions);

/// Returns the placement by Auto if a GPU may pay. Returns none, without planning a placement, if
/// - mostRunUs, or the predicted time of the CPU, is within a run's share of starting the GPU
///   (PlacementSite::openUs);
/// - `hasGpu` returns false. It is called for longer programs only; empty: there is a GPU.
/// The CPU then runs everything.
std::optional<PlacementChoice> placeWhereGpuMayPay(const Bundle &bundle,
                                                   const PlacementConditions &conditions,
                                                   const std::function<bool()> &hasGpu = {});

} // namespace mpf
