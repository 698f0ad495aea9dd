// A lane program as data for the table-driven kernels of teams
// (codegen/emit/preamble/mpf_teams.cuh): the policy tables of the Gems chapter, with the case as
// the innermost digit. One kernel runs any program, so nothing is compiled.
#pragma once

#include "codegen/bundle/lanes/lane_kernel.h"
#include "codegen/bundle/lanes/lane_program.h"
#include "codegen/bundle/lanes/linear_plan.h"
#include "codegen/bundle/lanes/team_lists.h"
#include "codegen/bundle/lanes/team_shape.h"
#include "codegen/bundle/lanes/team_work.h"

#include <cstdint>
#include <string>
#include <vector>

namespace mpf {

enum class TeamStepKind : int32_t { Gather, Sum, Max, Weights, Output, Decode, Indicator };
inline constexpr int32_t kTeamRescales = 1, kTeamWaits = 2, kTeamNormalises = 4;

/// One step. The meaning of the fields depends on its kind:
/// - Gather: a row of `kept` entries from image[reduced] on; its parts are codes.
/// - Indicator: the `kept` states that its only part, a code, allows.
/// - Weights: `kept` rows of weights from number `reduced` on.
/// - Sum, Max: `kept` entries of `reduced` terms, in tiles (team_split.h) over lists of addresses;
///   its parts are operands, the `leftParts` of the left side first.
/// - Output: `kept` entries, at addresses[firstPart ..] in the arena, to results[result ..];
///   `reduced` is the number of its exponent, or -1.
/// - Decode: variable `result` of `kept` states; its parts are tables.
struct TeamStep {
  TeamStepKind kind = TeamStepKind::Gather;
  int32_t kept = 0, reduced = 0;
  int32_t result = 0; ///< first entry in the arena
  int32_t parts = 0, firstPart = 0;
  int32_t flags = 0;
  int32_t slot = -1; ///< number of the message's exponents; -1: none
  int32_t leftParts = 0, left = 1, right = 1, rest = 1; ///< counts of TeamSplit
  TeamLists lists;
};

/// One part of a step. Its four numbers, in order, depend on the kind of the step:
/// - Sum, Max: `where` the operand is (arena or image); `slot` of its exponents. Others unused.
/// - Gather, Indicator: word of the codes, shift, stride in entries, mask.
/// - Decode: `where`, base, place of (variable, stride) pairs in `addresses`, their number.
struct TeamPart {
  int32_t where = 0, kept = 0, reduced = 0, slot = 0;
};
inline constexpr int32_t kTeamArena = 0, kTeamImage = 1;

struct TeamProgram {
  std::vector<TeamStep> steps;
  std::vector<TeamPart> parts;
  std::vector<int32_t> addresses;
  /// Words of codes, image and results, as kernels of threads have them. Without name and source.
  LaneKernel layout;
  uint64_t arenaElems = 0; ///< of one case: messages, then weights
  uint64_t slotCount = 0;  ///< messages with exponents
  TeamWork work;
};

/// The name of the table-driven kernels' text in caches, dumps and messages: "lane_teams_f64".
std::string teamKernelName(ElementType type);

/// Returns the kernels' entry point for messages in shared memory or in device memory. Device
/// memory has two entry points: for teams of kCasesOfTeam cases (team_shape.h), and for fewer.
constexpr const char *teamEntry(bool isShared, uint64_t lanes) {
  return isShared                ? "mpf_team_shared"
         : lanes == kCasesOfTeam ? "mpf_team_global"
                                 : "mpf_team_global_few";
}

/// Builds the data. Throws Error(MemoryBound) for programs whose arena or image has 2^31 entries or
/// more, or that have so many addresses.
TeamProgram buildTeamProgram(const LaneProgram &program, const LinearPlan &plan);

} // namespace mpf
