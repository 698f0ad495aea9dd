// The order in which the warps of a team do their work, and the places of messages in memory.
//
// A team is a block that answers 32 cases, one in each lane of its warps. Its work is a list of
// *tasks*: a step of the program, the writing of an output, ... A task consists of *tiles*; one
// warp does one tile at a time. Tasks of a *stage* do not depend on each other: their tiles are
// dealt to the warps, which wait for each other between stages.
//
// The stages are levels of the elimination tree, like the levels of the Clique Collector within a
// block (ICPP'10 section 4.2; codegen/PAPERS.md). Each task is as late as its readers allow, so
// that messages are short-lived.
//
// A message stores each entry for 32 cases side by side. It is *near*, in shared memory, or, if it
// is too large, *far*, in device memory that belongs to the block.
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
  Operation, ///< step `index`, the last one that a tile does in one go
  Weights,   ///< copies table `index`, the weights of the cases, to the arena
  Rescale,   ///< rescales table `index`, whose greatest entry its tiles have found
  Output,    ///< writes output `index`
  Decode     ///< runs the traceback
};

struct TeamTask {
  TeamTaskKind kind = TeamTaskKind::Gather;
  uint32_t index = 0;
  uint32_t message = 0; ///< the table that is written, if any
  uint32_t stage = 0;
  uint64_t tiles = 1;
  double cycles = 0; ///< predicted cycles of a tile
  TeamTile tile;     ///< Operation only
};

/// The number of entries that one tile copies or rescales.
inline constexpr uint64_t kTeamStretch = 32;

struct TeamPlace {
  static constexpr uint64_t kNone = UINT64_MAX;
  uint64_t offsetElems = kNone; ///< counted in entries of one case
  bool far = false;
};

struct TeamSchedule {
  std::vector<TeamTask> tasks; ///< by stage; the longest tasks of a stage first
  uint32_t stages = 0;
  std::vector<TeamPlace> messages; ///< by table: messages and weights
  /// Near places, by table. `exponents`: one entry, the exponent of each lane, for tables with
  /// LinearPlan::hasExponent. `maxima`: the greatest entry that each warp found, for tables that a
  /// Rescale task follows.
  std::vector<TeamPlace> exponents, maxima;
  TeamPlace left; ///< by warp: whether it saw an entry that is too small
  uint64_t nearElems = 0, farElems = 0;
};

struct NearLimits {
  uint64_t elems = UINT64_MAX;        ///< entries of one case in shared memory, in total
  uint64_t messageElems = UINT64_MAX; ///< entries of one message
};

/// Schedules the `operations` of the program (fuseOperations) for a team of `warps` warps. Messages
/// are near as far as the limits allow, small ones before large ones. Returns nothing if not even
/// the data that must be near fits. Deterministic.
std::optional<TeamSchedule> scheduleTeam(const LaneProgram &program, const LinearPlan &plan,
                                         const std::vector<FusedOperation> &operations,
                                         uint64_t warps, const NearLimits &limits);

} // namespace mpf
