// Stores the tables of many cases with the cases side by side.
//
// A held variable (program/held_variables.h) comes first in the global order, so the entries of one
// of its states are adjacent. The case variable of a list of cases has many states, the other
// variables have few, so vectors along the others are short. With the held variable fastest,
// vectors lie along it instead: the interleaving of parameter sets of PDP'11 (codegen/PAPERS.md).
#pragma once

#include "codegen/plan/program/plan_options.h"
#include "codegen/plan/program/table_program.h"
#include "dsl/model/model.h"

namespace mpf {

/// Returns `program` with its largest held variable fastest in every table, if that is predicted to
/// run faster (PlanOptions::programUs). Returns it unchanged where there is no prediction, where
/// predicting does not pay, where it runs in slices, and where tables are stored for a GPU
/// (pass_lay_out_tables.h). `program` has been through all passes.
TableProgram withFasterHeld(const Model &model, TableProgram program, const PlanOptions &options);

} // namespace mpf
