#include "runtime/execute/gpu/tuning/tune_kernels.h"

#include "dsl/support/check.h"
#include "runtime/execute/host/fastest_candidate.h"

#include <algorithm>

namespace mpf {

namespace {

/// A kernel to be measured, and its candidates.
struct Contest {
  uint32_t kernel = 0;
  std::vector<const BundleKernel *> candidates; ///< the model's choice first
};

bool coversAll(const TunedKernel &tuned, const TuningCandidates *candidates) {
  return candidates == nullptr ||
         std::all_of(
             candidates->candidates.begin(), candidates->candidates.end(),
             [&](const BundleKernel &candidate) { return tuned.wasMeasured(candidate.name); });
}

TunedKernel measure(const Contest &contest, TuningDevice &device) {
  const std::unique_ptr<CandidateRunner> runner = device.open(contest.kernel, contest.candidates);
  for (size_t i = 0; i < contest.candidates.size(); ++i)
    if (const std::string difference = runner->findDifference(i); !difference.empty())
      fail(ErrorKind::Verification, "kernel {} does not do what {} does: {}",
           contest.candidates[i]->name, contest.candidates.front()->name, difference);
  const std::vector<double> times = measureCandidates(
      contest.candidates.size(), [&](size_t index) { return runner->runUs(index); });
  const size_t fastest = fastestCandidate(times);
  TunedKernel tuned;
  for (size_t i = 0; i < times.size(); ++i)
    tuned.measured.push_back({contest.candidates[i]->name, times[i]});
  tuned.kernel = *contest.candidates[fastest];
  tuned.kernel.tuning =
      KernelTuning{static_cast<uint32_t>(times.size()), times[fastest], times.front()};
  return tuned;
}

} // namespace

TuningReport tuneKernels(Bundle &bundle, std::span<const TuningCandidates> candidates,
                         TunedKernels &choices, const TuningDeviceOpener &openDevice) {
  TuningReport report;
  std::vector<std::pair<uint32_t, TunedKernel>> chosen;
  std::vector<Contest> contests;
  std::vector<const BundleKernel *> toCompile;
  for (uint32_t i = 0; i < bundle.kernels.size(); ++i) {
    const BundleKernel &kernel = bundle.kernels[i];
    if (i == bundle.tableDriven || !kernel.cubins.empty())
      continue;
    const auto found = std::find_if(candidates.begin(), candidates.end(),
                                    [i](const TuningCandidates &r) { return r.kernel == i; });
    const TuningCandidates *against = found == candidates.end() ? nullptr : &*found;
    std::optional<TunedKernel> known = choices.load(kernel);
    if (known && coversAll(*known, against)) {
      ++report.taken;
      chosen.emplace_back(i, *std::move(known));
    } else if (against != nullptr && !against->candidates.empty()) {
      contests.push_back({i, {&kernel}});
      for (const BundleKernel &candidate : against->candidates)
        contests.back().candidates.push_back(&candidate);
      toCompile.insert(toCompile.end(), contests.back().candidates.begin(),
                       contests.back().candidates.end());
    }
  }
  if (!contests.empty()) {
    const std::unique_ptr<TuningDevice> device = openDevice(bundle);
    device->compile(toCompile);
    for (const Contest &contest : contests) {
      TunedKernel tuned = measure(contest, *device);
      choices.store(*contest.candidates.front(), tuned);
      ++report.measured;
      report.candidates += contest.candidates.size();
      chosen.emplace_back(contest.kernel, std::move(tuned));
    }
  }
  for (auto &[index, tuned] : chosen) {
    report.faster += tuned.kernel.name != bundle.kernels[index].name ? 1 : 0;
    bundle.kernels[index] = std::move(tuned.kernel);
  }
  report.note = choices.damagedNote();
  return report;
}

} // namespace mpf
