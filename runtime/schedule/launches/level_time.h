// LEVEL TIME: predicted times of launches of the level kernel, from their mapping vectors. They
// decide which levels share a resident launch (join_levels.h). Predictions of whole programs
// (runtime/predict) add them up.
#pragma once

#include "codegen/bundle/bundle.h"
#include "codegen/bundle/table_driven_time.h"
#include "runtime/schedule/launches/launch_plan.h"

#include <cstdint>
#include <span>
#include <vector>

namespace mpf {

/// Speed of a GPU: the constants of these predictions. They were measured on an H200, except
/// waitUs.
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

/// Blocks with equal work in a phase.
struct BlockWork {
  double stretchUs = 0; ///< sum over steps of the time of the slowest team (table_driven_time.h)
  uint32_t steps = 0;
  uint32_t count = 0; ///< number of blocks
};

/// The work of a phase of a mapping vector.
struct PhaseWork {
  std::vector<BlockWork> blocks;
  double lines = 0; ///< lines of 128 bytes that the loads touch
  double bytes = 0; ///< bytes of all tables, read and written
};

/// Returns the longest time of a thread of the team that computes the task.
double stretchUs(const Bundle &bundle, const LevelTask &task, bool wholeBlock);

/// Returns the work of each phase. Takes time proportional to the tasks and the operands of their
/// operations.
std::vector<PhaseWork> workOf(const Bundle &bundle, const LevelMapping &mapping);

/// Returns the time of a phase: the greatest of the slowest block's, all blocks' on the device, and
/// that of memory.
double phaseUs(const PhaseWork &phase, const LevelSpeed &speed);
/// Returns the time of a launch, with its phases and the waits between them.
double levelUs(std::span<const PhaseWork> phases, const LevelSpeed &speed);

} // namespace mpf
