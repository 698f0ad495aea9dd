#include "runtime/execute/hybrid/hybrid_executor.h"

#include "dsl/support/check.h"
#include "runtime/schedule/lay_apart.h"
#include "runtime/schedule/placement/placed_traceback.h"

#include <algorithm>
#include <cstring>
#include <utility>

namespace mpf {

namespace {

/// The steps of one superstep of a schedule. Devices are given by their places in the list of
/// executors.
struct Superstep {
  explicit Superstep(size_t devices) : steps(devices), beside(devices), copies(devices * devices) {}

  void clear() {
    for (std::vector<ScheduleStep> &list : steps)
      list.clear();
    for (std::vector<std::vector<uint32_t>> *lists : {&beside, &copies})
      for (std::vector<uint32_t> &list : *lists)
        list.clear();
  }

  std::vector<std::vector<ScheduleStep>>
      steps; ///< by device, each with the repeats around its runs
  /// The buffers of results that cross. Those of `beside` are the host's and share memory with no
  /// other result; they are copied while the devices work, by the device that gets them. Those of
  /// `copies` are copied after it, by `from * devices + to`.
  std::vector<std::vector<uint32_t>> beside, copies;
};

class HybridExecutor final : public Executor {
public:
  HybridExecutor(std::shared_ptr<const Bundle> bundle, std::vector<DeviceExecutor> executors)
      : owned_(std::move(bundle)), bundle_(*owned_), executors_(std::move(executors)),
        host_(*executors_.front().executor), writer_(bundle_.buffers.size(), UINT32_MAX),
        runs_(bundle_.operations.size(), 0), ranOn_(bundle_.operations.size(), DeviceId::cpu()),
        traced_(tracedSteps(bundle_)), traceback_(tracebackParts(traced_, ranOn_)),
        isAlone_(aloneResults(bundle_)), now_(executors_.size()) {
    for (uint32_t i = 0; i < bundle_.operations.size(); ++i)
      writer_[bundle_.operations[i].result.buffer.index()] = i;
  }

  std::string deviceName() const override {
    std::string name = host_.deviceName();
    for (size_t place = 1; place < executors_.size(); ++place)
      name += " and " + executors_[place].executor->deviceName();
    return name;
  }

  std::byte *inputMemory(BufferId input) override { return host_.inputMemory(input); }

  void setInput(BufferId input, const TableState &state) override {
    host_.setInput(input, state);
    const BundleBuffer &buffer = bundle_.buffer(input);
    const uint64_t bytes = bufferBytes(buffer.sizeElems, bundle_.type, bundle_.signedValues);
    for (size_t place = 1; place < executors_.size(); ++place) {
      Executor &device = *executors_[place].executor;
      std::memcpy(device.inputMemory(input), host_.inputMemory(input), bytes);
      device.setInput(input, state);
    }
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
    for (const DeviceExecutor &each : executors_)
      each.executor->setTables(tables);
  }
  TableView table(BufferId buffer) const override { return host_.table(buffer); }
  std::vector<std::vector<uint32_t>> decode(const DecodeRequest &request) const override {
    const size_t width = bundle_.variables.size();
    if (traceback_.empty() || width == 0)
      return host_.decode(request);
    std::vector<std::vector<uint32_t>> assignments;
    for (std::span<const uint32_t> rest = request.given; !rest.empty(); rest = rest.subspan(width))
      assignments.emplace_back(rest.begin(), rest.begin() + static_cast<ptrdiff_t>(width));
    for (const TracebackPart &part : traceback_)
      take(part, assignments);
    return assignments;
  }
  /// Returns the host's best slice. Never used: a sliced program with a traceback is one task, on
  /// one device.
  SliceStates bestSlice() const override { return host_.bestSlice(); }
  /// Returns the bytes of one device: the bundle predicts each device's memory.
  uint64_t allocatedBytes() const override { return host_.allocatedBytes(); }
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
    auto found = executors_[placeOf(part.device)].executor->decode({given, part.steps});
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

  /// Returns the place of a device in the list of executors.
  size_t placeOf(DeviceId device) const {
    const auto found = std::ranges::find(executors_, device, &DeviceExecutor::device);
    MPF_CHECK(found != executors_.end(), "a step for {}, which was not opened",
              mpf::deviceName(device, true));
    return static_cast<size_t>(found - executors_.begin());
  }

  void collect(std::span<const ScheduleStep> steps) {
    now_.clear();
    for (const ScheduleStep &step : steps) {
      const bool isCopy = step.kind == StepKind::Copy;
      if (isCopy && !crossesNow(step.index))
        continue;
      const size_t place = placeOf(step.device);
      if (!isCopy) {
        now_.steps[place].push_back(step);
        continue;
      }
      const size_t to = placeOf(step.to);
      if (place == 0 && isAlone_[step.index] != 0)
        now_.beside[to].push_back(step.index);
      else
        now_.copies[place * executors_.size() + to].push_back(step.index);
      if (place != 0 && !isDownloaded(now_.steps[place], step.index))
        now_.steps[place].push_back(step);
    }
  }

  /// Whether a device's copies, which come after its other steps, already have the buffer.
  static bool isDownloaded(const std::vector<ScheduleStep> &steps, uint32_t buffer) {
    for (size_t i = steps.size(); i-- > 0 && steps[i].kind == StepKind::Copy;)
      if (steps[i].index == buffer)
        return true;
    return false;
  }

  void runSuperstep(const RunRequest &request) {
    started_.clear();
    try {
      for (size_t place = 1; place < executors_.size(); ++place)
        if (!now_.steps[place].empty()) {
          executors_[place].executor->start(now_.steps[place], request);
          started_.push_back(executors_[place].executor.get());
        }
      host_.run(now_.steps[0], request);
      for (size_t place = 1; place < executors_.size(); ++place)
        move(now_.beside[place], host_, *executors_[place].executor);
    } catch (...) {
      for (Executor *device : started_)
        device->finish();
      throw;
    }
    if (request.profile)
      append(host_.profile());
    for (Executor *device : started_) {
      device->finish();
      if (request.profile)
        append(device->profile());
    }
    const size_t count = executors_.size();
    for (size_t i = 0; i < now_.copies.size(); ++i)
      move(now_.copies[i], *executors_[i / count].executor, *executors_[i % count].executor);
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
  const std::vector<DeviceExecutor> executors_;
  Executor &host_;               ///< the first executor
  std::vector<uint32_t> writer_; ///< by buffer: the operation that writes it, or UINT32_MAX
  std::vector<char> runs_;       ///< by operation: whether it runs in this run
  std::vector<DeviceId> ranOn_;  ///< by operation: its device in its last run
  std::vector<TracedStep> traced_;
  std::vector<TracebackPart> traceback_; ///< parts of the traceback, by ranOn_
  std::vector<char> isAlone_;            ///< by buffer: no other result shares its memory
  Superstep now_;                        ///< the current superstep, kept for its memory
  std::vector<Executor *> started_;      ///< kept for its memory
  std::vector<GivenTable> moved_;        ///< kept for its memory
  std::vector<OperationProfile> profile_;
};

} // namespace

std::unique_ptr<Executor> makeHybridExecutor(std::shared_ptr<const Bundle> bundle,
                                             std::vector<DeviceExecutor> executors) {
  MPF_CHECK(!executors.empty() && executors.front().device == DeviceId::cpu(),
            "a hybrid executor without the CPU");
  return std::make_unique<HybridExecutor>(std::move(bundle), std::move(executors));
}

} // namespace mpf
