// The elimination order of a plan in the formats of other programs; dsl/formats/order_file.h reads
// them. Variables are numbered as in the model.
#pragma once

#include "codegen/plan/program/table_program.h"

#include <string>

namespace mpf {

/// toulbar2's .order: all variables on one line, from 0, last eliminated first. Variables that are
/// in no table (observed, extent 1) come last.
std::string printOrder(const TableProgram &program);

/// PACE's .td: one bag per variable, its bucket when the plan's inputs are eliminated in its order;
/// the bags of different components are linked. Variables and bags from 1.
std::string printDecomposition(const TableProgram &program);

} // namespace mpf
