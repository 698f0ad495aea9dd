// Finds an order that makes subprograms of stationary networks equal, by halving the network again
// and again.
//
// Each round eliminates the cheapest variables that are not neighbours of each other (odd-even
// reduction, Hockney 1965; as multiple elimination, Liu 1985). A chain of n equal steps becomes one
// of n / 2 equal steps, then n / 4, and so on. Sharing tables (pass_share_tables.h) then computes
// each round only once: log2(n) products instead of n. Without sharing, this order often costs more
// than the one found by search. So both are planned, and the cheaper program is taken
// (codegen/plan/plan_within_bound.cpp).
#pragma once

#include "codegen/plan/initial/input_contents.h"
#include "codegen/plan/order/choose_order.h"
#include "codegen/plan/program/table_program.h"
#include "dsl/model/model.h"

#include <optional>

namespace mpf {

/// Returns the order, or nothing if it cannot pay. It can pay only if
/// - the network has at least 32 inputs, at least half of them equal to earlier ones;
/// - the model gives no order, no message has more than 2^62 entries, and the graph is not dense;
/// - the operations of `found`, the plan so far, are large enough that fewer of them make up for
///   planning twice.
std::optional<OrderChoice> stationaryOrder(const Model &model, const TableProgram &initial,
                                           const InputContents &contents,
                                           const TableProgram &found);

/// Returns the cost of running a program, in entries to load. Each operation
/// costs the entries that it loads plus a constant for starting it, times its number of runs.
double modelledLoads(const TableProgram &program);

} // namespace mpf
