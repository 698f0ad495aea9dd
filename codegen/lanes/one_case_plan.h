// Plans the table program of one case, from which a lane program is made.
#pragma once

#include "codegen/lanes/observable_model.h"
#include "codegen/plan/build_program.h"

namespace mpf {

/// Plans `observable.query` for buildLanePlan: no message is kept from run to run, and no
/// operation gets a kernel. A lane chooses the variables of an assignment one after the other, so
/// no two are eliminated jointly. Errors as buildProgram.
TableProgram planOneCase(const ObservableModel &observable, PlanOptions options,
                         Diagnostics &diagnostics, PlanHooks hooks = {});

} // namespace mpf
