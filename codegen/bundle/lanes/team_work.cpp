#include "codegen/bundle/lanes/team_work.h"

#include "codegen/bundle/lanes/team_split.h"

#include <cmath>

namespace mpf {

namespace {

constexpr double kEntryInstructions = 12; ///< of an entry that is picked
/// The factor of waits for maxima, and for sums of three or more operands. Each load waits for the
/// load of its address, and one operand for the other (mpfTeamAnyProduct). It was measured on best
/// assignments to diabetes and munin1 on an H200.
constexpr double kAnyLoadWaits = 3;
/// The instructions that a warp could issue while its team goes from one step to the next. In that
/// time it waits for the other warps, reads the step and does its first loads.
constexpr double kStepInstructions = 600;
/// The share of a team's instructions that waiting may cost.
constexpr double kWaitingShare = 0.5;
constexpr uint64_t kLeastWarps = 2;

void addOperation(const LaneOperation &operation, TeamWork &work) {
  const TeamSplit split = splitTeamOperation(operation);
  const double instructions = teamTileInstructions(operation, split);
  const auto tiles = static_cast<double>(split.tiles());
  work.instructions += tiles * instructions;
  work.longest += instructions;
  work.loadedElems += tiles * static_cast<double>(operation.reducedAddresses()) * split.tileLoads();
  work.storedElems += static_cast<double>(operation.keptAddresses());
  const bool isSumOfTwo =
      operation.operands.size() == 2 && operation.semiring.reduce == Reduce::Sum;
  work.shares.push_back({tiles, static_cast<double>(operation.reducedAddresses()) *
                                    split.tileLoads() * (isSumOfTwo ? 1 : kAnyLoadWaits)});
}

} // namespace

TeamWork teamWork(const LaneProgram &program) {
  TeamWork work;
  work.steps = program.steps.size();
  for (const LaneStep &step : program.steps) {
    if (const auto *operation = std::get_if<LaneOperation>(&step)) {
      addOperation(*operation, work);
      continue;
    }
    const auto entries =
        static_cast<double>(program.tables[std::get<LaneGather>(step).message].sizeElems);
    work.instructions += kEntryInstructions * entries;
    work.longest += kEntryInstructions;
    work.loadedElems += entries;
    work.storedElems += entries;
    work.shares.push_back({entries, 1});
  }
  for (const LaneTraceback &decoded : program.traceback)
    work.decodedStates += program.variables[decoded.variable.index()].extent;
  return work;
}

double TeamWork::busiestWaits(uint64_t workers) const {
  double waits = 0;
  for (const Shares &step : shares)
    waits += std::ceil(step.count / static_cast<double>(workers)) * step.waits;
  return waits;
}

uint64_t teamWarps(const TeamWork &work) {
  const double waiting = kStepInstructions * static_cast<double>(work.steps) + work.longest;
  uint64_t warps = kMostTeamWarps;
  while (warps > kLeastWarps &&
         static_cast<double>(warps) * waiting > kWaitingShare * work.instructions)
    warps /= 2;
  return warps;
}

} // namespace mpf
