#include "runtime/schedule/placement/placed_traceback.h"

#include "dsl/support/check.h"

#include <algorithm>
#include <functional>
#include <map>
#include <queue>
#include <set>
#include <utility>

namespace mpf {

namespace {

constexpr uint32_t kNothing = UINT32_MAX;

/// The operations that use a buffer, and so decide where a step of the traceback runs.
struct BufferUse {
  uint32_t writer = kNothing, lastReader = kNothing;
};

std::vector<BufferUse> usesOf(const Bundle &bundle) {
  std::vector<BufferUse> uses(bundle.buffers.size());
  for (uint32_t i = 0; i < bundle.operations.size(); ++i) {
    for (const BundleAccess &access : bundle.operations[i].operands)
      uses[access.buffer.index()].lastReader = i;
    uses[bundle.operations[i].result.buffer.index()].writer = i;
  }
  return uses;
}

/// Returns TracedStep::operation. The first of the last readers counts, because the last reader of
/// a message that several buckets share is in another bucket.
uint32_t operationOf(const BundleTraceback &step, const std::vector<BufferUse> &uses) {
  uint32_t ofResults = kNothing, ofInputs = kNothing, written = 0;
  for (const BundleTraceback::Table &table : step.tables) {
    const BufferUse &use = uses[table.buffer.index()];
    uint32_t &first = use.writer == kNothing ? ofInputs : ofResults;
    first = std::min(first, use.lastReader);
    if (use.writer != kNothing)
      written = std::max(written, use.writer);
  }
  const uint32_t first = ofResults != kNothing ? ofResults : ofInputs;
  return first == kNothing ? written : std::max(first, written);
}

using StepQueue = std::priority_queue<uint32_t, std::vector<uint32_t>, std::greater<>>;

std::vector<TracebackPart> partsFrom(DeviceId device, const std::vector<TracedStep> &steps,
                                     const std::vector<std::vector<uint32_t>> &followers,
                                     const std::vector<DeviceId> &devices) {
  std::vector<size_t> waitsFor;
  std::map<DeviceId, StepQueue> ready;
  ready[device];
  const auto makeReady = [&](uint32_t step) { ready[devices[steps[step].operation]].push(step); };
  for (uint32_t i = 0; i < steps.size(); ++i) {
    waitsFor.push_back(steps[i].behind.size());
    if (waitsFor.back() == 0)
      makeReady(i);
  }
  std::vector<TracebackPart> parts;
  for (size_t taken = 0; taken < steps.size();) {
    StepQueue &own = ready[device];
    TracebackPart part{device, {}};
    for (; !own.empty(); ++taken) {
      const uint32_t step = own.top();
      own.pop();
      part.steps.push_back(step);
      for (const uint32_t later : followers[step])
        if (--waitsFor[later] == 0)
          makeReady(later);
    }
    if (!part.steps.empty())
      parts.push_back(std::move(part));
    if (taken == steps.size())
      break;
    const auto hasStep = [](const auto &of) { return !of.second.empty(); };
    auto next = std::find_if(ready.upper_bound(device), ready.end(), hasStep);
    if (next == ready.end())
      next = std::find_if(ready.begin(), ready.end(), hasStep);
    MPF_CHECK(next != ready.end(), "steps of a traceback wait for each other");
    device = next->first;
  }
  return parts;
}

} // namespace

std::vector<TracedStep> tracedSteps(const Bundle &bundle) {
  std::vector<TracedStep> steps;
  if (bundle.operations.empty() || bundle.traceback.empty())
    return steps;
  const std::vector<BufferUse> uses = usesOf(bundle);
  std::vector<uint32_t> fixedBy(bundle.variables.size(), kNothing); // step
  for (const BundleTraceback &step : bundle.traceback) {
    TracedStep &traced = steps.emplace_back();
    traced.operation = operationOf(step, uses);
    for (const BundleTraceback::Table &table : step.tables)
      for (const VarId variable : table.layout)
        if (const uint32_t by = fixedBy[variable.index()]; by != kNothing)
          traced.behind.push_back(by);
    std::ranges::sort(traced.behind);
    const auto repeated = std::ranges::unique(traced.behind);
    traced.behind.erase(repeated.begin(), repeated.end());
    fixedBy[step.variable.index()] = static_cast<uint32_t>(steps.size() - 1);
  }
  return steps;
}

std::vector<TracebackPart> tracebackParts(const std::vector<TracedStep> &steps,
                                          const std::vector<DeviceId> &devices) {
  std::vector<std::vector<uint32_t>> followers(steps.size());
  for (uint32_t i = 0; i < steps.size(); ++i)
    for (const uint32_t earlier : steps[i].behind)
      followers[earlier].push_back(i);
  std::set<DeviceId> used;
  for (const TracedStep &step : steps)
    used.insert(devices[step.operation]);
  std::vector<TracebackPart> fewest;
  for (const DeviceId first : used)
    if (std::vector<TracebackPart> parts = partsFrom(first, steps, followers, devices);
        fewest.empty() || parts.size() < fewest.size())
      fewest = std::move(parts);
  return fewest;
}

} // namespace mpf
