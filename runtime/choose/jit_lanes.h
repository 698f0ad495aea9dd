// Lanes on the machine's devices, for host programs and for mpfc.
#pragma once

#include "runtime/api/session.h"
#include "runtime/execute/lanes/case_runner.h"

#include <optional>

namespace mpf {

/// Where and how cases run. Of `options`, `device`, `threads` and what concerns GPU
/// kernels count; "auto" is the CPU here, whoever chooses says "gpu"
/// (runtime/engine/lane_engine.h). On a GPU the kernels of a program are emitted and compiled for
/// it, unless compiling would take longer than it gains: `tableDrivenSeconds` is what table-driven
/// kernels are predicted to take for all cases, none: unknown. Throws Error(Device) when there is
/// none. No memory bound is set.
CaseRunnerOptions laneRunnerOptions(const SessionOptions &options,
                                    std::optional<double> tableDrivenSeconds = {});

} // namespace mpf
