// The graph that an order is for, as solvers of the PACE challenge read it (.gr, .tw).
#pragma once

#include "codegen/plan/program/table_program.h"

#include <string>

namespace mpf {

/// `p tw VARIABLES EDGES`, then one edge `u v` a line, u < v ascending, from 1: variable v of the
/// model is vertex v + 1, as in the tree decompositions of print_order.h. Two variables are
/// neighbours when they are in a scope of an input or of an output together. `program` may be the
/// initial one: what the order is does not matter.
std::string printGraph(const TableProgram &program);

} // namespace mpf
