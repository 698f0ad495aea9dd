// Computes the elimination order, with its cost, of a given sequence of variables.
#pragma once

#include "codegen/plan/order/order_problem.h"
#include "codegen/plan/program/search_stop.h"

#include <limits>
#include <span>

namespace mpf {

/// Eliminates `sequence` in turn. It must hold every vertex once; output variables may be missing
/// and are left out. The result is marked hopeless and incomplete when it was given up
/// (OrderRecorder::givesUp). Returns nothing when the cost exceeds `costLimit` on the way, or when
/// `stop` says so. *stepsTaken is set to the graph steps in any case.
std::optional<EliminationOrder>
orderFromSequence(const OrderProblem &problem, InteractionGraph graph,
                  std::span<const Vertex> sequence,
                  double costLimit = std::numeric_limits<double>::infinity(),
                  uint64_t *stepsTaken = nullptr, const SearchStop *stop = nullptr);

} // namespace mpf
