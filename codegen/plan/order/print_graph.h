// Prints the interaction graph of a query in the format of the PACE challenge (.gr, .tw), for other
// programs that find orders.
#pragma once

#include "codegen/plan/program/table_program.h"

#include <string>

namespace mpf {

/// Returns the line `p tw VARIABLES EDGES`, then a line `u v` for each edge, u < v, ascending.
/// Variable v of the model is vertex v + 1, as in the tree decompositions that print_order.h
/// prints. Two variables are neighbours when they are together in the scope of an input or of an
/// output. The order of `program`, which is usually the initial one, has no effect. Copies of
/// sliced variables would count as variables.
std::string printGraph(const TableProgram &program);

} // namespace mpf
