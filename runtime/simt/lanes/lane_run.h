// Runs the CUDA text of kernels of lanes in the SIMT checker, with the memory that the runtime
// gives them (runtime/execute/gpu/lanes): codes, weights, shared tables, results.
#pragma once

#include "codegen/bundle/lanes/lane_kernel.h"
#include "codegen/bundle/lanes/lane_program.h"
#include "codegen/bundle/lanes/linear_plan.h"
#include "codegen/bundle/lanes/team_program.h"
#include "dsl/support/cases/case_block.h"
#include "runtime/execute/lanes/lane_launch.h"
#include "runtime/simt/simt_check.h"

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace mpf::simt {

/// The memory that a launch for all cases of a block reads and writes, with the names of
/// lane_kernel.h. T: float or double.
template <class T> struct LaneMemory {
  LaneMemory(const LaneProgram &program, const CommonTables &common, const LinearPlan &plan,
             const LaneKernel &kernel, const CaseBlock &block);

  /// Returns the memory that the launch wrote.
  LaneResults<T> written() const {
    return {pitch, results.data(), exponents.data(), states.data()};
  }

  uint32_t count = 0; ///< cases
  uint64_t pitch;     ///< greater than `count`
  std::vector<uint32_t> codes;
  std::vector<T> weights, image, results;
  std::vector<int32_t> exponents;
  std::vector<uint32_t> states;
};

/// Compiles the text of a kernel of one program. Throws as HostLibrary.
std::unique_ptr<Program> compileLanes(const std::string &source, const std::string &name,
                                      ElementType type);
/// Compiles the text of the table-driven kernels of teams.
std::unique_ptr<Program> compileTeams(const std::string &source);

/// The memory of the messages of a table-driven team.
enum class TeamArena { Shared, Global };

struct TeamRun {
  TeamArena arena = TeamArena::Shared;
  uint64_t lanes = kCasesOfTeam; ///< cases of a team
};

/// Runs a kernel in two blocks, which take case after case.
template <class T>
Report runLanes(Program &compiled, const LaneKernel &kernel, LaneMemory<T> &memory);
/// Runs two teams of three warps, which take case after case.
template <class T>
Report runTeams(Program &compiled, TeamProgram &team, const LinearPlan &plan, LaneMemory<T> &memory,
                const TeamRun &run);

} // namespace mpf::simt
