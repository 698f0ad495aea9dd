// Proposes storage orders for the tables of one operation. The planner weighs their gain against
// the loss of other operations that read or write these tables
// (codegen/plan/passes/pass_lay_out_tables.h).
#pragma once

#include "codegen/plan/program/device_costs.h"

#include <vector>

namespace mpf {

/// Returns the layouts of codegen/kernel/form/choose_layouts.h for all tables of the operation:
/// with the result free, with the stored order of the result, and with that of the largest operand.
/// Variables that occur in the same tables become one digit, in the global order unless a table
/// fixes it. Sliced variables come first in every order, as in scopes.
std::vector<LayoutCandidate> layoutCandidates(const TableProgram &program, OpId operation);

} // namespace mpf
