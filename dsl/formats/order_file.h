// Elimination orders from other programs. What the text says decides, not the file's ending:
//
//   3 0 2 1              toulbar2 .order: variables from 0, in reverse elimination order
//   c comment            PACE .td: a tree decomposition; bags and variables from 1
//   s td 2 2 3           bags, variables in the largest bag, variables
//   b 1 1 2              bag 1 holds variables 1 and 2
//   b 2 2 3
//   1 2                  bags 1 and 2 are linked
//
// PACE's graphs (.gr, .tw: `p tw ...`, what its solvers read) hold no order and are refused with a
// hint; codegen/plan/order/print_graph.h writes them.
#pragma once

#include "dsl/model/model.h"
#include "dsl/source/diagnostic.h"

#include <memory>
#include <optional>

namespace mpf {

/// The order as the model language writes it: last eliminated first. Of a decomposition: bag 1 is
/// the root, a variable is eliminated with the topmost bag that holds it. Variables that the file
/// leaves out are left to the planner. Nothing when an error was reported: numbers out of range,
/// a variable or bag twice, links that are no tree or forest.
std::optional<OrderChain> readOrderFile(std::shared_ptr<const SourceBuffer> buffer,
                                        const Model &model, Diagnostics &diagnostics);

} // namespace mpf
