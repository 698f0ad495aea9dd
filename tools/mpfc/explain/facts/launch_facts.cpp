#include "tools/mpfc/explain/facts/launch_facts.h"

#include "codegen/specialise/specialise.h"
#include "runtime/schedule/slices/run_launches.h"
#include "tools/mpfc/explain/facts/cost_facts.h"
#include "tools/mpfc/explain/facts/facts.h"

#include <algorithm>
#include <fmt/format.h>

namespace mpf {

void addLaunches(const TableProgram &program, Bundle bundle, const CostOptions &options,
                 QueryExplanation &explanation) {
  PhaseTime *phase = runningPhase(explanation, options.kernel.target.name);
  const auto isCountable = [](const BucketFacts &bucket) {
    return bucket.addresses <= kCountableAddresses;
  };
  if (phase == nullptr || !std::ranges::all_of(explanation.buckets, isCountable))
    return;
  SpecialiseOptions gpu;
  gpu.target = options.kernel.target;
  gpu.expectedRuns = options.expectedRuns;
  gpu.planningRuns = options.planningRuns;
  gpu.threads = options.threads;
  addGpuKernels(bundle, program, gpu, options.planned.get());
  LaunchSite site{options.speed.gpu};
  site.speed.multiprocessors = options.kernel.target.smCount;
  const RunLaunches run = runLaunches(bundle, site);
  const LaunchPlan plan = run.plan();
  const double count = run.countIn(plan);
  phase->why =
      fmt::format("{} launch{} of {}", formatCount(count), count == 1 ? "" : "es", phase->why);
}

} // namespace mpf
