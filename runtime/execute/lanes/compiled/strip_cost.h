// Predicts the cost of a step of a lane program on the CPU: with the built-in kernels, as compiled
// text, and to compile it. Fitted to measured times
// (tools/mpf-bench/results/2026-11-27-cpu-lanes-compiled.md).
#pragma once

#include "codegen/bundle/lanes/lane_program.h"
#include "runtime/execute/lanes/compiled/strip_places.h"

namespace mpf {

struct StripStepCost {
  double terms = 0;     ///< products of two entries, and entries picked: the length of its text
  double builtInNs = 0; ///< time of a strip with the built-in kernels
  double compiledNs = 0;
  double compileUs = 0; ///< time that the step adds to the compilation of a text
};

/// Compilation time of a text without steps.
inline constexpr double kStripTextUs = 45000;

StripStepCost stripStepCost(const LaneProgram &program, const LaneStep &step,
                            const StripPlaces &places);

} // namespace mpf
