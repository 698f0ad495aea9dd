// An order that makes subprograms equal: stationary networks halved again and again.
//
// Every other variable at once (odd-even reduction, Hockney 1965; as multiple elimination, Liu
// 1985): in each round the cheapest variables that are not neighbours of each other. A chain of n
// equal steps then becomes n / 2 equal ones, n / 4, and so on; pass_share_tables.h computes each
// round once, log2(n) products instead of n. On its own the order is often dearer than the one
// found by search, so both are planned and the cheaper program is taken (build_program.cpp).
#pragma once

#include "codegen/plan/initial/input_contents.h"
#include "codegen/plan/order/choose_order.h"
#include "codegen/plan/program/table_program.h"
#include "dsl/model/model.h"

#include <optional>

namespace mpf {

/// Nothing unless at least half of the inputs are equal to others, no order was given, a bucket of
/// the order can be held, and the operations of `found`, the plan so far, are large enough that
/// fewer of them would pay for planning a second time.
std::optional<OrderChoice> stationaryOrder(const Model &model, const TableProgram &initial,
                                           const InputContents &contents,
                                           const TableProgram &found);

/// What a program costs to run: entries loaded, and the work of starting each operation.
double modelledLoads(const TableProgram &program);

} // namespace mpf
