// The engine that answers one case after the other: every query, any size, every arithmetic.
//
// One program serves all cases. What a case sets are tables that are bound before its run
// (codegen/lanes/observable_model.h); only those that differ from the case before are bound, so
// that a run computes what depends on them. Of queries whose reduction has no zero that a table
// can hold (minima; whole numbers that are added) no table can leave out states: these have a
// program for each set of observed variables.
#pragma once

#include "runtime/engine/planned_engine.h"

namespace mpf {

/// Throws as compiling a single run does.
PlannedEngine planSingleEngine(const CaseProblem &problem);

} // namespace mpf
