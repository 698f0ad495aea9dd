// What a step of a lane program costs on the CPU: by the built-in kernels, written out and
// compiled, and to compile it. Fitted to measured times
// (tools/mpf-bench/results/2026-11-27-cpu-lanes-compiled.md).
#pragma once

#include "codegen/bundle/lanes/lane_program.h"
#include "runtime/execute/lanes/compiled/strip_places.h"

namespace mpf {

struct StripStepCost {
  double terms = 0;     ///< products of two entries, and entries picked: the length of its text
  double builtInNs = 0; ///< of a strip
  double compiledNs = 0;
  double compileUs = 0; ///< what it adds to the compilation of a text
};

/// Of any text, before its steps.
inline constexpr double kStripTextUs = 45000;

StripStepCost stripStepCost(const LaneProgram &program, const LaneStep &step,
                            const StripPlaces &places);

} // namespace mpf
