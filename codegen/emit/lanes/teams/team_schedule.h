// When the warps of a team compute what, and where messages lie.
//
// A team is a block that answers 32 cases, one in each lane of its warps. Its work is a list of
// *tasks* (a step of the program, the writing of an output, ...), each of some *tiles*, which are
// what one warp does. Tasks of a *stage* do not depend on each other: their tiles are dealt to the
// warps, which wait for each other between stages. The stages are levels of the elimination tree,
// each task as late as what reads it allows, so that messages are short-lived (the levels of the
// Clique Collector, ICPP'10 section 4.2, within a block; codegen/PAPERS.md).
//
// A message keeps the values of an entry for 32 cases side by side. It is *near*, in shared memory,
// or *far*, in device memory of the block's own, where it is too large.
#pragma once

#include "codegen/bundle/lanes/lane_program.h"
#include "codegen/bundle/lanes/linear_plan.h"
#include "codegen/emit/lanes/teams/fuse_operations.h"

#include <cstdint>
#include <optional>
#include <vector>

namespace mpf {

enum class TeamTaskKind {
  Gather,    ///< step `index`
  Operation, ///< step `index`, the last of what a tile does in one go
  Weights,   ///< brings table `index`, the weights of the cases, to the arena
  Rescale,   ///< of table `index`, whose tiles have found the greatest entry
  Output,    ///< number `index`
  Decode     ///< the traceback
};

struct TeamTask {
  TeamTaskKind kind = TeamTaskKind::Gather;
  uint32_t index = 0;
  uint32_t message = 0; ///< the table that is written, if any
  uint32_t stage = 0;
  uint64_t tiles = 1;
  double cycles = 0; ///< of a tile, about
  TeamTile tile;     ///< of an Operation
};

/// Entries of tables that are copied or rescaled by one tile.
inline constexpr uint64_t kTeamStretch = 32;

struct TeamPlace {
  static constexpr uint64_t kNone = UINT64_MAX;
  uint64_t offsetElems = kNone; ///< in entries of a case
  bool far = false;
};

struct TeamSchedule {
  std::vector<TeamTask> tasks; ///< by stage, within one the longest first
  uint32_t stages = 0;
  std::vector<TeamPlace> messages; ///< by table: messages and weights
  /// By table, near: its exponent in each lane, one entry, where LinearPlan::hasExponent; the
  /// greatest entry that each warp found, where a Rescale follows.
  std::vector<TeamPlace> exponents, maxima;
  TeamPlace left; ///< by warp: whether it saw an entry that is too small
  uint64_t nearElems = 0, farElems = 0;
};

struct NearLimits {
  uint64_t elems = UINT64_MAX; ///< of a case, of everything that is near
  uint64_t messageElems = UINT64_MAX;
};

/// `operations`: of the program (fuseOperations). `warps` of a team. Messages are near as far as
/// the limits go, the small ones before the large. Nothing when not even what must be near fits.
/// Deterministic.
std::optional<TeamSchedule> scheduleTeam(const LaneProgram &program, const LinearPlan &plan,
                                         const std::vector<FusedOperation> &operations,
                                         uint64_t warps, const NearLimits &limits);

} // namespace mpf
