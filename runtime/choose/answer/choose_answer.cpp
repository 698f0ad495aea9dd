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

class AnswerChooser {
public:
  AnswerChooser(const Bundle &bundle, const AnswerConditions &conditions)
      : bundle_(bundle), conditions_(conditions), devices_(conditions.devices) {}

  AnswerChoice choose() && {
    decide();
    if (conditions_.predictsAll && !schedule_)
      schedule_ = scheduleBy(method_);
    if (schedule_)
      method_ = schedule_->method;
    // Predicted times may leave all operations on the CPU: then it is a run of the CPU alone.
    if (devices_.isAuto() && schedule_ && !schedule_->placement.uses(StepDevice::Gpu))
      method_ = PlacementMethod::Cpu;
    return {plan(), std::move(schedule_)};
  }

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
    if (!bundle_.gpuFault.empty())
      return takeCpu(fmt::format("the GPU failed: {}", bundle_.gpuFault));
    if (devices_.method() == PlacementMethod::Gpu)
      return take(PlacementMethod::Gpu, scheduleWord());
    if (devices_.isAuto() && !conditions_.lacksKernels.empty())
      return takeCpu(conditions_.lacksKernels);
    if (conditions_.hostBytes && tableBytes(bundle_) > conditions_.hostBytes())
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
    schedule_ = placeWhereGpuMayPay(bundle_, costs(), [&] {
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

  const PlacementConditions &costs() {
    if (!costs_)
      costs_ = conditions_.costs();
    return *costs_;
  }

  PlacementChoice scheduleBy(PlacementMethod method) {
    return placeTasks(layApart(bundle_),
                      conditions_.times ? conditions_.times(costs())
                                        : predictPlacements(bundle_, costs()),
                      transferTimes(bundle_, costs()), method);
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
    plan.query = bundle_.name;
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
    plan.gpuFault = devices_.isOpen() && devices_.mayUseGpu() ? bundle_.gpuFault : "";
    const bool spreads = method_ != PlacementMethod::Cpu && method_ != PlacementMethod::Gpu;
    if (spreads && schedule_ && schedule_->placement.uses(StepDevice::Cpu)) {
      plan.placement = schedule_->placement;
      plan.supersteps = schedule_->supersteps;
    }
    return plan;
  }

  AnswerCandidate candidateOf(PlacementMethod method) const {
    AnswerCandidate candidate;
    candidate.method = method;
    candidate.refusal = refusalOf(method);
    const uint64_t bytes = tableBytes(bundle_);
    if (method != PlacementMethod::Gpu)
      candidate.memory.push_back({{DeviceKind::Cpu, 0}, bytes});
    if (method != PlacementMethod::Cpu)
      candidate.memory.push_back({{DeviceKind::Gpu, 0}, bytes});
    if (!schedule_)
      return candidate;
    const auto offer = std::ranges::find(schedule_->offers, method, &PlacementOffer::method);
    if (offer != schedule_->offers.end()) {
      candidate.runUs = offer->timeUs - offer->onceUs;
      candidate.onceUs = offer->onceUs;
    }
    return candidate;
  }

  const Bundle &bundle_;
  const AnswerConditions &conditions_;
  const DeviceRequest &devices_;
  PlacementMethod method_ = PlacementMethod::Cpu;
  std::string why_, cpuRefusal_, gpuRefusal_;
  std::optional<PlacementConditions> costs_;
  std::optional<PlacementChoice> schedule_;
};

} // namespace

AnswerChoice chooseAnswer(const Bundle &bundle, const AnswerConditions &conditions) {
  return AnswerChooser(bundle, conditions).choose();
}

} // namespace mpf
