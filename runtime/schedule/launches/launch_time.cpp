#include "runtime/schedule/launches/launch_time.h"

#include "runtime/schedule/launches/launch_use.h"

namespace mpf {

namespace {

LaunchWork launchWork(const Bundle &bundle, const LaunchPlan &plan, const Launch &launch) {
  LaunchWork work;
  work.kind = launch.kind;
  work.operations = operationsOf(plan, launch);
  const BundleOperation &first = bundle.operations[launch.first];
  switch (launch.kind) {
  case LaunchKind::Specialised:
    work.kernelUs = bundle.kernels[*first.kernel].predictedUs;
    break;
  case LaunchKind::Chain:
    work.kernelUs = bundle.kernels[chainAt(bundle, launch.first)->kernel].predictedUs;
    break;
  case LaunchKind::Fallback: // usually returns at once
    break;
  case LaunchKind::Normalise:
    work.bytes = 2 * static_cast<double>(bundle.buffer(first.result.buffer).sizeElems *
                                         elementBytes(bundle.type));
    break;
  case LaunchKind::Level:
    work.phases = workOf(bundle, plan.mappings[launch.mapping]);
    break;
  }
  return work;
}

} // namespace

std::vector<LaunchWork> launchWorks(const Bundle &bundle, const LaunchPlan &plan) {
  std::vector<LaunchWork> works;
  uint32_t chainEnd = 0; // end of the last chain, which most likely runs as one kernel
  for (const Launch &launch : plan.launches) {
    works.push_back(launchWork(bundle, plan, launch));
    works.back().isDone =
        launch.kind != LaunchKind::Chain && launch.first < chainEnd && launch.count == 1;
    if (!works.back().isDone)
      chainEnd = launch.kind == LaunchKind::Chain ? launch.first + launch.count : 0;
  }
  return works;
}

double launchTimeUs(const LaunchWork &launch, const LevelSpeed &speed) {
  if (launch.isDone)
    return 0;
  switch (launch.kind) {
  case LaunchKind::Specialised:
  case LaunchKind::Chain:
    return speed.launchUs + speed.kernelFactor * launch.kernelUs;
  case LaunchKind::Fallback:
  case LaunchKind::Normalise:
    return speed.launchUs + launch.bytes / speed.bytesPerUs;
  case LaunchKind::Level:
    break;
  }
  return levelUs(launch.phases, speed);
}

} // namespace mpf
