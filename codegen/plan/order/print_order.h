// Prints the elimination order of a plan in the formats of other programs; dsl/formats/order_file.h
// reads them. Variables are numbered as in the model; copies of sliced variables are left out.
#pragma once

#include "codegen/plan/program/table_program.h"

#include <string>

namespace mpf {

/// Prints the .order format of toulbar2: all variables on one line, numbered from 0, the last
/// eliminated first. Variables that are in no table (observed ones, those of extent 1) come last.
std::string printOrder(const TableProgram &program);

/// Prints the .td format of PACE, a tree decomposition. Each variable has one bag: its bucket when
/// the inputs of the plan are eliminated in its order. The bags of different components are linked.
/// Variables and bags are numbered from 1.
std::string printDecomposition(const TableProgram &program);

} // namespace mpf
