// Lanes on the machine's devices, for host programs and for mpfc.
#pragma once

#include "runtime/api/session.h"
#include "runtime/execute/lanes/case_runner.h"

#include <optional>

namespace mpf {

/// Returns where and how cases run. Only `device`, `threads` and the members about GPU kernels of
/// `options` are used. "auto" means the CPU here: callers that choose a GPU pass "gpu"
/// (runtime/engine/lane_engine.h). Kernels for a GPU are emitted and compiled, unless compiling
/// takes longer than it gains. `tableDrivenSeconds`: predicted time of table-driven kernels for all
/// cases; none: unknown. Throws Error(Device) if "gpu" is asked for and there is none. Sets no
/// memory bound.
CaseRunnerOptions laneRunnerOptions(const SessionOptions &options,
                                    std::optional<double> tableDrivenSeconds = {});

} // namespace mpf
