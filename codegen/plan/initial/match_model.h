// Checks that a plan that was read from a text belongs to the model that it is to run with.
#pragma once

#include "codegen/plan/program/table_program.h"
#include "dsl/model/model.h"

namespace mpf {

/// Returns an empty text when `program` is a plan of this query of `model`, else one sentence about
/// the first difference. These must agree:
/// - variables, extents and which variables are observed;
/// - kind, semiring and results of the query;
/// - the factors of the query, each over the part of its scope that is not observed, and the
///   constants.
///
/// Tables that the plan shares or packs must stay equal, or zeros and ones (input_contents.h:
/// `finalTables`). Both arguments must have passed their verifiers. Throws as initialProgram when
/// the query cannot be planned.
std::string findMismatch(const TableProgram &program, const Model &model, const Query &query,
                         bool finalTables);

} // namespace mpf
