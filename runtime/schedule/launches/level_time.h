// LEVEL TIME: predicted times of launches of the level kernel, from their mapping vectors. They
// decide which levels share a resident launch (join_levels.h). Predictions of whole programs
// (runtime/predict) add them up.
#pragma once

#include "codegen/bundle/bundle.h"
#include "codegen/machine/gpu_speed.h"
#include "runtime/schedule/launches/launch_plan.h"

#include <cstdint>
#include <span>
#include <vector>

namespace mpf {

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
