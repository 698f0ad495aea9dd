// Sweeps around a pivot: orders that are good to slice.
//
// A row-by-row sweep over a grid moves its whole front, so each variable is in a few messages only,
// and conditioning on one saves nothing in the others. Here the front consists of two rays from the
// middle of the network to its rim: one turns, the other stands still. The front is no wider, and
// the variables on the ray that stands still are in every message. Conditioning on k of them
// (binary ones) makes each of the 2^k slices 2^k times smaller.
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
