// How the table-driven kernels of teams lay cases over the multiprocessors of a GPU: what a launch
// does, and what predicts its time.
#pragma once

#include "dsl/support/semiring.h"

#include <cstdint>

namespace mpf {

/// Cases that the threads of a block answer together, one in each lane of a warp.
inline constexpr uint64_t kCasesOfTeam = 32;
/// At least: of F64, such entries side by side are what a memory access brings.
inline constexpr uint64_t kLeastTeamLanes = 4;

/// Whether so many entries of each of `lanes` cases lie in the shared memory that a block of the
/// device may have, beside what its kernel declares.
bool fitsShared(uint64_t arenaElems, uint64_t lanes, ElementType type,
                uint64_t sharedBytesPerBlock);

/// The most cases of a team whose messages do; 0: not even those of the smallest team.
uint64_t sharedTeamLanes(uint64_t arenaElems, ElementType type, uint64_t sharedBytesPerBlock);

/// What a device has for the teams of a program.
struct TeamRoom {
  uint64_t multiprocessors = 1;
  uint64_t sharedLanes = 0;  ///< sharedTeamLanes
  uint64_t fittingCases = 0; ///< whose messages fit the device's memory at the same time
};

struct TeamShape {
  uint64_t lanes = kCasesOfTeam; ///< cases of a team
  uint64_t teams = 1;
  uint64_t warps = 1;    ///< of a team
  uint64_t blocks = 1;   ///< teams at the same time; 0: the memory has no room for one
  bool isShared = false; ///< messages lie in shared memory

  uint64_t casesAtOnce() const { return blocks * lanes; }
};

/// Cases of a team where there are `cases` in all: fewer, down to kLeastTeamLanes, where that gives
/// more multiprocessors a team. Then a warp computes several tiles at a time.
uint64_t teamLanes(uint64_t cases, uint64_t multiprocessors);

/// For `cases`, at least one. `warps`: of a team where there are many; few teams, by the cases or
/// by the memory, have all the warps that are left. Fewer cases than that many fit the memory at a
/// time are spread over the multiprocessors as if there were no more.
TeamShape teamShape(uint64_t cases, uint64_t warps, const TeamRoom &room);

} // namespace mpf
