// What operations take of the launches of levels, when the table-driven kernels run them.
//
// An operation that several blocks share needs a launch for its level
// (runtime/schedule/launch_plan.h): blocks do not wait for each other. The operations of a level
// share it. Smaller ones stand in one block with what depends on them, and need none.
#pragma once

#include "codegen/plan/program/table_program.h"

#include <vector>

namespace mpf {

/// Microseconds for each operation of the program. Levels are those of the longest path from the
/// inputs, among the operations that run.
std::vector<double> levelLaunchUs(const TableProgram &program);

} // namespace mpf
