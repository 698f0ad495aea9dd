// Reads elimination orders of other programs. The start of the text determines the format; the
// ending of the file does not matter:
//
//   3 0 2 1              toulbar2 .order: variables from 0, in reverse elimination order
//   c comment            PACE .td: a tree decomposition; bags and variables from 1
//   s td 2 2 3           bags, variables in the largest bag, variables
//   b 1 1 2              bag 1 holds variables 1 and 2
//   b 2 2 3
//   1 2                  bags 1 and 2 are linked
//
// The graphs that PACE's solvers read (.gr, .tw: `p tw ...`) hold no order. They are refused with a
// hint; codegen/plan/order/print_graph.h writes them.
#pragma once

#include "dsl/model/model.h"
#include "dsl/source/diagnostic.h"

#include <memory>
#include <optional>

namespace mpf {

/// Returns the order as a chain of the model language: the variable that is eliminated last comes
/// first. In a decomposition bag 1 is the root. A variable is eliminated with the topmost bag that
/// contains it. Variables that the file omits are not in the chain; the planner orders them.
/// Returns nothing after reporting numbers out of range, a variable or bag that occurs twice, or
/// links that form a cycle.
std::optional<PartialOrder> readOrderFile(std::shared_ptr<const SourceBuffer> buffer,
                                          const Model &model, Diagnostics &diagnostics);

} // namespace mpf
