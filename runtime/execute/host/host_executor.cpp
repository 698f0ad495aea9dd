#include "runtime/execute/host/host_executor.h"

#include "dsl/support/check.h"
#include "dsl/support/system/watched_call.h"
#include "runtime/execute/host/claim_memory.h"
#include "runtime/execute/host/decode_tables.h"
#include "runtime/execute/host/verify_operation.h"

#include <algorithm>
#include <array>
#include <chrono>
#include <memory>

namespace mpf {

namespace {

bool isSum(const ScheduleStep &step, const Bundle &bundle) {
  return step.kind == StepKind::Run && bundle.operations[step.index].accumulates;
}

/// Returns the predicted time of a run by one thread.
double wholeNs(const Bundle &bundle, std::span<const ScheduleStep> steps, bool isOneSlice,
               const OperationNs &operationNs) {
  const std::vector<double> runs = bundle.loopRuns();
  double timeNs = 0;
  for (const ScheduleStep &step : steps)
    if (step.kind == StepKind::Run && !isSum(step, bundle))
      timeNs +=
          operationNs(step.index) * (isOneSlice ? 1 : runs[bundle.operations[step.index].loop]);
  return timeNs;
}

/// Recomputes samples of the result of operation `index`.
void verifyResult(const Bundle &bundle, const HostTables &tables, uint32_t index, size_t samples) {
  const BundleOperation &operation = bundle.operations[index];
  const TableSet &run = tables.ofRun();
  std::array<TableView, kMaxBundleOperands> operands;
  for (size_t i = 0; i < operation.operands.size(); ++i)
    operands[i] = tables.view(run, operation.operands[i].buffer,
                              sliceOffsetElems(operation.operands[i], run.slice));
  verifyOperation(operation, std::span<const TableView>(operands.data(), operation.operands.size()),
                  tables.view(run, operation.result.buffer), samples);
}

} // namespace

HostExecutor::HostExecutor(const Bundle &bundle, size_t threads, const SpreadOptions &spread,
                           const char *kernels)
    : bundle_(bundle), pool_(threads), tables_(bundle, pool_.threadCount() > 1), spread_(spread),
      kernels_(kernels), seatTables_(threads, &tables_.ofRun()), times_(bundle.operations.size()),
      stretches_(bundle_, spread_, pool_.threadCount(),
                 [this](uint32_t index) { return operationNs(index); }) {}

std::string HostExecutor::deviceName() const {
  return fmt::format("cpu ({}, {} thread{})", kernels_, pool_.threadCount(),
                     pool_.threadCount() == 1 ? "" : "s");
}

std::vector<std::vector<uint32_t>> HostExecutor::decode(const DecodeRequest &request) const {
  return decodeTables(bundle_, *this, request);
}

void HostExecutor::run(std::span<const ScheduleStep> steps, const RunRequest &request) {
  times_.clear();
  if (CallState *const call = currentCall()) {
    wholeNs_ = wholeNs(bundle_, steps, !request.slice.empty(),
                       [this](uint32_t index) { return operationNs(index); });
    call->share = 0;
  }
  walkLoops(
      steps, bundle_, request.slice, SliceStates(bundle_.sliced.size(), 0),
      [&](std::span<const ScheduleStep> stretch, const SliceStates &states) {
        tables_.ofRun().slice = states;
        runStretch(stretch, request);
      },
      [&](uint32_t loop, std::span<const ScheduleStep> rest, const SliceStates &states) {
        LoopTables *const taken =
            runsTogether(request) && request.slice.empty() ? loopAtOnce(loop) : nullptr;
        if (taken != nullptr)
          runAtOnce(*taken, loopBody(rest), states);
        return taken != nullptr;
      });
}

/// Whether threads may compute several operations, or slices, at a time.
bool HostExecutor::runsTogether(const RunRequest &request) const {
  return pool_.threadCount() > 1 && !request.profile && request.verifySamples == 0;
}

void HostExecutor::addToShare(uint32_t index, uint64_t steps, uint64_t all) const {
  // Weighed as in the whole, also where logarithms take longer: so the shares add up to 1.
  const double part =
      operationNs(index) / wholeNs_ * static_cast<double>(steps) / static_cast<double>(all);
  CallState *const call = currentCall();
  for (double share = call->share;
       !call->share.compare_exchange_weak(share, std::min(1.0, share + part));) {
  }
}

void HostExecutor::runStretch(std::span<const ScheduleStep> steps, const RunRequest &request) {
  for (size_t at = 0; at < steps.size(); ++at) {
    const ScheduleStep &step = steps[at];
    if (step.kind != StepKind::Run)
      continue; // copies are not needed on the host
    MPF_CHECK(step.device == DeviceId::cpu(), "operation {} is scheduled elsewhere", step.index);
    if (bundle_.operations[step.index].accumulates) {
      if (request.slice.empty()) // a run of one slice adds nothing up
        tables_.accumulate(bundle_.operations[step.index], tables_.ofRun(), tables_.ofRun());
    } else if (!runsTogether(request)) {
      runOne(step.index, request);
    } else {
      size_t end = at + 1;
      while (end < steps.size() && !isSum(steps[end], bundle_))
        ++end;
      runTogether(steps.subspan(at, end - at));
      at = end - 1;
    }
  }
}

void HostExecutor::runTogether(std::span<const ScheduleStep> steps) {
  const TaskStretch &stretch = stretches_.next(steps);
  if (stretch.tasks.empty()) {
    for (const uint32_t operation : stretch.operations)
      compute(operation, 0, 0);
    return;
  }
  awake_ = stretch.threads;
  try {
    runTasks(stretch.tasks, pool_, stretch.threads, *this);
  } catch (...) {
    awake_ = 0;
    throw;
  }
  awake_ = 0;
}

size_t HostExecutor::partsOf(uint64_t steps, double timeNs) const {
  if (awake_ == 0 && !worthWaking(timeNs))
    return 1;
  const size_t parts = partCount(timeNs, awake_ != 0 ? awake_ : pool_.threadCount(), spread_);
  return static_cast<size_t>(std::min<uint64_t>(steps, parts));
}

/// Runs one operation. Its parts run on all threads if these sleep, else on thread `worker` alone.
void HostExecutor::compute(uint32_t index, size_t seat, size_t worker) {
  throwIfCancelled();
  const size_t parts = beginOperation(index, seat);
  if (parts == 0)
    return;
  if (parts == 1) {
    runPart(seat, 0, 1, worker);
  } else {
    MPF_CHECK(awake_ == 0, "operation {} has {} parts for one thread", index, parts);
    pool_.run(parts, [&](size_t part, size_t thread) { runPart(seat, part, parts, thread); });
  }
  endOperation(seat);
}

void HostExecutor::runOne(uint32_t index, const RunRequest &request) {
  if (request.profile) {
    const auto start = std::chrono::steady_clock::now();
    compute(index, 0, 0);
    const std::chrono::duration<double, std::micro> time = std::chrono::steady_clock::now() - start;
    times_.add(index, ran(index, 0), time.count());
  } else {
    compute(index, 0, 0);
  }
  if (request.verifySamples != 0)
    verifyResult(bundle_, tables_, index, request.verifySamples);
}

void HostExecutor::Times::clear() {
  all_.clear();
  std::fill(placeOf_.begin(), placeOf_.end(), std::nullopt);
}

void HostExecutor::Times::add(uint32_t index, const Ran &ran, double timeUs) {
  std::optional<size_t> &place = placeOf_[index];
  if (!place) {
    place = all_.size();
    all_.push_back({index, DeviceId::cpu(), ran.path, ran.log});
  }
  all_[*place].timeUs += timeUs;
  all_[*place].log |= ran.log;
}

/// Returns the loop, if its slices are computed side by side; else null.
LoopTables *HostExecutor::loopAtOnce(uint32_t loop) {
  if (!loopsAtOnce_) {
    loopsAtOnce_.emplace();
    const OperationNs oneThreadNs = [this](uint32_t index) { return operationNs(index); };
    for (const SpreadLoop &spread :
         spreadSlices(bundle_, oneThreadNs, pool_.threadCount(), spread_))
      if (mayTouch(spread.arenas.count * spread.arenas.eachBytes))
        loopsAtOnce_->push_back(tables_.ofLoop(spread.arenas));
  }
  const auto known = std::ranges::find(*loopsAtOnce_, loop, &LoopTables::loop);
  return known == loopsAtOnce_->end() ? nullptr : &*known;
}

/// Runs all slices of a loop. `states` are those of the loops around it.
void HostExecutor::runAtOnce(LoopTables &loop, std::span<const ScheduleStep> body,
                             const SliceStates &states) {
  const auto sums = static_cast<size_t>(std::ranges::count_if(body, [&](const ScheduleStep &step) {
    return isSum(step, bundle_) && bundle_.operations[step.index].loop == loop.loop;
  }));
  const VarId variable = bundle_.sliced[loop.loop - 1];
  SliceTurns turns(bundle_.variables[variable.index()].extent, sums);
  TableSet &ofRun = tables_.ofRun();
  ofRun.slice = states;
  for (size_t i = 0; i < loop.further.size(); ++i) {
    for (const BufferId buffer : loop.fromOutside)
      loop.further[i].states[buffer.index()] = ofRun.states[buffer.index()];
    loop.further[i].best = ofRun.best;
    seatTables_[i + 1] = &loop.further[i];
  }
  awake_ = 1; // a slice is for one thread
  const auto leave = [this](void *) {
    awake_ = 0;
    std::fill(seatTables_.begin(), seatTables_.end(), &tables_.ofRun());
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
            compute(step.index, seat, worker);
          } else if (operation.loop != loop) {
            tables_.accumulate(operation, tables, tables);
          } else if (turns.waitFor(slice, sum)) {
            tables_.accumulate(operation, tables, tables_.ofRun());
            turns.added(sum++);
          } else {
            isOver = true;
          }
        }
      },
      [&isOver](uint32_t, std::span<const ScheduleStep>, const SliceStates &) { return isOver; });
}

} // namespace mpf
