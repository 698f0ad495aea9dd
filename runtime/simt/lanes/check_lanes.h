// Runs kernels of lanes on random cases in the SIMT checker. Reports faults of their accesses,
// wrong answers, and assignments that are not the best. Answers are compared with exact single
// cases (runtime/execute/lanes/wide_lanes.h).
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

/// Returns random cases for a program: variables observed or not, and weights with zeros. Odd seeds
/// give weights of very different magnitudes.
CaseBlock randomCases(const LaneProgram &program, uint32_t count, uint64_t seed);

/// The findings about one launch.
struct LaneCheck {
  std::vector<KernelProblem> faults;
  std::vector<uint32_t> left; ///< cases that the kernel left to wide numbers, ascending
  /// The states that the kernel chose, as LaneMemory::states; empty: the program decodes none.
  std::vector<uint32_t> states;
  uint64_t compared = 0; ///< cases with answers
};

/// Checks a kernel of the program, `compiled` from its emitted or an edited text. `program` has all
/// its values and a linear plan; its type is F32 or F64. Not thread-safe.
LaneCheck checkLanes(Program &compiled, const LaneProgram &program, const LaneKernel &kernel,
                     const CaseBlock &block);
/// Checks the table-driven teams on the program.
LaneCheck checkTeams(Program &compiled, const LaneProgram &program, const CaseBlock &block,
                     const TeamRun &run);

/// Adds faults to `check` where its kernel is worse than the one that mpf emits. `emitted` is that
/// kernel's check on the same cases. Worse are: cases left to wide numbers and, in f64, another one
/// of several best assignments.
void compareWithEmitted(const LaneProgram &program, const LaneCheck &emitted, LaneCheck &check);

} // namespace mpf::simt
