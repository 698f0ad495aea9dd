// Computes the elimination order, with its cost, of a given sequence of variables.
#pragma once

#include "codegen/plan/order/order_problem.h"
#include "codegen/plan/program/search_stop.h"

#include <limits>
#include <span>

namespace mpf {

/// Eliminates `sequence` in turn. It must hold every vertex once; output variables may be missing
/// and are left out. An order that was given up (OrderRecorder::givesUp) is marked hopeless and
/// incomplete. Returns nothing when the cost exceeds `costLimit` on the way, or when `stop` ends
/// the run. Always sets *stepsTaken to the graph steps.
std::optional<EliminationOrder>
orderFromSequence(const OrderProblem &problem, InteractionGraph graph,
                  std::span<const Vertex> sequence,
                  double costLimit = std::numeric_limits<double>::infinity(),
                  uint64_t *stepsTaken = nullptr, const SearchStop *stop = nullptr);

} // namespace mpf
