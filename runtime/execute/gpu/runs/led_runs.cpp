#include "runtime/execute/gpu/runs/led_runs.h"

#include "codegen/bundle/chain_tables.h"
#include "runtime/execute/host/bind_input.h"
#include "runtime/schedule/launches/build_launch_plan.h"
#include "runtime/schedule/launches/launch_use.h"

#include <array>

namespace mpf {

LedRuns::LedRuns(const CudaDevice &device, const ReplicatedBundle &program, GpuArenas &arenas,
                 const GpuStates &states, GpuLauncher &launcher, RunSetup &setup,
                 const RunPlayer &player, AssumingRuns &assuming)
    : device_(device), program_(program), bundle_(program.bundle), arenas_(arenas), states_(states),
      launcher_(launcher), setup_(setup), player_(player), assuming_(assuming) {}

void LedRuns::beginSlices(bool grouped) {
  assuming_.skip();
  player_.reset(setup_.prepare({grouped, false, true, true, false}));
  launcher_.setSlice(SliceStates(bundle_.sliced.size(), 0));
  resetLoops(0);
}

void LedRuns::enterSlice(const SliceStates &states) {
  const SliceStates before = launcher_.slice();
  launcher_.setSlice(states);
  uint32_t reset = 0;
  // Outer loops come before those inside them. A loop that has ended is back at 0; it runs again
  // only after a loop around it moves on. Siblings may change together: if only one slice runs, the
  // next loop starts at its state in that slice, not at 0.
  for (uint32_t loop = 1; loop <= states.size(); ++loop) {
    if (states[loop - 1] == before[loop - 1] || states[loop - 1] == 0 ||
        (reset != 0 && bundle_.loops.contains(reset, loop)))
      continue;
    resetLoops(loop);
    reset = loop;
  }
}

/// Prepares the operations in `loop` (0: any) and inside it to run again: neutral states, counters
/// at 0, operands at the entries of this slice. The begin of a run resets operations outside of all
/// loops.
void LedRuns::resetLoops(uint32_t loop) {
  std::vector<uint32_t> operations;
  std::vector<size_t> results;
  for (uint32_t i = 0; i < bundle_.operations.size(); ++i) {
    const BundleOperation &operation = bundle_.operations[i];
    if (operation.loop == 0 || !bundle_.loops.contains(loop, operation.loop) ||
        program_.isShifted(i))
      continue;
    operations.push_back(i);
    if (!operation.accumulates)
      results.push_back(operation.result.buffer.index());
  }
  states_.resetTables(results);
  arenas_.moveTo(operations, launcher_.slice());
  states_.resetCounters();
  device_.synchronize(); // the tables change with the next slice
}

void LedRuns::runOperation(uint32_t index, double *timeUs) {
  const GpuPlan &plan = setup_.plan();
  const GpuPlan::DueLaunches &due = plan.due[program_.first[index]];
  if (due.begins)
    nextLaunch_ = due.first;
  const auto launchAll = [&] {
    for (; nextLaunch_ < due.end; ++nextLaunch_)
      launcher_.launch(plan, plan.launches.launches[nextLaunch_]);
  };
  if (timeUs == nullptr)
    return launchAll();
  const CudaEvent begin(device_), end(device_);
  begin.record();
  launchAll();
  end.record();
  device_.synchronize();
  *timeUs += end.microsecondsSince(begin);
}

std::vector<double> LedRuns::runMeasured() {
  const GpuPlan &plan = setup_.prepare(assuming_.next(setup_.operations().canRunAgain()));
  player_.reset(plan);
  std::vector<CudaEvent> events;
  const auto mark = [&] {
    events.emplace_back(device_);
    events.back().record();
  };
  mark();
  for (const Launch &each : plan.launches.launches) {
    launcher_.launch(plan, each);
    mark();
  }
  device_.synchronize();
  if (assuming_.wasWrong(plan, false, states_.read()))
    return runMeasured();
  std::vector<double> operationUs(program_.first.size(), 0);
  for (size_t s = 0; s < plan.launches.launches.size(); ++s) {
    const Launch &each = plan.launches.launches[s];
    const double time = events[s + 1].microsecondsSince(events[s]);
    for (const uint32_t operation : operationsOf(plan.launches, each))
      operationUs[program_.original[operation]] += time / each.count;
  }
  return operationUs;
}

void LedRuns::runStepwise(const StepwiseCalls &calls) {
  assuming_.skip();
  const GpuPlan &plan = setup_.prepare({false, false, true, true, false});
  player_.reset(plan);
  const std::vector<Launch> &launches = plan.launches.launches;
  for (size_t s = 0; s < launches.size(); ++s) {
    if (s == 0 || launches[s - 1].first != launches[s].first)
      calls.before(program_.original[launches[s].first]);
    launcher_.launch(plan, launches[s]);
    if (s + 1 == launches.size() || launches[s + 1].first != launches[s].first) {
      device_.synchronize();
      calls.after(program_.original[launches[s].first]);
    }
  }
}

std::optional<std::vector<std::byte>> LedRuns::tryChain(const BundleChain &given,
                                                        TableState &state) {
  const BundleChain &chain = *chainAt(bundle_, program_.first[given.first]);
  if (!runsWhole(chain, setup_.operations().runs()) ||
      (!bundle_.forcedLog && !hasPlainTables(bundle_) && !launcher_.isExact(chain)))
    return std::nullopt;
  const BundleAccess &result = chainResult(bundle_, chain);
  launcher_.launchChain(chain, WaitPoint::Begin);
  state = states_.read()[result.buffer.index()];
  std::vector<std::byte> bytes = arenas_.startRead(result.buffer, state);
  device_.synchronize();
  const std::array<size_t, 1> again = {result.buffer.index()};
  states_.resetTables(again);
  device_.synchronize();
  return bytes;
}

const char *LedRuns::pathName(uint32_t index) const {
  const uint32_t first = program_.first[index];
  if (launcher_.chained()[first])
    return "chain";
  return bundle_.operations[first].kernel ? "specialised" : "table-driven";
}

} // namespace mpf
