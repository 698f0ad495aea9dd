// A sequence of all variables, from whatever source, as an elimination order with its cost.
#pragma once

#include "codegen/plan/order/order_problem.h"
#include "codegen/plan/program/search_stop.h"

#include <limits>
#include <span>

namespace mpf {

/// Eliminates `sequence` in turn, kept variables left out; it must hold every other vertex once.
/// `graph` is consumed. Nothing when the cost passes `costLimit` or `stop` says so (then
/// *stepsTaken still counts the work done).
std::optional<EliminationOrder>
orderFromSequence(const OrderProblem &problem, InteractionGraph graph,
                  std::span<const Vertex> sequence,
                  double costLimit = std::numeric_limits<double>::infinity(),
                  uint64_t *stepsTaken = nullptr, const SearchStop *stop = nullptr);

} // namespace mpf
