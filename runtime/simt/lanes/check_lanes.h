// Runs kernels of lanes on random cases in the SIMT checker and reports faults of their accesses
// and wrong answers, held against exact single cases (runtime/execute/lanes/wide_lanes.h), and
// assignments that are not the best.
#pragma once

#include "codegen/bundle/lanes/lane_kernel.h"
#include "codegen/bundle/lanes/lane_program.h"
#include "dsl/support/cases/case_block.h"
#include "runtime/simt/kernel_problem.h"
#include "runtime/simt/lanes/lane_run.h"

#include <cstdint>
#include <string>
#include <vector>

namespace mpf::simt {

/// Cases of every kind for a program: observed or not, weights with zeros, and of odd seeds with
/// magnitudes that are far apart.
CaseBlock randomCases(const LaneProgram &program, uint32_t count, uint64_t seed);

/// What one launch did.
struct LaneCheck {
  std::vector<KernelProblem> faults;
  std::vector<uint32_t> left; ///< cases that the kernel left to wide numbers, ascending
  /// The states that it chose, as LaneMemory::states; empty: the program decodes none.
  std::vector<uint32_t> states;
  uint64_t compared = 0; ///< cases with answers
};

/// By a kernel of the program, `compiled` from its text or from one that somebody edited. `program`
/// has all its values and a linear plan; its type is F32 or F64. Not thread-safe.
LaneCheck checkLanes(Program &compiled, const LaneProgram &program, const LaneKernel &kernel,
                     const CaseBlock &block);
/// By table-driven teams.
LaneCheck checkTeams(Program &compiled, const LaneProgram &program, const CaseBlock &block,
                     const TeamRun &run);

/// Adds to `check` what it does worse than the kernel that mpf emits did on the same cases, in
/// `emitted`: cases that it leaves and, in f64, another one of several best assignments.
void compareWithEmitted(const LaneProgram &program, const LaneCheck &emitted, LaneCheck &check);

} // namespace mpf::simt
