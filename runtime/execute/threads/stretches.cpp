#include "runtime/execute/threads/stretches.h"

#include "dsl/support/check.h"

#include <algorithm>

namespace mpf {

namespace {

/// The number of stretches that are kept: a sliced program has several, and so have partial runs of
/// a session.
constexpr size_t kMostStretches = 32;

} // namespace

const TaskStretch &Stretches::next(std::span<const ScheduleStep> steps) {
  TaskStretch &stretch = find(steps);
  spread(stretch);
  return stretch;
}

TaskStretch &Stretches::find(std::span<const ScheduleStep> steps) {
  const auto runs = [](const ScheduleStep &step) { return step.kind == StepKind::Run; };
  const auto isSame = [&](const TaskStretch &stretch) {
    auto next = stretch.operations.begin();
    for (const ScheduleStep &step : steps)
      if (runs(step) && (next == stretch.operations.end() || *next++ != step.index))
        return false;
    return next == stretch.operations.end();
  };
  if (const auto known = std::ranges::find_if(stretches_, isSame); known != stretches_.end())
    return *known;
  if (stretches_.size() == kMostStretches)
    stretches_.erase(stretches_.begin());
  TaskStretch &stretch = stretches_.emplace_back();
  for (const ScheduleStep &step : steps)
    if (runs(step)) {
      MPF_CHECK(step.device == DeviceId::cpu(), "operation {} is scheduled elsewhere", step.index);
      stretch.operations.push_back(step.index);
      stretch.timeNs += operationNs_(step.index);
    }
  stretch.isSpread =
      stretch.timeNs < spread_.leastRunNs || !std::ranges::is_sorted(stretch.operations);
  return stretch;
}

/// Spreads a stretch over threads, once its runs have taken as long as it takes to find the tasks.
/// So a stretch that runs once takes at most twice the time that it has to.
void Stretches::spread(TaskStretch &stretch) const {
  stretch.spentNs += stretch.timeNs;
  if (stretch.isSpread ||
      stretch.spentNs < spread_.findTasksNs * static_cast<double>(stretch.operations.size()))
    return;
  stretch.isSpread = true;
  TaskGraph tasks = buildTaskGraph(bundle_, stretch.operations, operationNs_, spread_.unitNs);
  stretch.threads = threadsWorthWaking(tasks, operationNs_, threads_, spread_);
  if (stretch.threads > 1)
    stretch.tasks = std::move(tasks);
}

} // namespace mpf
