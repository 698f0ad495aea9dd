// Finds an order by nested dissection (George 1973; Karypis and Kumar 1998, "A fast and high
// quality multilevel scheme", as METIS_NodeND). A small separator is eliminated last; the parts
// that it leaves are ordered in the same way before it.
//
// This is the best start for large networks that greedy rules, which look at one variable at a
// time, order badly. It needs METIS; without METIS in the build there is no such order.
#pragma once

#include "codegen/plan/order/order_problem.h"

namespace mpf {

/// Returns all vertices of `graph`, the first eliminated first. Returns an empty sequence when
/// METIS is not built in or fails. Graphs that are too small (below 32 vertices, or no edges) or
/// too large (2^28 entries of adjacency lists) get an empty sequence too. Nothing may have been
/// eliminated in `graph`. Thread-safe: calls take turns. METIS uses rand() of the C library and
/// seeds it in each call, so other threads that use rand() at the same time may change the order.
std::vector<Vertex> dissectionSequence(InteractionGraph graph, uint64_t seed);

} // namespace mpf
