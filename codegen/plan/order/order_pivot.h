// Finds orders that are good to slice: they sweep around a pivot in the middle of the network.
//
// The front of an order is the set of variables of the message between eliminated and other
// variables. A row-by-row sweep over a grid moves its whole front. So each variable is in a few
// messages only, and conditioning on one saves nothing in the others. Here the front consists of
// two rays from the middle of the network to its rim: one turns, the other does not move. The front
// is no wider, and the variables on the fixed ray are in every message. Conditioning on k of them
// (binary ones) makes each of the 2^k slices 2^k times smaller.
//
// The positions of vertices are found from their distances to four vertices far apart (landmarks;
// Harel and Koren 2002, section 2). Differences of these are exact coordinates on grids, and draw
// other almost planar networks well enough. The cost of the orders is not computed here.
#pragma once

#include "codegen/plan/order/interaction_graph.h"

#include <vector>

namespace mpf {

/// The most vertices of a network that gets pivot sweeps: angles are compared by exact 64-bit
/// products.
inline constexpr size_t kMostPivotVertices = 20'000;

/// Returns elimination sequences of all vertices, one for each of eight directions of the fixed
/// ray. `graph` must be connected, with nothing eliminated. Empty for fewer than 9 or more than
/// kMostPivotVertices vertices. Takes the time of six breadth-first searches and of one sort for
/// each sequence.
std::vector<std::vector<Vertex>> pivotSweeps(InteractionGraph &graph);

} // namespace mpf
