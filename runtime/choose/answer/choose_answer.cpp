#include "runtime/choose/answer/choose_answer.h"

#include "runtime/schedule/lay_apart.h"
#include "runtime/schedule/run_volume.h"

#include <algorithm>
#include <fmt/format.h>
#include <utility>

namespace mpf {

namespace {

constexpr std::string_view kNoGpu = "the machine has no GPU that may run it";
constexpr std::string_view kTooLarge = "its tables exceed the host's memory";

/// Facts of a program that do not depend on a placement.
struct ProgramFacts {
  std::string name;
  uint64_t bytes = 0; ///< of its tables on a CPU
  /// The least that a CPU takes, and what a GPU takes (neededTableBytes).
  uint64_t neededBytes = 0;
  std::string gpuFault; ///< Bundle::gpuFault
};

/// The rule of choose_answer.h. Subclasses predict the times of a program.
class AnswerChooser {
public:
  AnswerChooser(ProgramFacts program, const AnswerConditions &conditions)
      : program_(std::move(program)), conditions_(conditions), devices_(conditions.devices) {}
  AnswerChooser(const AnswerChooser &) = delete;
  AnswerChooser &operator=(const AnswerChooser &) = delete;
  virtual ~AnswerChooser() = default;

  AnswerChoice choose() {
    decide();
    if (conditions_.predictsAll && !schedule_)
      schedule_ = scheduleBy(method_);
    if (schedule_)
      method_ = schedule_->method;
    // Predicted times may leave all operations on the CPU: then it is a run of the CPU alone.
    if (devices_.isAuto() && schedule_ && !schedule_->placement.usesGpu())
      method_ = PlacementMethod::Cpu;
    return {plan(), std::move(schedule_)};
  }

protected:
  /// Returns the schedule by `method`, with an offer of every method that is predicted.
  virtual PlacementChoice scheduleBy(PlacementMethod method) = 0;
  /// Returns the schedule by Auto, or none if no GPU can pay or `hasGpu` returns false. Calls
  /// `hasGpu` only if one could pay.
  virtual std::optional<PlacementChoice>
  scheduleWhereGpuMayPay(const std::function<bool()> &hasGpu) = 0;

  const PlacementConditions &costs() {
    if (!costs_)
      costs_ = conditions_.costs();
    return *costs_;
  }
  const AnswerConditions &conditions() const { return conditions_; }

private:
  void take(PlacementMethod method, std::string why) {
    method_ = method;
    why_ = std::move(why);
  }
  /// Takes the CPU, and refuses all candidates that use a GPU.
  void takeCpu(std::string why) {
    take(PlacementMethod::Cpu, why);
    gpuRefusal_ = std::move(why);
  }

  /// Sets the method, or the schedule if times decide.
  void decide() {
    if (!devices_.isOpen())
      return take(devices_.method(), fmt::format("the devices are '{}'", devices_.devicesWord()));
    if (!devices_.mayUseGpu())
      return take(PlacementMethod::Cpu, scheduleWord());
    if (!program_.gpuFault.empty())
      return takeCpu(fmt::format("the GPU failed: {}", program_.gpuFault));
    if (devices_.method() == PlacementMethod::Gpu)
      return take(PlacementMethod::Gpu, scheduleWord());
    if (devices_.isAuto() && !conditions_.lacksKernels.empty())
      return takeCpu(conditions_.lacksKernels);
    if (conditions_.hostBytes && program_.neededBytes > conditions_.hostBytes())
      return decideTooLarge();
    if (devices_.isAuto())
      return decideByTimes();
    take(devices_.method(), scheduleWord());
    if (conditions_.isOpened)
      schedule_ = scheduleBy(devices_.method());
  }

  void decideTooLarge() {
    if (devices_.isAuto() && conditions_.hasGpu && !conditions_.hasGpu())
      return takeCpu(std::string(kNoGpu));
    take(PlacementMethod::Gpu, std::string(kTooLarge));
    cpuRefusal_ = kTooLarge;
  }

  void decideByTimes() {
    if (conditions_.times) {
      schedule_ = scheduleBy(PlacementMethod::Auto);
      why_ = "it is predicted to take the least time";
      return;
    }
    bool lacksGpu = false;
    schedule_ = scheduleWhereGpuMayPay([&] {
      lacksGpu = conditions_.hasGpu && !conditions_.hasGpu();
      return !lacksGpu;
    });
    if (!schedule_)
      return takeCpu(lacksGpu ? std::string(kNoGpu)
                              : "opening a GPU would take longer than the run on the CPU");
    why_ = "it is predicted to take the least time";
  }

  std::string scheduleWord() const {
    return fmt::format("the schedule is '{}'", placementMethodName(devices_.spread));
  }

  std::string refusalOf(PlacementMethod method) const {
    if (!devices_.isAuto())
      return method == method_ ? "" : "another placement is requested";
    return method == PlacementMethod::Cpu                           ? cpuRefusal_
           : method == method_                                      ? ""
           : !cpuRefusal_.empty() && method != PlacementMethod::Gpu ? cpuRefusal_
                                                                    : gpuRefusal_;
  }

  AnswerPlan plan() {
    AnswerPlan plan;
    plan.query = program_.name;
    plan.devices = devices_;
    plan.expectedRuns = costs_ ? std::max(1.0, costs_->expectedRuns) : 1;
    for (const PlacementMethodName &each : placementMethods()) {
      if (each.method == PlacementMethod::Auto)
        continue;
      if (each.method == method_)
        plan.chosen = plan.candidates.size();
      plan.candidates.push_back(candidateOf(each.method));
    }
    plan.why = why_;
    plan.gpuFault = devices_.isOpen() && devices_.mayUseGpu() ? program_.gpuFault : "";
    const bool spreads = method_ != PlacementMethod::Cpu && method_ != PlacementMethod::Gpu;
    if (spreads && schedule_ && spreadsOperations(schedule_->placement)) {
      plan.placement = schedule_->placement;
      plan.supersteps = schedule_->supersteps;
    }
    return plan;
  }

  /// Whether operations are on several devices, or on one that is not the one of the method.
  static bool spreadsOperations(const TaskPlacement &placement) {
    return placement.uses(DeviceId::cpu()) || placement.isMixed();
  }

  AnswerCandidate candidateOf(PlacementMethod method) const {
    AnswerCandidate candidate;
    candidate.method = method;
    candidate.refusal = refusalOf(method);
    if (method != PlacementMethod::Gpu)
      candidate.memory.push_back({DeviceId::cpu(), program_.bytes});
    if (method != PlacementMethod::Cpu)
      candidate.memory.push_back({DeviceId::gpu(devices_.gpuNumber()), program_.neededBytes});
    if (!schedule_)
      return candidate;
    const auto offer = std::ranges::find(schedule_->offers, method, &PlacementOffer::method);
    if (offer != schedule_->offers.end()) {
      candidate.runUs = offer->timeUs - offer->onceUs;
      candidate.onceUs = offer->onceUs;
    }
    return candidate;
  }

  const ProgramFacts program_;
  const AnswerConditions &conditions_;
  const DeviceRequest &devices_;
  PlacementMethod method_ = PlacementMethod::Cpu;
  std::string why_, cpuRefusal_, gpuRefusal_;
  std::optional<PlacementConditions> costs_;
  std::optional<PlacementChoice> schedule_;
};

/// Chooses for a bundle, whose operations are placed one by one.
class BundleChooser final : public AnswerChooser {
public:
  BundleChooser(const Bundle &bundle, const AnswerConditions &conditions)
      : AnswerChooser({bundle.name, tableBytes(bundle), neededTableBytes(bundle), bundle.gpuFault},
                      conditions),
        bundle_(bundle) {}

private:
  PlacementChoice scheduleBy(PlacementMethod method) override {
    return placeTasks(layApart(bundle_),
                      conditions().times ? conditions().times(costs())
                                         : predictPlacements(bundle_, costs()),
                      placementSite(bundle_, costs()), method);
  }
  std::optional<PlacementChoice>
  scheduleWhereGpuMayPay(const std::function<bool()> &hasGpu) override {
    return placeWhereGpuMayPay(bundle_, costs(), hasGpu);
  }

  const Bundle &bundle_;
};

/// Chooses for a program without a bundle, which one device runs.
class RoughChooser final : public AnswerChooser {
public:
  RoughChooser(const RoughProgram &program, const AnswerConditions &conditions)
      : AnswerChooser({program.name, program.bytes, program.bytes, ""}, conditions),
        rough_(program) {}

private:
  PlacementChoice scheduleBy(PlacementMethod method) override {
    PlacementChoice choice;
    choice.offers = {{PlacementMethod::Cpu, rough_.cpuUs, 0},
                     {PlacementMethod::Gpu, rough_.gpuUs, rough_.gpuOnceUs}};
    const bool onGpu = method == PlacementMethod::Auto ? rough_.gpuUs < rough_.cpuUs
                                                       : method != PlacementMethod::Cpu;
    choice.method = onGpu ? PlacementMethod::Gpu : PlacementMethod::Cpu;
    choice.timeUs = choice.offers[onGpu].timeUs;
    choice.placement.devices = {onGpu ? DeviceId::gpu(0) : DeviceId::cpu()};
    return choice;
  }
  std::optional<PlacementChoice>
  scheduleWhereGpuMayPay(const std::function<bool()> &hasGpu) override {
    if (rough_.cpuUs <= rough_.gpuUs || !hasGpu())
      return std::nullopt;
    return scheduleBy(PlacementMethod::Auto);
  }

  const RoughProgram &rough_;
};

} // namespace

AnswerChoice chooseAnswer(const Bundle &bundle, const AnswerConditions &conditions) {
  return BundleChooser(bundle, conditions).choose();
}

AnswerPlan chooseRoughly(const RoughProgram &program, const AnswerConditions &conditions) {
  return RoughChooser(program, conditions).choose().plan;
}

} // namespace mpf
