// Runs the table-driven kernels on a program in the SIMT checker, level by level. Reports faults of
// their accesses and results that differ from those of the CPU.
#pragma once

#include "codegen/bundle/bundle.h"
#include "runtime/schedule/launches/join_levels.h"
#include "runtime/simt/kernel_problem.h"
#include "runtime/simt/simt_check.h"

#include <string>
#include <vector>

namespace mpf::simt {

/// A fault with the entry point of its launch.
struct TableProblem {
  std::string kernel;
  KernelProblem problem;
};

/// Checks the kernels that compileTableDriven compiled for the type of the bundle and its packed
/// inputs. The bundle has a table for every input, values of one sign, no slices, and at most one
/// best assignment to decode. `joins`: whether levels share launches whose blocks wait for each
/// other. Not thread-safe.
std::vector<TableProblem> checkTables(Program &compiled, const Bundle &bundle, JoinLevels joins);

} // namespace mpf::simt
