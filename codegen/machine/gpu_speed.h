// The speed of a GPU, from which times of launches and copies are predicted, as plain data. `mpfc
// calibrate` measures it (runtime/machine/machine_speed.h).
#pragma once

#include "codegen/bundle/table_driven_time.h"

#include <cstdint>

namespace mpf {

/// The constants of predicted launches (runtime/schedule/launches/level_time.h). They were measured
/// on an H200, except waitUs.
struct LevelSpeed {
  uint32_t multiprocessors = 132;
  double launchUs = kTableLaunchUs; ///< time of a launch that waits for the one before, in a graph
  double waitUs = 0.9;              ///< time in which a phase waits for the one before
  double sliceLaunchUs = 2.5;       ///< time of a launch that enters slices, or adds them up
  double stepUs = kTableStepUs;     ///< fixed time of each step of a block (LevelStep)
  double termFactor = kTableTermFactor;     ///< measured over modelled time of a term
  double kernelFactor = kSpecialisedFactor; ///< measured over modelled time of other kernels
  double residentBlocks =
      kTableResidentBlocks; ///< blocks per multiprocessor that do not slow each other down
  double linesPerUs = 132 * kTableLinesPerUsAndSm; ///< lines loaded, by all multiprocessors
  double bytesPerUs = kTableBytesPerUs;            ///< rate of device memory, read and written

  bool operator==(const LevelSpeed &) const = default;
};

/// Speed of copies between a host's locked memory and a GPU, as measured on an H200.
struct CopySpeed {
  double bytesPerUs = 25000;
  double copyUs = 2;  ///< fixed time of a copy
  double groupUs = 5; ///< fixed time of a group on another stream: two events, and their delays

  bool operator==(const CopySpeed &) const = default;
};

/// Speed of a GPU, with the times of launches.
struct GpuSpeed : LevelSpeed {
  double copyBytesPerUs = 12700; ///< rate of copies between host and device, pageable memory
  double uploadUs = 2.9;   ///< fixed time to copy a table to the device: the table and its state
  double downloadUs = 0.2; ///< fixed time to copy a table to the host, with others of a run
  double superstepUs = 20; ///< time to start the device, and to wait for it and for a copy
  double openUs = 300000;  ///< time of driver, context and modules: once per process
  CopySpeed copies;        ///< copies of locked memory, for tables that change between runs

  bool operator==(const GpuSpeed &) const = default;
};

} // namespace mpf
