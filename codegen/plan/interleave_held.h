// Stores the tables of many cases with the cases side by side.
//
// A held variable (program/held_variables.h) comes first in the global order, so that the entries
// of one of its states stand together. Where it has many states and the other variables few, as
// with the case variable of a list of cases, vectors along the others are short. Stored the other
// way round, with the held variable fastest, they lie along it: the interleaving of parameter sets
// of PDP'11 (codegen/PAPERS.md).
#pragma once

#include "codegen/plan/program/plan_options.h"
#include "codegen/plan/program/table_program.h"
#include "dsl/model/model.h"

namespace mpf {

/// The program as it is, or, where it is predicted to run faster so (PlanOptions::programUs), with
/// that held variable fastest in every table that has the most states. As it is too where there is
/// no prediction, where asking for it does not pay, where it runs in slices, and where tables
/// are stored for a GPU (pass_lay_out_tables.h). `program` has been through all passes.
TableProgram withFasterHeld(const Model &model, TableProgram program, const PlanOptions &options);

} // namespace mpf
