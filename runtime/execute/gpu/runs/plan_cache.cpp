#include "runtime/execute/gpu/runs/plan_cache.h"

#include "dsl/support/check.h"
#include "dsl/support/table_layout.h"
#include "runtime/execute/gpu/cuda_stream.h"
#include "runtime/schedule/launches/build_launch_plan.h"
#include "runtime/schedule/launches/verify_launch_plan.h"
#include "runtime/schedule/transfers/build_transfer_plan.h"
#include "runtime/schedule/transfers/verify_transfer_plan.h"

#include <algorithm>
#include <string>
#include <utility>

namespace mpf {

PlanCache::PlanCache(const CudaDevice &device, const ReplicatedBundle &program, GpuArenas &arenas,
                     const GpuStates &states, GpuKernels &kernels, const JoinOptions &joins,
                     const CopySpeed &copies)
    : device_(device), program_(program), bundle_(program.bundle), arenas_(arenas), states_(states),
      kernels_(kernels), joins_(joins), copies_(copies) {}

GpuPlan &PlanCache::use(const std::vector<char> &runs, const GpuPlans::Kind &kind,
                        const std::vector<uint32_t> &wanted) {
  GpuPlan &plan = plans_.use(runs, kind);
  try {
    complete(plan, kind, wanted);
  } catch (...) {
    plans_.drop(); // the next use makes it again
    throw;
  }
  return plan;
}

/// Makes what a new plan lacks, or an old one for other states and results.
void PlanCache::complete(GpuPlan &plan, const GpuPlans::Kind &kind,
                         const std::vector<uint32_t> &wanted) {
  if (plan.heldFor != states_.initialNumber() && !plan.ranges.contain(states_.initial()))
    setLaunches(plan, launchesFor(kind, plan.ranges.widen(states_.initial())));
  plan.heldFor = states_.initialNumber();
  if (plan.resets.empty())
    plan.resets = states_.resetsOf(resetBuffers());
  if (plan.wanted != wanted || plan.transfersOf != plan.number) {
    plan.forgetGraph();
    plan.wanted = wanted;
    setTransfers(plan, kind);
  }
}

LaunchPlan PlanCache::launchesFor(const GpuPlans::Kind &kind,
                                  const std::vector<TableState> &ranges) const {
  LaunchPlan plan = buildLaunchPlan(bundle_, {ranges, plans_.runs(), kernels_.waits(),
                                              device_.properties().smCount, kind.grouped,
                                              kind.assumesLinear, kind.hostLooks, joins_});
  const std::string fault =
      findFault(plan, bundle_, kernels_.waits(), plans_.runs(), joins_.residentBlocks);
  MPF_CHECK(fault.empty(), "{}: {}", bundle_.name, fault);
  return plan;
}

void PlanCache::setLaunches(GpuPlan &plan, LaunchPlan launches) {
  if (!plan.due.empty() && plan.launches == launches)
    return;
  kernels_.modules().load(launches);
  plan.forgetGraph();
  plan.guard.reset();
  plan.number = ++lastNumber_;
  plan.launches = std::move(launches);
  plan.levels = buildGpuLevelTable(plan.launches, arenas_.operationTable(), arenas_.recordTable(),
                                   !bundle_.forcedLog && !isIntegerType(bundle_.type));
  plan.assumption = LinearAssumption(bundle_, plan.launches);
  plan.due = dueLaunches(bundle_, plan.launches, plans_.runs());
  if (kernels_.slices() != nullptr) {
    plan.steps = buildSliceSteps(program_, plan.launches, plans_.runs());
    const SlicePlaces places{arenas_.buffers(),
                             {arenas_.inputs().address(), arenas_.work().address()},
                             arenas_.records(),
                             arenas_.recordTable()};
    plan.slices.emplace(device_, buildSliceTables(program_, places, plans_.runs(), plan.assumption,
                                                  plan.steps.sums));
  }
  const uint64_t bytes = plan.levels.tasks.size() * sizeof(GpuLevelTask);
  if (plan.tasks.sizeBytes() < bytes)
    plan.tasks = DeviceMemory(device_, bytes);
  const uint64_t partials = plan.levels.partials * partialBytes(bundle_.type);
  if (arenas_.partialsBytes() < partials) {
    plans_.forgetGraphs(); // they use the memory that goes now
    arenas_.reservePartials(partials);
  }
  plan.tasks.upload(plan.levels.tasks.data(), bytes);
  device_.synchronize();
}

/// Returns the buffers whose states a run of the current plan resets.
std::vector<size_t> PlanCache::resetBuffers() const {
  std::vector<size_t> buffers;
  for (const BundleInput &input : bundle_.inputs)
    buffers.push_back(input.buffer.index());
  for (uint32_t i = 0; i < bundle_.operations.size(); ++i)
    if (plans_.runs()[i])
      buffers.push_back(bundle_.operations[i].result.buffer.index());
  return buffers;
}

/// Chooses the plan's copies beside launches, and the places of its results in the host's memory.
void PlanCache::setTransfers(GpuPlan &plan, const GpuPlans::Kind &kind) const {
  plan.transfers = {};
  plan.transfersOf = plan.number;
  const bool isWhole = kind.grouped && kind.bringsDown && kind.allReplicas;
  if (isWhole && copiesOverlap(device_))
    plan.transfers =
        buildTransferPlan(bundle_, plan.launches, {plan.wanted, joins_.speed, copies_});
  const std::string fault = findFault(plan.transfers, plan.launches, bundle_, plan.wanted);
  MPF_CHECK(fault.empty(), "{}: {}", bundle_.name, fault);

  plan.downloads.clear();
  uint64_t atBytes = 0;
  const auto add = [&](const std::vector<uint32_t> &buffers) {
    std::vector<CopyRange> ranges;
    for (const uint32_t buffer : buffers)
      ranges.push_back(arenas_.buffers().rangeOf(BufferId(size_t{buffer})));
    plan.downloads.push_back({ArenaImage(joinRanges(std::move(ranges))), atBytes});
    atBytes = roundUp(plan.downBytes(), tableAlignBytes(plan.downBytes()));
  };
  std::vector<uint32_t> others = plan.wanted;
  for (const DownloadGroup &group : plan.transfers.downloads) {
    add(group.buffers);
    std::erase_if(
        others, [&](uint32_t buffer) { return std::ranges::binary_search(group.buffers, buffer); });
  }
  add(others);
}

} // namespace mpf
