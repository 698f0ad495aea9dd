// What it costs to plan an engine, before it is planned: the price of that question by the rule of
// codegen/plan/program/planning_budget.h. What it can save is what the list takes by the engines
// that are planned already.
#pragma once

#include "runtime/engine/planned_engine.h"

namespace mpf {

/// Microseconds of a core, counted by the factors of the model, whatever the machine: without the
/// search for an order, which has a budget of its own, and the start of a GPU.
double planningPriceUs(const CaseProblem &problem, CaseEngineKind kind);

/// Whether tables are asked before lanes: of few cases, which leave most lanes of a strip or of a
/// GPU empty, by a model for which planning lanes takes a time that anybody would notice. Tables
/// are planned in a fraction of that.
bool asksTablesFirst(const CaseProblem &problem);

} // namespace mpf
