// The slices of a loop that threads compute side by side (spread_slices.h): HostExecutor,
// continued.
#include "codegen/bundle/private_tables.h"
#include "dsl/support/check.h"
#include "dsl/support/system/watched_call.h"
#include "runtime/execute/host/claim_memory.h"
#include "runtime/execute/host/host_executor.h"

#include <algorithm>
#include <memory>
#include <set>

namespace mpf {

/// Finds the loops whose slices are computed side by side, once.
void HostExecutor::findLoopsAtOnce() {
  if (knowsLoops_)
    return;
  knowsLoops_ = true;
  const OperationNs oneThreadNs = [this](uint32_t index) { return operationNs(index); };
  for (const SpreadLoop &loop : spreadSlices(bundle_, oneThreadNs, pool_.threadCount(), spread_))
    if (mayTouch(loop.arenas.count * loop.arenas.eachBytes))
      loopsAtOnce_.push_back(makeLoopAtOnce(loop.arenas));
}

HostExecutor::LoopAtOnce HostExecutor::makeLoopAtOnce(const SliceArenas &arenas) const {
  const std::vector<uint32_t> owners = owningLoops(bundle_);
  const auto isInside = [&](uint32_t loop) { return bundle_.loops.contains(arenas.loop, loop); };
  const PrivateTables own(bundle_, owners, arenas.loop);
  LoopAtOnce made{arenas.loop, std::vector<TableSet>(arenas.count, tables_), {}};
  for (size_t i = 0; i < bundle_.buffers.size(); ++i)
    if (!bundle_.buffers[i].input && isInside(owners[i]))
      for (size_t arena = 0; arena < arenas.count; ++arena)
        made.further[arena].entries[i] = work_.data() + arenas.firstBytes +
                                         arena * arenas.eachBytes +
                                         own.placeOf(bundle_.buffers[i].offsetBytes);
  std::set<uint32_t> outside;
  for (const BundleOperation &operation : bundle_.operations)
    if (isInside(operation.loop))
      for (const BundleAccess &operand : operation.operands)
        if (!isInside(owners[operand.buffer.index()]))
          outside.insert(operand.buffer.value);
  for (const uint32_t buffer : outside)
    made.fromOutside.emplace_back(buffer);
  return made;
}

/// Returns the loop, if its slices are computed side by side; else null.
HostExecutor::LoopAtOnce *HostExecutor::loopAtOnce(uint32_t loop) {
  const auto known = std::ranges::find(loopsAtOnce_, loop, &LoopAtOnce::loop);
  return known == loopsAtOnce_.end() ? nullptr : &*known;
}

/// Runs all slices of a loop. `states` are those of the loops around it.
void HostExecutor::runAtOnce(LoopAtOnce &loop, std::span<const ScheduleStep> body,
                             const SliceStates &states) {
  const auto sums = static_cast<size_t>(std::ranges::count_if(
      body, [&](const ScheduleStep &step) { return isSum(step, loop.loop); }));
  const VarId variable = bundle_.sliced[loop.loop - 1];
  SliceTurns turns(bundle_.variables[variable.index()].extent, sums);
  tables_.slice = states;
  for (size_t i = 0; i < loop.further.size(); ++i) {
    for (const BufferId buffer : loop.fromOutside)
      loop.further[i].states[buffer.index()] = tables_.states[buffer.index()];
    loop.further[i].best = tables_.best;
    seatTables_[i + 1] = &loop.further[i];
  }
  awake_ = 1; // a slice is for one thread
  const auto leave = [this](void *) {
    awake_ = 0;
    std::fill(seatTables_.begin(), seatTables_.end(), &tables_);
  };
  const std::unique_ptr<void, decltype(leave)> atEnd(this, leave);
  pool_.run(loop.further.size() + 1, [&](size_t seat, size_t worker) {
    while (const std::optional<uint32_t> slice = turns.take())
      try {
        runSlice(body, states, loop.loop, *slice, seat, worker, turns);
      } catch (...) {
        turns.fail(*slice);
      }
  });
  turns.rethrow();
}

/// Runs one slice on one thread. Ends early when an earlier slice has failed.
void HostExecutor::runSlice(std::span<const ScheduleStep> body, const SliceStates &states,
                            uint32_t loop, uint32_t slice, size_t seat, size_t worker,
                            SliceTurns &turns) {
  TableSet &tables = tablesOf(seat);
  SliceStates own = states;
  own[loop - 1] = slice;
  size_t sum = 0;
  bool isOver = false;
  walkLoops(
      body, bundle_, {}, own,
      [&](std::span<const ScheduleStep> stretch, const SliceStates &now) {
        tables.slice = now;
        for (const ScheduleStep &step : stretch) {
          if (isOver || step.kind != StepKind::Run)
            continue;
          MPF_CHECK(step.device == DeviceId::cpu(), "operation {} is scheduled elsewhere",
                    step.index);
          const BundleOperation &operation = bundle_.operations[step.index];
          if (!operation.accumulates) {
            computeAlone(step.index, seat, worker);
          } else if (operation.loop != loop) {
            accumulate(operation, tables, tables);
          } else if (turns.waitFor(slice, sum)) {
            accumulate(operation, tables, tables_);
            turns.added(sum++);
          } else {
            isOver = true;
          }
        }
      },
      [&isOver](uint32_t, std::span<const ScheduleStep>, const SliceStates &) { return isOver; });
}

/// Runs one operation on one thread.
void HostExecutor::computeAlone(uint32_t index, size_t seat, size_t worker) {
  throwIfCancelled();
  const size_t parts = beginOperation(index, seat);
  if (parts == 0)
    return;
  MPF_CHECK(parts == 1, "operation {} has {} parts for one thread", index, parts);
  runPart(seat, 0, 1, worker);
  endOperation(seat);
}

} // namespace mpf
