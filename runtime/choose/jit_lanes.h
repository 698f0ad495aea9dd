// Lanes on the machine's devices, for host programs and for mpfc.
#pragma once

#include "codegen/lanes/lane_cost.h"
#include "runtime/api/session.h"
#include "runtime/execute/lanes/case_runner.h"

#include <optional>

namespace mpf {

/// Returns how cases run on `device`. Only `threads` and the members about GPU kernels of `options`
/// are used. Kernels for a GPU are emitted and compiled, unless compiling
/// takes longer than it gains. `tableDrivenSeconds`: predicted time of table-driven kernels for all
/// cases; none: unknown. Throws Error(Device) for a GPU if there is none. Sets no
/// memory bound. `compilesLater`: as LaneTexts.
CaseRunnerOptions laneRunnerOptions(const SessionOptions &options, DeviceKind device,
                                    std::optional<double> tableDrivenSeconds = {},
                                    bool compilesLater = false);

} // namespace mpf
