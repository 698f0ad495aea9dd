#include "runtime/execute/hybrid/hybrid_executor.h"

#include "dsl/support/check.h"
#include "runtime/schedule/lay_apart.h"
#include "runtime/schedule/placement/placed_traceback.h"

#include <algorithm>
#include <cstring>
#include <utility>

namespace mpf {

namespace {

/// The steps of one superstep of a schedule.
struct Superstep {
  std::vector<ScheduleStep> host, device; ///< each with the repeats around its runs
  /// The buffers of results that cross. Those of `upBeside` share memory with no other result and
  /// are uploaded while the device works; those of `up` after it.
  std::vector<uint32_t> upBeside, up, down;
};

class HybridExecutor final : public Executor {
public:
  HybridExecutor(std::shared_ptr<const Bundle> bundle, std::unique_ptr<Executor> host,
                 std::unique_ptr<Executor> device)
      : owned_(std::move(bundle)), bundle_(*owned_), host_(std::move(host)),
        device_(std::move(device)), writer_(bundle_.buffers.size(), UINT32_MAX),
        runs_(bundle_.operations.size(), 0), ranOn_(bundle_.operations.size(), StepDevice::Cpu),
        traced_(tracedSteps(bundle_)), traceback_(tracebackParts(traced_, ranOn_)),
        isAlone_(aloneResults(bundle_)) {
    for (uint32_t i = 0; i < bundle_.operations.size(); ++i)
      writer_[bundle_.operations[i].result.buffer.index()] = i;
  }

  std::string deviceName() const override {
    return host_->deviceName() + " and " + device_->deviceName();
  }

  std::byte *inputMemory(BufferId input) override { return host_->inputMemory(input); }

  void setInput(BufferId input, const TableState &state) override {
    host_->setInput(input, state);
    const BundleBuffer &buffer = bundle_.buffer(input);
    std::memcpy(device_->inputMemory(input), host_->inputMemory(input),
                bufferBytes(buffer.sizeElems, bundle_.type, bundle_.signedValues));
    device_->setInput(input, state);
  }

  void run(std::span<const ScheduleStep> steps, const RunRequest &request) override {
    profile_.clear();
    noteRuns(steps);
    for (size_t begin = 0; begin < steps.size();) {
      size_t end = begin;
      while (end < steps.size() && steps[end].kind != StepKind::EndSuperstep)
        ++end;
      collect(steps.subspan(begin, end - begin));
      runSuperstep(request);
      begin = end + 1;
    }
  }

  void setTables(std::span<const GivenTable> tables) override {
    host_->setTables(tables);
    device_->setTables(tables);
  }
  TableView table(BufferId buffer) const override { return host_->table(buffer); }
  std::vector<std::vector<uint32_t>> decode(const DecodeRequest &request) const override {
    const size_t width = bundle_.variables.size();
    if (traceback_.empty() || width == 0)
      return host_->decode(request);
    std::vector<std::vector<uint32_t>> assignments;
    for (std::span<const uint32_t> rest = request.given; !rest.empty(); rest = rest.subspan(width))
      assignments.emplace_back(rest.begin(), rest.begin() + static_cast<ptrdiff_t>(width));
    for (const TracebackPart &part : traceback_)
      take(part, assignments);
    return assignments;
  }
  /// Returns the host's best slice. Never used: a sliced program with a traceback is one task, on
  /// one device.
  SliceStates bestSlice() const override { return host_->bestSlice(); }
  /// Returns the bytes of one device: the bundle predicts each device's memory.
  uint64_t allocatedBytes() const override { return host_->allocatedBytes(); }
  const std::vector<OperationProfile> &profile() const override { return profile_; }

private:
  void noteRuns(std::span<const ScheduleStep> steps) {
    std::fill(runs_.begin(), runs_.end(), 0);
    bool haveMoved = false;
    for (const ScheduleStep &step : steps)
      if (step.kind == StepKind::Run) {
        runs_[step.index] = 1;
        haveMoved |= std::exchange(ranOn_[step.index], step.device) != step.device;
      }
    if (haveMoved)
      traceback_ = tracebackParts(traced_, ranOn_);
  }

  /// Takes the steps of a part for the assignments that still have states.
  void take(const TracebackPart &part, std::vector<std::vector<uint32_t>> &assignments) const {
    std::vector<uint32_t> given;
    for (const std::vector<uint32_t> &states : assignments)
      given.insert(given.end(), states.begin(), states.end());
    if (given.empty())
      return;
    const Executor &executor = part.device == StepDevice::Gpu ? *device_ : *host_;
    auto found = executor.decode({given, part.steps});
    size_t next = 0;
    for (std::vector<uint32_t> &states : assignments)
      if (!states.empty())
        states = std::move(found[next++]);
  }

  /// True for results that this run computes. Results of earlier runs have already crossed, and
  /// inputs are not copied here.
  bool crossesNow(uint32_t buffer) const {
    return writer_[buffer] != UINT32_MAX && runs_[writer_[buffer]] != 0;
  }

  void collect(std::span<const ScheduleStep> steps) {
    now_.host.clear();
    now_.device.clear();
    now_.down.clear();
    now_.up.clear();
    now_.upBeside.clear();
    for (const ScheduleStep &step : steps) {
      const bool isCopy = step.kind == StepKind::Upload || step.kind == StepKind::Download;
      if (isCopy && !crossesNow(step.index))
        continue;
      if (step.kind == StepKind::Upload) {
        (isAlone_[step.index] != 0 ? now_.upBeside : now_.up).push_back(step.index);
      } else if (step.kind == StepKind::Download) {
        now_.down.push_back(step.index);
        now_.device.push_back(step);
      } else {
        (step.device == StepDevice::Cpu ? now_.host : now_.device).push_back(step);
      }
    }
  }

  void runSuperstep(const RunRequest &request) {
    const bool usesDevice = !now_.device.empty();
    if (usesDevice)
      device_->start(now_.device, request);
    try {
      host_->run(now_.host, request);
      move(now_.upBeside, *host_, *device_);
    } catch (...) {
      if (usesDevice)
        device_->finish();
      throw;
    }
    if (request.profile)
      append(host_->profile());
    if (usesDevice) {
      device_->finish();
      if (request.profile)
        append(device_->profile());
    }
    move(now_.up, *host_, *device_);
    move(now_.down, *device_, *host_);
  }

  /// Copies all buffers in one call of setTables.
  void move(const std::vector<uint32_t> &buffers, const Executor &from, Executor &to) {
    moved_.clear();
    for (const uint32_t buffer : buffers)
      moved_.push_back({BufferId(size_t{buffer}), from.table(BufferId(size_t{buffer}))});
    if (!moved_.empty())
      to.setTables(moved_);
  }

  void append(const std::vector<OperationProfile> &more) {
    profile_.insert(profile_.end(), more.begin(), more.end());
  }

  const std::shared_ptr<const Bundle> owned_; ///< outlives the executors
  const Bundle &bundle_;
  std::unique_ptr<Executor> host_, device_;
  std::vector<uint32_t> writer_;  ///< by buffer: the operation that writes it, or UINT32_MAX
  std::vector<char> runs_;        ///< by operation: whether it runs in this run
  std::vector<StepDevice> ranOn_; ///< by operation: its device in its last run
  std::vector<TracedStep> traced_;
  std::vector<TracebackPart> traceback_; ///< parts of the traceback, by ranOn_
  std::vector<char> isAlone_;            ///< by buffer: no other result shares its memory
  Superstep now_;                        ///< the current superstep, kept for its memory
  std::vector<GivenTable> moved_;        ///< kept for its memory
  std::vector<OperationProfile> profile_;
};

} // namespace

std::unique_ptr<Executor> makeHybridExecutor(std::shared_ptr<const Bundle> bundle,
                                             std::unique_ptr<Executor> host,
                                             std::unique_ptr<Executor> device) {
  return std::make_unique<HybridExecutor>(std::move(bundle), std::move(host), std::move(device));
}

} // namespace mpf
