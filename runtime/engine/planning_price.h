// The price of planning an engine, known before it is planned. It enters the rule of
// codegen/plan/program/planning_budget.h; planning can save at most the time that the list takes on
// the engines planned already.
#pragma once

#include "runtime/engine/planned_engine.h"

namespace mpf {

/// Returns microseconds of a core, counted by the factors of the model (PlanningRates).
/// Leaves out the search for an order, which has a separate budget, and the start of a GPU.
double planningUs(const CaseProblem &problem, CaseEngineKind kind);

/// The same; 0 for lanes that are planned already.
double planningPriceUs(const CaseProblem &problem, CaseEngineKind kind);

/// Whether tables are planned before lanes. This pays for few cases, which leave most lanes of a
/// strip or a GPU empty, of a model for which planning lanes takes noticeable time. Planning tables
/// takes a fraction of it.
bool plansTablesFirst(const CaseProblem &problem);

} // namespace mpf
