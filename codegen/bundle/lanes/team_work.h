// Counts the work of the table-driven kernels of teams for a lane program, and chooses the number
// of warps of a team.
#pragma once

#include "codegen/bundle/lanes/lane_program.h"

#include <cstdint>
#include <vector>

namespace mpf {

/// The work of a team for 32 cases, one in each lane of its warps.
struct TeamWork {
  uint64_t steps = 0;
  double instructions = 0; ///< predicted instructions that its warps issue
  double longest = 0; ///< the sum over steps of the instructions of one share: a tile or an entry
  double loadedElems = 0, storedElems = 0; ///< entries of each case
  /// The shares of a step: the number of tiles or entries that are dealt to workers, and the time
  /// that a worker waits for one of them. The unit of time is a load of a sum of two operands.
  struct Shares {
    double count = 0, waits = 0;
  };
  std::vector<Shares> shares; ///< by step
  double decodedStates = 0;   ///< states that one worker looks at, one after the other

  /// Returns the waits of the busiest of `workers` workers.
  double busiestWaits(uint64_t workers) const;
};

TeamWork teamWork(const LaneProgram &program);

/// The greatest number of warps of a team; registers allow a multiprocessor this many at a time.
inline constexpr uint64_t kMostTeamWarps = 16;

/// Returns the warps of a team if there are many teams, a power of two. With more warps to a team a
/// multiprocessor works on fewer messages at a time. With too many, warps mostly wait for each
/// other.
uint64_t teamWarps(const TeamWork &work);

/// Returns the number of teams of `warps` warps that a multiprocessor holds at a time.
inline uint64_t residentTeams(uint64_t warps) { return kMostTeamWarps / warps; }

} // namespace mpf
