// How one operation would have its tables stored: what the planner weighs against those of the
// other operations that read or write them (codegen/plan/passes/pass_lay_out_tables.h).
#pragma once

#include "codegen/plan/program/device_costs.h"

#include <vector>

namespace mpf {

/// The layouts of codegen/kernel/form/choose_layouts.h for all tables of the operation: with the
/// result free, as the result is stored, and as the largest operand is. Variables that occur in the
/// same tables become one digit, in the global order unless a table fixes it. Sliced variables come
/// first in every order, as scopes have them.
std::vector<LayoutCandidate> layoutCandidates(const TableProgram &program, OpId operation);

} // namespace mpf
