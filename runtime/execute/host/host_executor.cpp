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
    : bundle_(bundle), pool_(threads), spread_(spread), kernels_(kernels),
      inputs_(bundle.inputArenaBytes, "input tables"),
      work_(bundle.workArenaBytes, "intermediate tables"), tables_(wholeTables()),
      seatTables_(threads, &tables_), profileOf_(bundle.operations.size()) {
  profile_.reserve(bundle.operations.size());
  if (pool_.threadCount() > 1)
    for (const AlignedMemory *tables : {&inputs_, &work_})
      interleaveMemory(*tables, numaNodes());
}

TableSet HostExecutor::wholeTables() {
  TableSet tables{{},
                  std::vector<TableState>(bundle_.buffers.size()),
                  SliceStates(bundle_.sliced.size(), 0),
                  BestSlice(bundle_)};
  tables.entries.reserve(bundle_.buffers.size());
  for (const BundleBuffer &buffer : bundle_.buffers)
    tables.entries.push_back((buffer.input ? inputs_ : work_).data() + buffer.offsetBytes);
  return tables;
}

std::string HostExecutor::deviceName() const {
  return fmt::format("cpu ({}, {} thread{})", kernels_, pool_.threadCount(),
                     pool_.threadCount() == 1 ? "" : "s");
}

void HostExecutor::claimTables() const {
  // Room for slices side by side is used only where memory is left (findLoopsAtOnce).
  const std::array<std::span<std::byte>, 2> tables{
      std::span(inputs_.data(), inputs_.sizeBytes()),
      std::span(work_.data(), std::min(work_.sizeBytes(), workTableBytes(bundle_)))};
  claimMemory(tables, bundle_.name);
}

std::vector<std::vector<uint32_t>> HostExecutor::decode(const DecodeRequest &request) const {
  return decodeTables(bundle_, *this, request);
}

void HostExecutor::run(std::span<const ScheduleStep> steps, const RunRequest &request) {
  profile_.clear();
  std::fill(profileOf_.begin(), profileOf_.end(), nullptr);
  if (runsTogether(request))
    findLoopsAtOnce();
  beginShare(steps, request);
  walkLoops(
      steps, bundle_, request.slice, SliceStates(bundle_.sliced.size(), 0),
      [&](std::span<const ScheduleStep> stretch, const SliceStates &states) {
        tables_.slice = states;
        runStretch(stretch, request);
      },
      [&](uint32_t loop, std::span<const ScheduleStep> rest, const SliceStates &states) {
        LoopAtOnce *const taken =
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

/// Tells the watcher of the run that none of its work is done.
void HostExecutor::beginShare(std::span<const ScheduleStep> steps, const RunRequest &request) {
  CallState *const call = currentCall();
  if (call == nullptr)
    return;
  const std::vector<double> runs = bundle_.loopRuns();
  wholeNs_ = 0;
  for (const ScheduleStep &step : steps)
    if (step.kind == StepKind::Run && !isSum(step))
      wholeNs_ += operationNs(step.index) *
                  (request.slice.empty() ? runs[bundle_.operations[step.index].loop] : 1);
  call->share = 0;
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
        accumulate(bundle_.operations[step.index], tables_, tables_);
    } else if (!runsTogether(request)) {
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

bool HostExecutor::isSum(const ScheduleStep &step, uint32_t loop) const {
  return isSum(step) && bundle_.operations[step.index].loop == loop;
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
    std::copy_n(table.entries, elems * elementBytes(bundle_.type), tables_.entries[buffer.index()]);
    if (table.signs != nullptr)
      std::copy_n(table.signs, elems, signsOf(tables_, buffer));
    tables_.states[buffer.index()] = table.state;
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

/// Adds the slice that `slice` has computed to a table of `sums`.
void HostExecutor::accumulate(const BundleOperation &operation, const TableSet &slice,
                              TableSet &sums) const {
  const BufferId result = operation.result.buffer;
  const bool first = slice.slice[operation.loop - 1] == 0;
  const SliceSum how{operation.semiring.reduce, hasPlainTables(bundle_), bundle_.forcedLog, first,
                     operation.name};
  const MutableTable sum{bundle_.type, &sums.states[result.index()],
                         bundle_.buffer(result).sizeElems, sums.entries[result.index()],
                         bundle_.signedValues ? signsOf(sums, result) : nullptr};
  if (accumulateSlice(how, view(slice, operation.operands[0].buffer, 0), sum))
    sums.best.record(operation.loop, slice.slice, slice.best);
}

TableView HostExecutor::view(const TableSet &tables, BufferId id, uint64_t offsetElems) const {
  const TableState &state = tables.states[id.index()];
  const bool signs = state.form != 0 && bundle_.signedValues;
  return {bundle_.type, state, bundle_.buffer(id).sizeElems - offsetElems,
          tables.entries[id.index()] + offsetElems * elementBytes(bundle_.type),
          signs ? signsOf(tables, id) + offsetElems : nullptr};
}

void HostExecutor::verify(uint32_t index, size_t samples) const {
  const BundleOperation &operation = bundle_.operations[index];
  std::array<TableView, kMaxBundleOperands> operands;
  for (size_t i = 0; i < operation.operands.size(); ++i)
    operands[i] = view(tables_, operation.operands[i].buffer,
                       sliceOffsetElems(operation.operands[i], tables_.slice));
  verifyOperation(operation, std::span<const TableView>(operands.data(), operation.operands.size()),
                  table(operation.result.buffer), samples);
}

} // namespace mpf
