// What the table-driven kernels of teams do for a lane program, and how many warps a team has.
#pragma once

#include "codegen/bundle/lanes/lane_program.h"

#include <cstdint>
#include <vector>

namespace mpf {

/// For 32 cases, one in each lane of a team's warps.
struct TeamWork {
  uint64_t steps = 0;
  double instructions = 0; ///< that its warps issue, about
  double longest = 0; ///< the sum over steps of the instructions of one share: a tile or an entry
  double loadedElems = 0, storedElems = 0; ///< entries of each case
  /// By step: what is shared out among workers (tiles or entries), and what a worker waits for one
  /// share, in loads of a sum of two operands.
  struct Shares {
    double count = 0, waits = 0;
  };
  std::vector<Shares> shares;
  double decodedStates = 0; ///< that one worker looks at, one after the other

  /// What the busiest of so many workers waits for.
  double busiestWaits(uint64_t workers) const;
};

TeamWork teamWork(const LaneProgram &program);

/// The most warps of a team: as many as a multiprocessor has at a time, by their registers.
inline constexpr uint64_t kMostTeamWarps = 16;

/// Warps of a team where there are many teams: the more, the fewer messages a multiprocessor works
/// on at a time; but not so many that they mostly wait for each other. A power of two.
uint64_t teamWarps(const TeamWork &work);

/// Teams of so many warps that a multiprocessor has at a time.
inline uint64_t residentTeams(uint64_t warps) { return kMostTeamWarps / warps; }

} // namespace mpf
