// The table program of one case, which a lane program is made of.
#pragma once

#include "codegen/lanes/observable_model.h"
#include "codegen/plan/build_program.h"

namespace mpf {

/// Plans `observable.query` as buildLaneProgram wants it: nothing is kept from run to run, no
/// single operation is sought a kernel for, and a lane chooses the variables of an assignment one
/// after the other, so that no two are eliminated jointly. Errors as buildProgram.
TableProgram planOneCase(const ObservableModel &observable, PlanOptions options,
                         Diagnostics &diagnostics, PlanHooks hooks = {});

} // namespace mpf
