// The price of planning an engine, known before it is planned. It enters the rule of
// codegen/plan/program/planning_budget.h; planning can save at most the time that the list takes on
// the engines planned already.
#pragma once

#include "runtime/engine/list/engine_rows.h"

namespace mpf {

/// Returns EngineRow::planningUs; 0 for lanes that are planned already for this device.
double planningPriceUs(const CaseProblem &problem, AnswerForm form, bool onGpu);

/// Whether the engine for few cases (EngineRow::isForFewCases), tables, is planned before lanes.
/// This pays for few cases, which leave most lanes of a strip or a GPU empty, and for short sweeps
/// of params on a CPU. In both, planning lanes takes noticeable time for the model. Planning tables
/// takes a fraction of it.
bool plansTablesFirst(const CaseProblem &problem);

} // namespace mpf
