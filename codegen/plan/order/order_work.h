// Counts the work of a run of an order, from the buckets of its elimination tree. The planner
// predicts the time of the run from it (program/run_costs.h).
#pragma once

#include "codegen/plan/order/elimination_tree.h"
#include "codegen/plan/order/order_problem.h"
#include "codegen/plan/program/run_costs.h"

#include <vector>

namespace mpf {

/// The work of all components that a problem represents, side by side, counted in two ways.
struct OrderWorks {
  /// One bucket is one operation, which reads its operands and writes its message. For marginals
  /// (OrderProblem::goesDownward), each message that it reads has an answer, another message that
  /// costs as much, and its variable gets a table. A bucket that holds one message alone is part of
  /// the operation before (pass_join_buckets.h), but its entries count. A bucket of a sliced
  /// program counts as often as it runs. A bucket that exceeds the memory bound counts more, so
  /// that the search for an order within the bound goes on.
  RunWork whole;
  /// Nearer to the program that the passes make. The entries of a message count in the bucket that
  /// reads it, so a bucket that is joined to the one before adds none. For marginals, the third and
  /// later answers of a bucket share the products that the first two made
  /// (pass_contract_operands.h). The search still ends by `whole`: its share of the runs was tuned
  /// with that, and no order can make it small by joining buckets.
  RunWork joined;
};

/// Counts the work of an order of `tree`: children before parents, as EliminationTree::sequence
/// returns it. Takes time linear in the number of buckets and tables.
OrderWorks orderWorks(const EliminationTree &tree, const std::vector<Vertex> &sequence,
                      const OrderProblem &problem);

/// Returns OrderWorks::joined without levels: a lower bound, in a fraction of the time.
RunWork joinedSums(const EliminationTree &tree, const OrderProblem &problem);

/// Sets both works of an order of the tree, and the times predicted from them.
void setRuns(const EliminationTree &tree, const std::vector<Vertex> &sequence,
             const OrderProblem &problem, EliminationOrder &order);

} // namespace mpf
