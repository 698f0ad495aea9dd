#include "codegen/bundle/lanes/team_shape.h"

#include "codegen/bundle/lanes/team_work.h"

#include <algorithm>

namespace mpf {

uint64_t teamLanes(uint64_t cases, uint64_t multiprocessors) {
  uint64_t lanes = kCasesOfTeam;
  while (lanes > kLeastTeamLanes && 2 * ((cases + lanes - 1) / lanes) <= multiprocessors)
    lanes /= 2;
  return lanes;
}

bool fitsShared(uint64_t arenaElems, uint64_t lanes, ElementType type,
                uint64_t sharedBytesPerBlock) {
  constexpr uint64_t kDeclaredBytes = kMostTeamWarps * kCasesOfTeam * sizeof(double) + 1024;
  return arenaElems * lanes * elementBytes(type) + kDeclaredBytes <= sharedBytesPerBlock;
}

uint64_t sharedTeamLanes(uint64_t arenaElems, ElementType type, uint64_t sharedBytesPerBlock) {
  uint64_t lanes = kCasesOfTeam;
  while (lanes >= kLeastTeamLanes && !fitsShared(arenaElems, lanes, type, sharedBytesPerBlock))
    lanes /= 2;
  return lanes < kLeastTeamLanes ? 0 : lanes;
}

TeamShape teamShape(uint64_t cases, uint64_t warps, const TeamRoom &room) {
  TeamShape shape;
  shape.lanes = teamLanes(cases, room.multiprocessors);
  shape.isShared = shape.lanes <= room.sharedLanes;
  if (!shape.isShared)
    shape.lanes = teamLanes(std::min(cases, room.fittingCases), room.multiprocessors);
  shape.isShared = shape.lanes <= room.sharedLanes;
  shape.teams = (cases + shape.lanes - 1) / shape.lanes;
  shape.warps = shape.isShared ? kMostTeamWarps : warps;
  const auto blocksOf = [&](uint64_t warpsOfTeam) {
    const uint64_t resident =
        room.multiprocessors * (shape.isShared ? 1 : residentTeams(warpsOfTeam));
    const uint64_t fitting = shape.isShared ? resident : room.fittingCases / shape.lanes;
    return std::min({shape.teams, resident, fitting});
  };
  while (shape.warps < kMostTeamWarps &&
         blocksOf(shape.warps) <= room.multiprocessors * residentTeams(2 * shape.warps))
    shape.warps *= 2;
  shape.blocks = blocksOf(shape.warps);
  return shape;
}

} // namespace mpf
