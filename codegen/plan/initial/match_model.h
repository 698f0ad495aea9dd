// A plan that was read from a text, and the model that it is to be run with.
#pragma once

#include "codegen/plan/program/table_program.h"
#include "dsl/model/model.h"

namespace mpf {

/// What makes `program` no plan of this query of `model`, in one sentence; empty when it is one:
/// the same variables with the same extents, the same ones observed; kind, semiring and results of
/// the query; and as inputs the factors of the query, each over the scope that remains of it, and
/// the same constants. Both have passed their verifiers. Tables that are the same in the plan, or
/// packed, must be so for good (input_contents.h: `finalTables`).
std::string findMismatch(const TableProgram &program, const Model &model, const Query &query,
                         bool finalTables);

} // namespace mpf
