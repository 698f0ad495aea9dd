// Divides an initial program into one ordering problem for each component. Components share no
// variable, so each is ordered on its own. All output variables are in one component.
//
// Some components are EQUAL: the members of a template, the copies of an object, single variables
// that nothing joins. Equal components are searched once. Those with equal tables also run once
// (pass_share_tables.h), so they count once.
#pragma once

#include "codegen/plan/initial/input_contents.h"
#include "codegen/plan/order/order_problem.h"
#include "codegen/plan/program/table_program.h"

#include <cstdint>
#include <vector>

namespace mpf {

/// The loops of the inputs of a sliced program. A table that depends on the variable of a loop is
/// in that loop and in all loops around it.
struct InputLoops {
  std::vector<uint64_t> ofTable; ///< by table: a set of loops
  std::vector<double> extents;   ///< by loop, in the order of the bits
  std::vector<uint32_t> tables;  ///< by loop: OrderProblem::loopTables
};

/// Returns the problems, without given orders (order_given.h) and without a bound on messages.
/// `kept`: the output variables, which are never eliminated. `together`: make one problem of all
/// components, for given orders that relate several of them. `loops`: those of a sliced program;
/// may be null. Sets `localOf`, by VarId, to the vertex in its problem; UINT32_MAX for variables
/// that are not in the program's order.
std::vector<OrderProblem> orderProblems(const TableProgram &program, const std::vector<VarId> &kept,
                                        bool together, const InputLoops *loops,
                                        std::vector<uint32_t> &localOf);

/// Components that are the same problem by vertices: an order of one is an order of each.
struct EqualComponents {
  std::vector<uint32_t> members; ///< indices of problems, ascending
  /// Number of members that run: the tables of the others hold the same entries.
  double distinct = 1;
};

/// Returns the classes of equal components, by their first members. `localOf`: as orderProblems
/// sets it. `contents`: contents of the program's tables; null: no table is known to equal another.
/// `known`, by problem: an order that the search is to start from, or empty. Problems that start
/// from different orders are not equal. Takes n log n time for n components, else time linear in
/// the program.
std::vector<EqualComponents> equalComponents(const TableProgram &program,
                                             const std::vector<OrderProblem> &problems,
                                             const std::vector<std::vector<Vertex>> &known,
                                             const std::vector<uint32_t> &localOf,
                                             const InputContents *contents);

} // namespace mpf
