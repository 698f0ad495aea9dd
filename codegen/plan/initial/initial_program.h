// MODEL + QUERY -> the first table program: one operation that multiplies every input and reduces
// everything the query does not ask for. The passes refine it until it can be run.
//
// - Observed variables leave every scope; their states stay data (a session may change them).
//   Variables of extent 1 leave too: they carry no information (linkage networks have many).
// - Soft evidence belongs to every query over its variable.
// - A summed variable that occurs in no factor multiplies by its extent, a maximised one by
//   nothing; one that the query asks for gets a table of ones.
#pragma once

#include "codegen/plan/program/table_program.h"
#include "dsl/model/model.h"
#include "dsl/source/diagnostic.h"

namespace mpf {

/// The order of the program is provisional: output variables as asked for, then the others by id.
/// Throws Error(Unsupported) for queries this version refuses, Error(BadInput) for values that no
/// semiring allows, Error(MemoryBound) for a scope or output beyond 2^62 entries.
TableProgram initialProgram(const Model &model, const Query &query, Diagnostics &diagnostics);

} // namespace mpf
