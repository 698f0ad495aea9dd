// Answers several joint posteriors of one model by one program (QueryKind::Joints): one pass up the
// elimination tree and one pass down, as for all marginals. Queries are joined if they have the
// same conditions and the same element type.
//
// A bucket must hold the variables of each query. Where no factor holds them, the planner adds a
// table of ones over them (codegen/plan/initial/initial_program.h), so that every elimination order
// keeps them together (Shafer and Shenoy 1990). Such tables can make the tree wider than the trees
// of the single queries. So the predicted times decide: joined queries must take no more time than
// the queries apart.
#pragma once

#include "codegen/bundle/bundle.h"
#include "codegen/pipeline/model_pipeline.h"
#include "dsl/model/model.h"

#include <functional>
#include <vector>

namespace mpf {

/// Returns the query of kind Joints that answers `members`, which are at least two. Each has a kind
/// with QueryTraits::mayBeJoined; conditions and types agree.
Query joinedQuery(const std::vector<const Query *> &members);
/// Returns the members of a joined query; any other query itself.
std::vector<Query> membersOf(const Query &query);

/// Whether a program, of a joined query in tables of this type, takes no more time than the
/// members.
using JoiningPays = std::function<bool(const TableProgram &program, ElementType type)>;
/// Plans a joined query, asks `pays`, and answers the query if it pays. Returns false if it does
/// not, or if the query is refused.
using JoinedAttempt = std::function<bool(const Query &query, const JoiningPays &pays)>;

/// Calls `join` where joining queries may pay, and `alone` for each query that is not joined, in
/// their order: a joined query has the place of its first member.
void joinWhereItPays(const Model &model, const std::vector<Query> &queries,
                     const QueryPolicy &policy, const JoinedAttempt &join,
                     const std::function<void(const Query &)> &alone);

/// Compiles the queries as compileEach does, but joins queries where that pays. `take` gets one
/// bundle of kind Joints for queries that are joined. Its outputs behind the first have their
/// names, in their order. Queries whose joined program would be refused stay apart. Errors as
/// compileEach.
void compileJoined(const Model &model, const std::vector<Query> &queries, const QueryPolicy &policy,
                   const std::function<void(Bundle)> &take);

/// Returns the queries, joined where that is predicted to pay over `cases` cases of a list.
/// Searches for orders are short, because an engine for lists plans the queries anew. A joined
/// query that no engine answers may still have members that some engine answers.
std::vector<Query> joinedForCases(const Model &model, const std::vector<Query> &queries,
                                  const QueryPolicy &policy, double cases);

} // namespace mpf
