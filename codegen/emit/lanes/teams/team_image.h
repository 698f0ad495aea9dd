// Places the shared tables of a team's kernel in device memory. First come the tables that cases
// pick rows of, as in kernels of threads. Then come copies of the tables that tiles multiply by,
// each in the order in which its tiles read it.
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
  uint64_t elems = 0;                 ///< entries of all tables and copies
};

/// Places the tables. `mostSharedElems` bounds the entries of picked tables in shared memory.
TeamImage placeTeamTables(const LaneProgram &program, const TeamSchedule &schedule,
                          uint64_t vectorElems, uint64_t mostSharedElems);

} // namespace mpf
