#include "codegen/emit/lanes/teams/emit_teams.h"

#include "codegen/emit/lanes/lane_kernel_parts.h"
#include "codegen/emit/lanes/teams/inline_products.h"
#include "codegen/emit/lanes/teams/team_text.h"
#include "codegen/emit/lanes/teams/team_writer.h"

#include <algorithm>
#include <limits>

namespace mpf {

namespace {

constexpr uint64_t kMostWarps = 16, kMostBlocks = 4;

/// Returns the statements for the rows that cases pick. Their number does not depend on how
/// operations are fused.
uint64_t rowStatements(const LaneProgram &program) {
  uint64_t rows = 0;
  for (const LaneStep &step : program.steps)
    rows += std::holds_alternative<LaneGather>(step) ? 1 : 0;
  return kTeamStretch * rows;
}

uint64_t statementsOf(const TeamSchedule &schedule) {
  uint64_t statements = 0;
  for (const TeamTask &task : schedule.tasks)
    statements += task.kind == TeamTaskKind::Operation
                      ? task.tile.entries() * (task.tile.operation.slots.operands.size() + 2)
                      : kTeamStretch;
  return statements;
}

/// A division of shared memory: the blocks of a multiprocessor, and the entries of a block that its
/// messages leave for tables.
struct Division {
  TeamSchedule schedule;
  uint64_t blocks = 1, warps = kMostWarps, tableElems = 0;
};

/// Divides a multiprocessor among as many blocks as leave room for the messages, but no more than
/// kMostBlocks, which keep all schedulers busy.
std::optional<Division> divide(const LaneProgram &program, const LinearPlan &plan, ElementType type,
                               const std::vector<FusedOperation> &operations,
                               const TeamKernelLimits &limits, uint64_t pickedElems,
                               uint64_t wordElems) {
  std::optional<Division> best;
  for (uint64_t blocks = 1; blocks <= kMostBlocks; ++blocks) {
    const uint64_t bytes =
        std::min(limits.sharedBytes, limits.sharedBytesPerSm / blocks - kSystemBlockBytes);
    if (bytes / elementBytes(type) <= wordElems)
      break;
    const uint64_t elems = bytes / elementBytes(type) - wordElems;
    Division one;
    one.blocks = blocks;
    one.warps = std::max<uint64_t>(kMostWarps / blocks, kMostWarps / 4);
    std::optional<TeamSchedule> schedule = scheduleTeam(
        program, plan, operations, one.warps, {elems / kTeamLanes, limits.nearMessageElems});
    if (!schedule)
      break;
    one.schedule = std::move(*schedule);
    one.tableElems = elems - one.schedule.nearElems * kTeamLanes;
    // More blocks must not push messages or many table entries out of shared memory.
    if (best &&
        (one.schedule.farElems > best->schedule.farElems ||
         std::min(one.tableElems, pickedElems) < std::min(best->tableElems, pickedElems) * 3 / 4))
      break;
    best = std::move(one);
  }
  return best;
}

} // namespace

TeamKernelLimits teamKernelLimits(const Target &target) {
  TeamKernelLimits limits;
  limits.sharedBytes = target.sharedBytesPerBlock;
  limits.sharedBytesPerSm = target.sharedBytesPerSm;
  return limits;
}

std::optional<LaneKernel> emitTeams(const LaneProgram &given, const LinearPlan &plan,
                                    ElementType type, const TeamKernelLimits &limits) {
  if (rowStatements(given) > limits.statements)
    return std::nullopt; // before it is planned
  const LaneProgram program = inlineProducts(given, plan.rescaled, type);
  const uint64_t vectorElems = laneVectorElems(type);
  const uint64_t pickedElems = placeLaneTables(program, vectorElems, UINT64_MAX).elems;
  LaneKernel kernel;
  describeLaneKernel(program, plan, kernel);
  const uint64_t wordElems =
      kernel.wordCount() * kTeamLanes * sizeof(uint32_t) / elementBytes(type);
  const std::optional<Division> division =
      divide(program, plan, type, fuseOperations(program, plan.rescaled, type), limits, pickedElems,
             wordElems);
  if (!division)
    return std::nullopt;
  const uint64_t statements = statementsOf(division->schedule);
  if (statements > limits.statements)
    return std::nullopt;
  const TeamSchedule &schedule = division->schedule;
  const TeamImage image = placeTeamTables(program, schedule, vectorElems,
                                          division->tableElems / vectorElems * vectorElems);
  constexpr uint64_t kNumbered = std::numeric_limits<int32_t>::max();
  if (schedule.farElems > kNumbered / kTeamLanes || image.elems > kNumbered)
    return std::nullopt;
  kernel.blockThreads = static_cast<uint32_t>(division->warps * kTeamLanes);
  kernel.blockCases = kTeamLanes;
  kernel.sharedBytes = static_cast<uint32_t>(
      (image.picked.sharedElems + schedule.nearElems * kTeamLanes + wordElems) *
      elementBytes(type));
  kernel.pickedBytes = static_cast<uint32_t>(image.picked.sharedElems * elementBytes(type));
  kernel.image = image.picked.tables;
  kernel.copies = image.copies;
  kernel.imageElems = image.elems;
  kernel.scratchElems = schedule.farElems * kTeamLanes;
  nameLaneKernel(
      kernel, teamText(program, plan, type, schedule, image, kernel, division->blocks, statements));
  return kernel;
}

} // namespace mpf
