// LEVEL TIME: predicted times of launches of the level kernel, from their mapping vectors. By them
// the planner decides which levels share a resident launch (join_levels.h); predictions of whole
// programs (runtime/predict) add them up.
#pragma once

#include "codegen/bundle/bundle.h"
#include "codegen/bundle/table_driven_time.h"
#include "runtime/schedule/launches/launch_plan.h"

#include <cstdint>
#include <span>
#include <vector>

namespace mpf {

/// What a GPU takes for the parts of these times. Measured on an H200, but for waitUs.
struct LevelSpeed {
  uint32_t multiprocessors = 132;
  double launchUs = kTableLaunchUs; ///< of a launch that waits for the one before, in a graph
  double waitUs = 0.9;          ///< of a phase of a resident launch that waits for the one before
  double sliceLaunchUs = 2.5;   ///< of a launch that enters slices, or adds them up
  double stepUs = kTableStepUs; ///< of each step of a block (LevelStep)
  double termFactor = kTableTermFactor;     ///< measured over modelled time of a term
  double kernelFactor = kSpecialisedFactor; ///< the same of specialised kernels and chains
  double residentBlocks =
      kTableResidentBlocks; ///< of a multiprocessor, that work as if each were alone
  double linesPerUs = 132 * kTableLinesPerUsAndSm; ///< that loads touch, all multiprocessors
  double bytesPerUs = kTableBytesPerUs;            ///< of device memory, read and written

  bool operator==(const LevelSpeed &) const = default;
};

/// Blocks that do as much as each other in a phase.
struct BlockWork {
  double stretchUs = 0; ///< the slowest team of each step, all steps (table_driven_time.h)
  uint32_t steps = 0;
  uint32_t count = 0; ///< of blocks
};

/// What a phase of a mapping vector has to do.
struct PhaseWork {
  std::vector<BlockWork> blocks;
  double lines = 0; ///< of 128 bytes, that the loads touch
  double bytes = 0; ///< of all tables, read and written
};

/// The longest stretch of one thread of the team that does the task.
double stretchUs(const Bundle &bundle, const LevelTask &task, bool wholeBlock);

/// By phase. Takes time proportional to the tasks and the operands of their operations.
std::vector<PhaseWork> workOf(const Bundle &bundle, const LevelMapping &mapping);

/// The slowest block, or what all of them take of the device, or of its memory.
double phaseUs(const PhaseWork &phase, const LevelSpeed &speed);
/// Of the launch, with its phases and the waits between them.
double levelUs(std::span<const PhaseWork> phases, const LevelSpeed &speed);

} // namespace mpf
