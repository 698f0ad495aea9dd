// The engine that answers one case after the other: every query, size and arithmetic.
//
// One program serves all cases. Cases set tables, which are bound before a run
// (codegen/lanes/observable_model.h). Only tables that differ from the case before are bound, so
// that a run computes only what depends on them.
//
// Some queries reduce without a zero that a table can hold: minima, and maxima of whole numbers
// that are added. No table can exclude states of them, so they have a program for each set of
// observed variables.
#pragma once

#include "runtime/engine/planned_engine.h"

namespace mpf {

/// Throws as compiling a single run does.
PlannedEngine planSingleEngine(const CaseProblem &problem);

} // namespace mpf
