// From the initial program (one operation over everything) to candidate global orders.
//
// Every connected part is ordered by each method that the options allow, restarts with other
// seeds follow as long as half of the predicted run time is not yet spent on the search, and the
// cheapest order of each part wins. Parts without fill-in (trees, chains) need one run.
#pragma once

#include "codegen/plan/plan_options.h"
#include "codegen/plan/table_program.h"
#include "dsl/model/model.h"
#include "dsl/source/diagnostic.h"

#include <vector>

namespace mpf {

struct OrderChoice {
  std::vector<VarId> order; ///< global order, most significant first: output variables, then the
                            ///< eliminated ones, first eliminated last
  double cost = 0;          ///< modelled elementary operations, may be infinite
  double log2Largest = 0;   ///< entries of the largest message
};

/// The cheapest order first; a second one when another needs smaller messages. Reports a
/// performance warning when an order given in the model costs over ten times the automatic one.
std::vector<OrderChoice> chooseOrders(const Model &model, const TableProgram &initial,
                                      const PlanOptions &options, Diagnostics &diagnostics);

} // namespace mpf
