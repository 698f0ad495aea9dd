#include "runtime/execute/gpu/runs/gpu_launcher.h"

#include "codegen/bundle/chain_tables.h"
#include "codegen/bundle/kernel_interface.h"
#include "codegen/bundle/table_driven_shape.h"
#include "dsl/support/check.h"
#include "runtime/execute/gpu/launch_kernel.h"
#include "runtime/schedule/launches/build_launch_plan.h"
#include "runtime/schedule/launches/launch_use.h"
#include "runtime/schedule/launches/range_bounds.h"

#include <algorithm>
#include <array>

namespace mpf {

namespace {

// Modes of the level kernel's last parameter (MpfRunMode of mpf_operations.cuh); flags of tasks
// mark fallbacks.
constexpr int kTableAuto = 0;
constexpr int kTableForcedLog = 2;

} // namespace

GpuLauncher::GpuLauncher(const CudaDevice &device, const ReplicatedBundle &program,
                         const GpuArenas &arenas, const GpuStates &states, KernelModules &kernels)
    : device_(device), program_(program), bundle_(program.bundle), arenas_(arenas), states_(states),
      kernels_(kernels), slice_(bundle_.sliced.size(), 0), chained_(bundle_.operations.size(), 0) {}

void GpuLauncher::begin() { std::fill(chained_.begin(), chained_.end(), 0); }

void GpuLauncher::setSlice(const SliceStates &states) {
  MPF_CHECK(states.size() == slice_.size(), "{} states for {} loops", states.size(), slice_.size());
  slice_ = states;
}

void GpuLauncher::launch(const GpuPlan &plan, const Launch &launch) {
  if (launch.kind != LaunchKind::Chain && chained_[launch.first])
    return;
  switch (launch.kind) {
  case LaunchKind::Specialised:
    return launchSpecialised(launch);
  case LaunchKind::Normalise:
    return launchNormalise(launch);
  case LaunchKind::Fallback:
  case LaunchKind::Level:
    return launchMapped(plan, launch);
  case LaunchKind::Chain:
    return launchPlannedChain(launch);
  }
}

/// Returns the kernel, without overlap if its launch must wait for the work before.
CudaKernel GpuLauncher::ordered(CudaKernel kernel) {
  kernel.waits = nextMayOverlap() && kernel.waits;
  return kernel;
}

bool GpuLauncher::isExact(const BundleChain &chain) const {
  const std::vector<const BundleAccess *> operands = chainOperands(bundle_, chain);
  std::vector<TableState> states(operands.size());
  for (size_t i = 0; i < operands.size(); ++i) {
    const BufferId buffer = operands[i]->buffer;
    if (bundle_.buffer(buffer).input)
      states[i] = states_.initial()[buffer.index()];
    else
      states_.startDownload(&states[i], buffer);
  }
  device_.synchronize();
  return linearIsExact(states, termsLog2(bundle_, chain), bundle_.type);
}

void GpuLauncher::launchChain(const BundleChain &chain, WaitPoint wait) {
  launchKernelNumber(chain.kernel, chainOperands(bundle_, chain), chainResult(bundle_, chain),
                     program_.statesOf(chain.first, slice_), kRunAlways, wait);
}

void GpuLauncher::launchPlannedChain(const Launch &launch) {
  const BundleChain &chain = *chainAt(bundle_, launch.first);
  const bool runs = launch.arithmetic != LaunchArithmetic::IfExact || isExact(chain);
  std::fill_n(chained_.begin() + launch.first, launch.count, runs);
  if (runs)
    launchChain(chain, launch.wait);
}

void GpuLauncher::launchNormalise(const Launch &launch) {
  CudaDevicePointer operations = arenas_.operations(), states = states_.address(),
                    finished = states_.counters();
  int index = static_cast<int>(launch.first);
  std::array<void *, 4> arguments = {&operations, &states, &finished, &index};
  device_.launch(ordered(kernels_.tableDriven("mpf_normalise")),
                 {launch.gridBlocks, kTableDrivenThreads, 0}, arguments.data(), "mpf_normalise");
}

void GpuLauncher::launchMapped(const GpuPlan &plan, const Launch &launch) {
  CudaDevicePointer tasks = plan.tasks.address(), records = arenas_.records(),
                    states = states_.address(), finished = states_.counters(),
                    partials = arenas_.partials();
  GpuLevelTable::Place place = plan.levels.places[launch.mapping];
  int mode = launch.arithmetic == LaunchArithmetic::Log ? kTableForcedLog : kTableAuto;
  std::array<void *, 8> arguments = {&tasks,    &records,         &states,      &finished,
                                     &partials, &place.firstStep, &place.heads, &mode};
  GridShape grid{launch.gridBlocks, kTableDrivenThreads, 0};
  grid.isCooperative = phasesOf(plan.launches.mappings[launch.mapping]) > 1;
  device_.launch(ordered(kernels_.tableDriven("mpf_level")), grid, arguments.data(), "mpf_level");
}

void GpuLauncher::launchKernelNumber(uint32_t kernel,
                                     const std::vector<const BundleAccess *> &operands,
                                     const BundleAccess &result, const SliceStates &states,
                                     int mode, WaitPoint wait) {
  std::vector<LaunchTable> tables;
  for (const BundleAccess *access : operands)
    tables.push_back({arenas_.addressOf(*access, states), static_cast<int>(access->buffer.value)});
  tables.push_back({arenas_.addressOf(result, states), static_cast<int>(result.buffer.value)});
  const CudaKernel function = kernels_.specialised(kernel);
  if (function.waits)
    mode |= waitBits(wait);
  launchKernel(device_, bundle_.kernels[kernel], ordered(function), tables, states_.address(),
               mode);
}

void GpuLauncher::launchSpecialised(const Launch &launch) {
  const BundleOperation &operation = bundle_.operations[launch.first];
  std::vector<const BundleAccess *> operands;
  for (const BundleAccess &access : operation.operands)
    operands.push_back(&access);
  launchKernelNumber(
      *operation.kernel, operands, operation.result, program_.statesOf(launch.first, slice_),
      launch.arithmetic == LaunchArithmetic::IfExact ? kRunIfExact : kRunAlways, launch.wait);
}

} // namespace mpf
