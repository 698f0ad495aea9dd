// Makes the initial program of a query: one operation that multiplies all inputs and reduces all
// variables that the query does not ask for. The passes refine it until it can be run.
//
// - Observed variables leave every scope; their states stay data (a session may change them).
//   Variables of extent 1 leave too: they carry no information (linkage networks have many).
// - Soft evidence enters as tables (queryFactors in codegen/simplify/state/query_support.h).
// - A variable that is in no factor gets a table of ones if the query asks for it. Otherwise its
//   sum is a constant, its extent, and its maximum changes nothing.
// - A query of joined queries also gets a table of ones over each asked scope that no input holds.
#pragma once

#include "codegen/plan/program/table_program.h"
#include "dsl/model/model.h"
#include "dsl/source/diagnostic.h"

#include <string>

namespace mpf {

/// Makes the program. Its order is provisional: output variables as the query lists them, then the
/// others by id. Warns when the query asks for an observed variable. Throws
/// - Error(Unsupported) for queries that this version refuses (checkedSemiring);
/// - Error(BadInput) for values that the semiring does not allow (checkedSemiring), and for more
///   than kMaxScopeVariables output variables;
/// - Error(MemoryBound) for a table or result of more than 2^62 entries.
TableProgram initialProgram(const Model &model, const Query &query, Diagnostics &diagnostics);

/// The entries of an answer.
struct AnswerSize {
  uint64_t elems = 1;   ///< saturated
  double log2Elems = 0; ///< elems may saturate
};

/// Returns the size of the table of a query's output. An observed variable has one state there: the
/// answer is the slice at its state.
AnswerSize answerSize(const Model &model, const Query &query);

/// Says for messages that an answer has 2^log2Elems entries, and what to ask for in place of a
/// posterior: "has 2^60.0 entries; query ...".
std::string largeAnswer(QueryKind kind, double log2Elems);

} // namespace mpf
