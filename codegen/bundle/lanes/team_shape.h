// Spreads cases over the multiprocessors of a GPU for the table-driven kernels of teams. Launches
// and the predictions of their times share this rule.
#pragma once

#include "dsl/support/semiring.h"

#include <cstdint>

namespace mpf {

/// Cases that the threads of a block answer together, one in each lane of a warp.
inline constexpr uint64_t kCasesOfTeam = 32;
/// The least number of cases of a team. A memory access brings this many F64 entries side by side.
inline constexpr uint64_t kLeastTeamLanes = 4;

/// Whether `arenaElems` entries of each of `lanes` cases fit the shared memory that a block of the
/// device may have, beside the arrays that its kernel declares.
bool fitsShared(uint64_t arenaElems, uint64_t lanes, ElementType type,
                uint64_t sharedBytesPerBlock);

/// Returns the greatest number of cases of a team whose messages fit shared memory; 0 if not even
/// the smallest team fits.
uint64_t sharedTeamLanes(uint64_t arenaElems, ElementType type, uint64_t sharedBytesPerBlock);

/// The resources of a device for the teams of a program.
struct TeamRoom {
  uint64_t multiprocessors = 1;
  uint64_t sharedLanes = 0;  ///< sharedTeamLanes
  uint64_t fittingCases = 0; ///< cases whose messages fit the device's memory at the same time
};

struct TeamShape {
  uint64_t lanes = kCasesOfTeam; ///< cases of a team
  uint64_t teams = 1;
  uint64_t warps = 1;    ///< of a team
  uint64_t blocks = 1;   ///< teams at the same time; 0: the memory has no room for one
  bool isShared = false; ///< messages lie in shared memory

  uint64_t casesAtOnce() const { return blocks * lanes; }
};

/// Returns the number of cases of a team for `cases` cases in all. Teams are smaller, down to
/// kLeastTeamLanes, if that gives more multiprocessors a team. Then a warp computes several tiles
/// at a time.
uint64_t teamLanes(uint64_t cases, uint64_t multiprocessors);

/// Returns the shape for `cases` cases, at least one. `warps` is the number of warps of a team if
/// there are many teams. If cases or memory allow few teams only, they share all warps. If device
/// memory fits fewer than `cases` cases at a time, teams have the lanes that suit those.
TeamShape teamShape(uint64_t cases, uint64_t warps, const TeamRoom &room);

} // namespace mpf
