// Sweeps around a pivot: orders that are good to slice.
//
// A row-by-row sweep over a grid moves all of its front, so no variable is in more than a few of
// its messages and conditioning on one saves nothing elsewhere. Here the front is two rays from the
// middle of the network to its rim: one turns, the other one stands still. The front is no wider,
// and the variables on the ray that stands are in every message: conditioning on k of them makes
// each of 2^k slices 2^k times smaller.
//
// Positions: distances to four vertices far apart (landmarks; Harel and Koren 2002, section 2).
// Their differences are exact coordinates on grids and a fair drawing of other flat networks. What
// an order is worth is for the caller to count.
#pragma once

#include "codegen/plan/order/interaction_graph.h"

#include <vector>

namespace mpf {

/// Larger networks get none: angles are compared by exact 64-bit products.
inline constexpr size_t kMostPivotVertices = 20'000;

/// Elimination sequences of all vertices, one per direction in which the standing ray may lie.
/// `graph` is one connected part. Empty when it is too large or too small. Time: 5 walks over the
/// edges and one sort each.
std::vector<std::vector<Vertex>> pivotSweeps(InteractionGraph &graph);

} // namespace mpf
