#include "runtime/execute/host/host_executor.h"

#include "dsl/support/check.h"
#include "dsl/support/system/numa_nodes.h"
#include "dsl/support/system/watched_call.h"
#include "runtime/execute/host/accumulate_slice.h"
#include "runtime/execute/host/bind_input.h"
#include "runtime/execute/host/claim_memory.h"
#include "runtime/execute/host/decode_tables.h"
#include "runtime/execute/host/interleave_memory.h"
#include "runtime/execute/host/verify_operation.h"
#include "runtime/execute/threads/spread_plan.h"

#include <algorithm>
#include <array>
#include <chrono>

namespace mpf {

namespace {

/// The number of stretches that are kept: a sliced program has several, and so have partial runs of
/// a session.
constexpr size_t kMostStretches = 32;

} // namespace

HostExecutor::HostExecutor(const Bundle &bundle, size_t threads, const SpreadOptions &spread,
                           const char *kernels)
    : bundle_(bundle), pool_(threads), states_(bundle.buffers.size()),
      slice_(bundle.sliced.size(), 0), spread_(spread), kernels_(kernels),
      inputs_(bundle.inputArenaBytes, "input tables"),
      work_(bundle.workArenaBytes, "intermediate tables"), best_(bundle),
      profileOf_(bundle.operations.size()) {
  profile_.reserve(bundle.operations.size());
  if (pool_.threadCount() > 1)
    for (const AlignedMemory *tables : {&inputs_, &work_})
      interleaveMemory(*tables, numaNodes());
}

std::string HostExecutor::deviceName() const {
  return fmt::format("cpu ({}, {} thread{})", kernels_, pool_.threadCount(),
                     pool_.threadCount() == 1 ? "" : "s");
}

void HostExecutor::claimTables() const {
  const std::array<const AlignedMemory *, 2> tables{&inputs_, &work_};
  claimMemory(tables, bundle_.name);
}

std::vector<std::vector<uint32_t>> HostExecutor::decode(const DecodeRequest &request) const {
  return decodeTables(bundle_, *this, request);
}

void HostExecutor::run(std::span<const ScheduleStep> steps, const RunRequest &request) {
  profile_.clear();
  std::fill(profileOf_.begin(), profileOf_.end(), nullptr);
  walkStretches(steps, bundle_, request.slice,
                [&](std::span<const ScheduleStep> stretch, const SliceStates &states) {
                  reportShare(states);
                  slice_ = states;
                  runStretch(stretch, request);
                });
}

/// Tells the watcher of the run which share of the slices comes before `states`.
void HostExecutor::reportShare(const SliceStates &states) const {
  CallState *const call = currentCall();
  if (call == nullptr || states.empty())
    return;
  double share = 0, width = 1;
  for (size_t i = 0; i < states.size(); ++i) {
    width /= static_cast<double>(bundle_.variables[bundle_.sliced[i].index()].extent);
    share += width * static_cast<double>(states[i]);
  }
  call->share = share;
}

void HostExecutor::runStretch(std::span<const ScheduleStep> steps, const RunRequest &request) {
  const bool together = pool_.threadCount() > 1 && !request.profile && request.verifySamples == 0;
  for (size_t at = 0; at < steps.size(); ++at) {
    const ScheduleStep &step = steps[at];
    if (step.kind != StepKind::Run)
      continue; // copies are not needed on the host
    MPF_CHECK(step.device == DeviceId::cpu(), "operation {} is scheduled elsewhere", step.index);
    if (bundle_.operations[step.index].accumulates) {
      if (request.slice.empty()) // a run of one slice adds nothing up
        accumulate(bundle_.operations[step.index]);
    } else if (!together) {
      runOne(step.index, request);
    } else {
      size_t end = at + 1;
      while (end < steps.size() && !isSum(steps[end]))
        ++end;
      runTogether(steps.subspan(at, end - at));
      at = end - 1;
    }
  }
}

bool HostExecutor::isSum(const ScheduleStep &step) const {
  return step.kind == StepKind::Run && bundle_.operations[step.index].accumulates;
}

void HostExecutor::runTogether(std::span<const ScheduleStep> steps) {
  Stretch &stretch = findStretch(steps);
  spread(stretch);
  if (stretch.tasks.empty()) {
    for (const uint32_t operation : stretch.operations)
      compute(operation);
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

HostExecutor::Stretch &HostExecutor::findStretch(std::span<const ScheduleStep> steps) {
  const auto runs = [](const ScheduleStep &step) { return step.kind == StepKind::Run; };
  const auto isSame = [&](const Stretch &stretch) {
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
  Stretch &stretch = stretches_.emplace_back();
  for (const ScheduleStep &step : steps)
    if (runs(step)) {
      MPF_CHECK(step.device == DeviceId::cpu(), "operation {} is scheduled elsewhere", step.index);
      stretch.operations.push_back(step.index);
      stretch.timeNs += operationNs(step.index);
    }
  stretch.isSpread =
      stretch.timeNs < spread_.leastRunNs || !std::ranges::is_sorted(stretch.operations);
  return stretch;
}

/// Spreads a stretch over threads, once its runs have taken as long as it takes to find the tasks.
/// So a stretch that runs once takes at most twice the time that it has to.
void HostExecutor::spread(Stretch &stretch) {
  stretch.spentNs += stretch.timeNs;
  if (stretch.isSpread ||
      stretch.spentNs < spread_.findTasksNs * static_cast<double>(stretch.operations.size()))
    return;
  stretch.isSpread = true;
  const auto oneThreadNs = [this](uint32_t index) { return operationNs(index); };
  TaskGraph tasks = buildTaskGraph(bundle_, stretch.operations, oneThreadNs, spread_.unitNs);
  stretch.threads = threadsWorthWaking(tasks, oneThreadNs, pool_.threadCount(), spread_);
  if (stretch.threads > 1)
    stretch.tasks = std::move(tasks);
}

size_t HostExecutor::partsOf(uint64_t steps, double timeNs) const {
  if (awake_ == 0 && !worthWaking(timeNs))
    return 1;
  const size_t parts = partCount(timeNs, awake_ != 0 ? awake_ : pool_.threadCount(), spread_);
  return static_cast<size_t>(std::min<uint64_t>(steps, parts));
}

void HostExecutor::setTables(std::span<const GivenTable> tables) {
  for (const auto &[buffer, table] : tables) {
    const uint64_t elems = bundle_.buffer(buffer).sizeElems;
    MPF_CHECK(table.sizeElems == elems && table.type == bundle_.type,
              "{} entries for table {} of {}", table.sizeElems, bundle_.buffer(buffer).name, elems);
    std::copy_n(table.entries, elems * elementBytes(bundle_.type), memory(buffer));
    if (table.signs != nullptr)
      std::copy_n(table.signs, elems, signsOf(buffer));
    states_[buffer.index()] = table.state;
  }
}

/// Runs one operation while the other threads sleep.
void HostExecutor::compute(uint32_t index) {
  throwIfCancelled();
  constexpr size_t kSeat = 0;
  const size_t parts = beginOperation(index, kSeat);
  if (parts == 0)
    return;
  if (parts == 1) {
    runPart(kSeat, 0, 1, 0);
  } else {
    pool_.run(parts, [&](size_t part, size_t worker) { runPart(kSeat, part, parts, worker); });
  }
  endOperation(kSeat);
}

void HostExecutor::runOne(uint32_t index, const RunRequest &request) {
  if (request.profile) {
    const auto start = std::chrono::steady_clock::now();
    compute(index);
    const std::chrono::duration<double, std::micro> time = std::chrono::steady_clock::now() - start;
    record(index, ran(index, 0), time.count());
  } else {
    compute(index);
  }
  if (request.verifySamples != 0)
    verify(index, request.verifySamples);
}

/// Adds to the operation's profile entry, which all slices share.
void HostExecutor::record(uint32_t index, const Ran &ran, double timeUs) {
  if (profileOf_[index] == nullptr) {
    profile_.push_back({index, DeviceId::cpu(), ran.path, ran.log});
    profileOf_[index] = &profile_.back();
  }
  profileOf_[index]->timeUs += timeUs;
  profileOf_[index]->log |= ran.log;
}

void HostExecutor::accumulate(const BundleOperation &operation) {
  const BufferId result = operation.result.buffer;
  const bool first = slice_[operation.loop - 1] == 0;
  const SliceSum how{operation.semiring.reduce, hasPlainTables(bundle_), bundle_.forcedLog, first,
                     operation.name};
  const MutableTable sum{bundle_.type, &states_[result.index()], bundle_.buffer(result).sizeElems,
                         memory(result), bundle_.signedValues ? signsOf(result) : nullptr};
  if (accumulateSlice(how, view(operation.operands[0].buffer, 0), sum))
    best_.record(operation.loop, slice_);
}

TableView HostExecutor::view(BufferId id, uint64_t offsetElems) const {
  const TableState &state = states_[id.index()];
  const bool signs = state.form != 0 && bundle_.signedValues;
  return {bundle_.type, state, bundle_.buffer(id).sizeElems - offsetElems,
          memory(id) + offsetElems * elementBytes(bundle_.type),
          signs ? signsOf(id) + offsetElems : nullptr};
}

void HostExecutor::verify(uint32_t index, size_t samples) const {
  const BundleOperation &operation = bundle_.operations[index];
  std::array<TableView, kMaxBundleOperands> operands;
  for (size_t i = 0; i < operation.operands.size(); ++i)
    operands[i] =
        view(operation.operands[i].buffer, sliceOffsetElems(operation.operands[i], slice_));
  verifyOperation(operation, std::span<const TableView>(operands.data(), operation.operands.size()),
                  table(operation.result.buffer), samples);
}

} // namespace mpf
