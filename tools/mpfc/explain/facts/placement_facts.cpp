#include "tools/mpfc/explain/facts/placement_facts.h"

#include "dsl/support/number_text.h"
#include "dsl/support/system/thread_count.h"
#include "runtime/choose/answer/choose_answer.h"
#include "runtime/predict/gpu_work.h"
#include "runtime/predict/place_program.h"
#include "runtime/predict/predict_cpu.h"
#include "runtime/schedule/lay_apart.h"
#include "runtime/schedule/run_volume.h"
#include "tools/mpfc/explain/facts/cost_facts.h"
#include "tools/mpfc/explain/facts/facts.h"
#include "tools/mpfc/explain/facts/timeline_facts.h"

#include <algorithm>
#include <fmt/format.h>
#include <functional>
#include <map>

namespace mpf {

namespace {

/// Sets the predicted times of separate kernels for the operations that have them: the bundle has
/// only table-driven ones. Explanations are for one GPU, which is the second device of `times`.
void setKernelTimes(const Bundle &bundle, const std::map<std::string, size_t> &bucketOf,
                    const QueryExplanation &explanation, OperationTimes &times) {
  std::vector<char> chained(explanation.buckets.size(), 0);
  for (const ChainFacts &chain : explanation.chains)
    if (!chain.kernel.empty())
      std::fill_n(chained.begin() + chain.first, chain.count, 1);
  for (size_t i = 0; i < bundle.operations.size(); ++i) {
    const auto bucket = bucketOf.find(bundle.operations[i].name);
    if (bucket == bucketOf.end())
      continue; // it adds up slices
    const BucketFacts &facts = explanation.buckets[bucket->second];
    if (facts.specialisedKernel || chained[bucket->second] != 0)
      times.us[1][i] = facts.gpuUs;
  }
}

void setPhase(QueryExplanation &explanation, const std::string &device, double timeUs) {
  if (PhaseTime *phase = runningPhase(explanation, device))
    phase->timeUs = timeUs;
}

std::string deviceText(const TaskPlacement &placement, const std::string &gpu) {
  return placement.isMixed() ? kBothDevices : placement.usesGpu() ? gpu : "cpu";
}

/// Describes the start of a run on a GPU, with the copies beside its launches.
std::string startingText(const TransferPlan &transfers) {
  std::string text = "the device is started and waited for";
  size_t inputs = 0, results = 0;
  for (const UploadGroup &group : transfers.uploads)
    inputs += group.buffers.size();
  for (const DownloadGroup &group : transfers.downloads)
    results += group.buffers.size();
  if (inputs + results != 0)
    text += fmt::format("; {} inputs go up and {} results come down beside its launches", inputs,
                        results);
  return text;
}

/// Returns the time of the chosen bars in a run on one device, where bars do not overlap.
double sumUs(const Timeline &timeline, const std::function<bool(const TimelineBar &)> &isMeant) {
  double sum = 0;
  for (const TimelineBar &bar : timeline.bars)
    sum += isMeant(bar) ? bar.endUs - bar.startUs : 0;
  return sum;
}
double downloadUs(const Timeline &timeline) {
  return sumUs(timeline, [](const TimelineBar &bar) { return bar.to == DeviceId::cpu(); });
}
double tracebackUs(const Timeline &timeline) {
  return sumUs(timeline, [](const TimelineBar &bar) { return bar.tracedSteps > 0; });
}

/// Chooses in two steps, as a run does. The compiler decides whether to make kernels for a GPU. The
/// session places the operations by their times with these kernels.
AnswerChoice chooseAsRun(const Bundle &bundle, AnswerConditions conditions,
                         const PlacementTimes &times) {
  const AnswerPlan compiled = chooseAnswer(bundle, conditions).plan;
  if (!compiled.usesGpu())
    conditions.lacksKernels = compiled.why;
  conditions.hasGpu = nullptr; // it was asked
  conditions.times = [&times](const PlacementConditions &) { return times; };
  conditions.predictsAll = true;
  return chooseAnswer(bundle, conditions);
}

} // namespace

void addPlacement(const Bundle &bundle, const CostOptions &options, QueryExplanation &explanation) {
  const std::string &gpu = options.kernel.target.name;
  PlacementConditions conditions{options.threads, options.expectedCpuRuns, machineOf(options.speed),
                                 true, options.tableKernelsUs};
  setMultiprocessors(conditions.machine, options.kernel.target.smCount);
  const GpuSpeed &gpuSpeed = conditions.machine.gpu();
  std::map<std::string, size_t> bucketOf;
  for (size_t i = 0; i < explanation.buckets.size(); ++i)
    bucketOf.emplace(explanation.buckets[i].name, i);
  PlacementTimes placements = predictPlacements(bundle, conditions);
  setKernelTimes(bundle, bucketOf, explanation, placements.alone);
  const auto placedTimes = [&, tableDriven =
                                   placements.placed](const std::vector<DeviceId> &devices,
                                                      const std::vector<uint32_t> &supersteps) {
    OperationTimes placed = tableDriven(devices, supersteps);
    setKernelTimes(bundle, bucketOf, explanation, placed);
    return placed;
  };
  placements.placed = placedTimes;
  const auto allOn = [&](DeviceId device) {
    const size_t count = bundle.operations.size();
    return placedTimes(std::vector(count, device), std::vector<uint32_t>(count, 0));
  };
  const std::vector<double> onCpuUs = allOn(DeviceId::cpu()).us[0],
                            &onGpuUs = placements.alone.us[1];

  AnswerConditions asked = answerConditions(options, explanation.memory);
  asked.costs = [&conditions] { return conditions; };
  const AnswerChoice answer = chooseAsRun(bundle, std::move(asked), placements);
  const PlacementChoice &choice = *answer.schedule;
  const Bundle placed = layApart(bundle);
  explanation.timeline = timelineFacts(placed, choice, gpu, bucketOf);
  explanation.timeline.threads = threadCount(options.threads);

  explanation.autoDevice = deviceText(choice.placement, gpu);
  if (explanation.autoDevice == gpu && !bundle.sliced.empty()) {
    const GpuWork work = gpuWork(bundle, gpuSpeed);
    explanation.slicesAtOnce = work.slicesAtOnce;
    explanation.replicaBytes = work.replicaBytes;
  } else {
    explanation.slicesAtOnce = slicesSideBySide(
        bundle, conditions.machine.cpu(), threadCount(options.threads), options.expectedCpuRuns);
  }
  explanation.schedule = placementMethodName(choice.method);
  for (const AnswerCandidate &candidate : answer.plan.candidates)
    explanation.placements.push_back({std::string(placementMethodName(candidate.method)),
                                      candidate.totalUs(), candidate.onceUs,
                                      candidate == answer.plan.choice()});
  double cpuUs = 0, gpuUs = 0;
  for (size_t i = 0; i < bundle.operations.size(); ++i) {
    cpuUs += onCpuUs[i];
    gpuUs += onGpuUs[i];
    const auto bucket = bucketOf.find(bundle.operations[i].name);
    if (bucket == bucketOf.end())
      continue; // it adds up slices
    BucketFacts &facts = explanation.buckets[bucket->second];
    const bool onGpu = choice.placement.devices[i].isGpu();
    facts.cpuUs = onCpuUs[i];
    facts.gpuUs = onGpuUs[i];
    facts.onGpu = onGpu;
    facts.costUs = onGpu ? facts.gpuUs : facts.cpuUs;
  }
  setPhase(explanation, "cpu", cpuUs);
  setPhase(explanation, gpu, gpuUs);
  explanation.phases.push_back(
      {"cpu", "touching",
       firstTouchUs(bundle, conditions.machine.cpu(), threadCount(options.threads)), true,
       fmt::format("{} of tables, which the system clears at their first use",
                   formatBytes(bundle.inputArenaBytes + bundle.workArenaBytes))});
  explanation.phases.push_back(
      {gpu, "starting", gpuSpeed.superstepUs, false,
       startingText(explanation.autoDevice == gpu ? gpuTransfers(bundle, gpuSpeed)
                                                  : TransferPlan())});
  if (const double downUs = downloadUs(choice.timeline);
      explanation.autoDevice == gpu && downUs > 0)
    explanation.phases.push_back(
        {gpu, "downloading", downUs, false, "results, behind the launches"});
  if (const double traceUs = tracebackUs(choice.timeline);
      !choice.placement.isMixed() && traceUs > 0)
    explanation.phases.push_back(
        {explanation.autoDevice, "decoding", traceUs, false,
         fmt::format("{} variables of the assignment, one by one", bundle.traceback.size())});
  if (choice.placement.isMixed())
    explanation.phases.push_back({kBothDevices, "running", choice.timeUs - choice.timeline.openUs,
                                  false, "operations on both devices, transfers between them"});
}

} // namespace mpf
