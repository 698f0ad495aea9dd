// Chooses, by predicted times, which device runs which operation of a program on this machine.
#pragma once

#include "codegen/bundle/bundle.h"
#include "runtime/machine/machine_speed.h"
#include "runtime/schedule/placement/place_tasks.h"

#include <functional>
#include <optional>

namespace mpf {

struct PlacementConditions {
  unsigned threads = 0;    ///< SessionOptions::threads
  double expectedRuns = 1; ///< that share what happens once; at least one is taken
  MachineSpeed speed;      ///< storedSpeed() for this machine
  bool compiles = true;    ///< kernels for the CPU that pay over the expected runs
  double kernelsUs = 0;    ///< to compile the table-driven kernels, once
};

/// Of runs on this machine: by its stored speed, and the kernels that it has.
PlacementConditions conditionsHere(unsigned threads, double expectedRuns);

/// What the GPU of these conditions does once before any program: it is opened, its table-driven
/// kernels are compiled.
double startUs(const PlacementConditions &conditions);

/// More than any run of the bundle takes on a CPU: by a generous price for each load and operation.
double mostRunUs(const Bundle &bundle);

/// What every operation takes on either device, where all run there. A bundle without GPU kernels
/// is predicted with the table-driven ones alone.
OperationTimes predictOperations(const Bundle &bundle, const PlacementConditions &conditions);

/// What placements of the bundle, which must outlive them, are chosen by.
PlacementTimes predictPlacements(const Bundle &bundle, const PlacementConditions &conditions);

/// The times of transfers, and what happens once on a GPU, inputs' way there included.
TransferTimes transferTimes(const Bundle &bundle, const PlacementConditions &conditions);

/// The placement by `method`, as if there were a GPU. Its times are predictions, whatever it
/// chooses.
PlacementChoice placeProgram(const Bundle &bundle, PlacementMethod method,
                             const PlacementConditions &conditions);

/// The same with Auto where a GPU may pay. Nothing where the CPU is to run everything: its time, by
/// a generous price for each load and operation or as predicted, is below that of opening the GPU,
/// or there is none. Such programs are not looked at any closer. `hasGpu` (empty: there is one) is
/// asked of longer programs only.
std::optional<PlacementChoice> placeWhereGpuMayPay(const Bundle &bundle,
                                                   const PlacementConditions &conditions,
                                                   const std::function<bool()> &hasGpu = {});

/// The placement that a run by `method` gets where there is a GPU, with predicted times: where Auto
/// looks no closer, those of the CPU.
PlacementChoice placementOfRun(const Bundle &bundle, PlacementMethod method,
                               const PlacementConditions &conditions);

/// Whether --device auto wants the GPU for some operation, or the tables exceed `hostBytes`, the
/// memory that the host has for them. `hasGpu` as placeWhereGpuMayPay.
bool gpuWanted(const Bundle &bundle, uint64_t hostBytes, const PlacementConditions &conditions,
               const std::function<bool()> &hasGpu = {});

} // namespace mpf
