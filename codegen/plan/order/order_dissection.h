// Nested dissection (George 1973; Karypis and Kumar 1998, "A fast and high quality multilevel
// scheme", as METIS_NodeND): small separators are eliminated last, halves on their own before them.
//
// The best start for large networks that greedy rules, which see one variable at a time, order
// badly. Needs METIS; built without it there is simply no such order.
#pragma once

#include "codegen/plan/order/order_problem.h"

namespace mpf {

/// All vertices of `graph`, first eliminated first; empty when METIS is not built in, for graphs
/// too small to cut and for those beyond its index type. Calls take turns: METIS draws from the C
/// library's generator, seeded anew by each call, so programs that use rand() meanwhile in other
/// threads may change the order.
std::vector<Vertex> dissectionSequence(InteractionGraph graph, uint64_t seed);

} // namespace mpf
