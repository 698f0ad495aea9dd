// Counts what a run of an order does, from the buckets of its elimination tree: by it the planner
// predicts how long the run takes (program/run_costs.h).
#pragma once

#include "codegen/plan/order/elimination_tree.h"
#include "codegen/plan/order/order_problem.h"
#include "codegen/plan/program/run_costs.h"

#include <vector>

namespace mpf {

/// The two ways to count that the search goes by, of all components that a problem stands for, side
/// by side.
struct OrderWorks {
  /// One bucket is one operation, which reads its operands and writes its message. For marginals
  /// (OrderProblem::goesDownward), each message that it reads is answered by another that costs as
  /// much, and its variable gets a table of its own. A bucket that holds one message alone is part
  /// of the operation before (pass_join_buckets.h), but its entries count. A bucket of a sliced
  /// program counts as often as it runs. One that exceeds the bound on memory is dear, so that the
  /// search for an order that does not goes on.
  RunWork whole;
  /// The same, nearer to the program that the passes make: the entries of a message count in the
  /// bucket that reads it, so a bucket that is joined to the one before adds none; and
  /// the third and later answers of a bucket for marginals share the products that the first two
  /// made (pass_contract_operands.h). The search ends by `whole`, with which its share of the runs
  /// was chosen, and which no order can make small by joining buckets.
  RunWork joined;
};

/// Of an order of `tree`: children before parents, as EliminationTree::sequence has it. Takes time
/// in proportion to the number of buckets and tables.
OrderWorks orderWorks(const EliminationTree &tree, const std::vector<Vertex> &sequence,
                      const OrderProblem &problem);

/// OrderWorks::joined without levels: a lower bound, in a fraction of the time.
RunWork joinedSums(const EliminationTree &tree, const OrderProblem &problem);

/// Sets both works of an order of the tree, and its runs.
void setRuns(const EliminationTree &tree, const std::vector<Vertex> &sequence,
             const OrderProblem &problem, EliminationOrder &order);

} // namespace mpf
