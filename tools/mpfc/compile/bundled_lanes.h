// The engine that answers cases by a lane program from a bundle: nothing is planned.
#pragma once

#include "dsl/support/cases/case_source.h"
#include "runtime/engine/case_engine.h"
#include "runtime/engine/case_settings.h"
#include "runtime/engine/lanes/lane_model.h"
#include "tools/mpfc/options/options.h"

namespace mpf::driver {

/// Returns the program's model with the list of --cases, and with those swept params that the list
/// does not set. Prints errors of the list and throws Error(BadInput) for them. Throws Error(Usage)
/// if there are no cases.
Model modelOfBundle(const CaseQuestion &question, const Options &options);

/// Makes the engine for `cases`, which modelOfBundle has opened. They may set some columns of the
/// program, in any order. Throws Error(BadInput) for a column that the program does not have, and
/// for factors that a host program should bind. Throws Error(MemoryBound) and Error(Device) as
/// openCaseEngine, and what `opening` (CaseSettings) throws.
CaseEngine makeBundledLanes(const CaseQuestion &question, const CaseSource &cases,
                            const Options &options, const EngineOpening &opening);

} // namespace mpf::driver
