// The shared tables of a team's kernel in device memory: those that cases pick rows of, as for
// threads, and behind them copies of those that tiles multiply by, each in the order of its tiles.
#pragma once

#include "codegen/bundle/lanes/lane_image.h"
#include "codegen/emit/lanes/teams/team_schedule.h"

#include <map>
#include <utility>

namespace mpf {

struct TeamImage {
  LaneImage picked;
  std::vector<LaneImageCopy> copies;
  std::map<std::pair<uint32_t, size_t>, size_t> copyOf; ///< (step, slot): index of a copy
  std::map<uint32_t, size_t> wholeOf; ///< table that the traceback reads: index of a copy
  uint64_t elems = 0;                 ///< of all
};

/// `mostSharedElems`: of the tables that are picked from.
TeamImage placeTeamTables(const LaneProgram &program, const TeamSchedule &schedule,
                          uint64_t vectorElems, uint64_t mostSharedElems);

} // namespace mpf
