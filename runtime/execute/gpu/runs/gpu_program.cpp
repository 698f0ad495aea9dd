#include "runtime/execute/gpu/runs/gpu_program.h"

#include "codegen/bundle/slice_arenas.h"
#include "codegen/bundle/table_driven_shape.h"
#include "dsl/support/check.h"

#include <utility>

namespace mpf {

namespace {

ReplicatedBundle replicatedFor(const CudaDevice &device, const Bundle &bundle,
                               ReplicaOptions options) {
  MPF_CHECK(bundle.tableDriven.has_value(), "bundle {} was built without GPU kernels", bundle.name);
  options.speed.multiprocessors = device.properties().smCount;
  if (!deviceLeads(bundle))
    options.atOnce = 1;
  return replicateForGpu(bundle, options);
}

JoinOptions joinsFor(const CudaDevice &device, KernelModules &kernels, JoinOptions options) {
  options.speed.multiprocessors = device.properties().smCount;
  options.residentBlocks =
      uint64_t{device.residentBlocks(kernels.tableDriven("mpf_level"), kTableDrivenThreads)} *
      device.properties().smCount;
  return options;
}

} // namespace

GpuProgram::GpuProgram(const CudaDevice &device, const Bundle &bundle, KernelStore &store,
                       const JoinOptions &joins, const ReplicaOptions &replicas,
                       const CopySpeed &copies)
    : device_(device), replicas_(replicatedFor(device, bundle, replicas)),
      givenWorkBytes_(workTableBytes(bundle)), arenas_(device, replicas_.bundle),
      states_(device, replicas_.bundle), kernels_(device, replicas_, store, states_),
      traceback_(device, replicas_.bundle, kernels_.modules().tableDrivenModule(),
                 GpuTraceback::Places{arenas_.buffers(), arenas_.inputs().address(),
                                      arenas_.work().address(), states_.address()}),
      beside_(device), launcher_(device, replicas_, arenas_, states_, kernels_.modules()),
      plans_(device, replicas_, arenas_, states_, kernels_,
             joinsFor(device, kernels_.modules(), joins), copies),
      inputs_(device, replicas_.bundle, arenas_, beside_, copies),
      given_(device, replicas_.bundle, arenas_.work(), states_, beside_),
      results_(device, replicas_, arenas_, states_, kernels_.slices(), beside_),
      setup_(replicas_, states_, plans_, inputs_, results_, launcher_),
      slicePlayer_(kernels_.slices() == nullptr
                       ? std::nullopt
                       : std::optional<SlicePlayer>(std::in_place, device, replicas_,
                                                    *kernels_.slices(), launcher_, refusals_)),
      player_(device, states_, launcher_, inputs_, results_,
              slicePlayer_ ? &*slicePlayer_ : nullptr, refusals_),
      assuming_(replicas_.bundle), unseen_(device, replicas_.bundle, states_, kernels_.slices(),
                                           launcher_, setup_, player_, assuming_, refusals_),
      led_(device, replicas_, arenas_, states_, launcher_, setup_, player_, assuming_) {}

void GpuProgram::setInputs(HostImage &arena, const std::vector<TableState> &states,
                           const std::vector<char> &changed) {
  inputs_.set(arena, states, changed);
  states_.setInitial(states);
}

void GpuProgram::start() {
  GpuPlan &plan = setup_.prepare(assuming_.next(setup_.operations().canRunAgain()), true);
  isStarted_ = true;
  if (std::exchange(hasRun_, true))
    results_.lock();
  player_.start(plan);
}

std::vector<TableState> GpuProgram::finish() {
  std::vector<TableState> states = bringDown();
  if (!assuming_.wasWrong(setup_.plan(), outcome().faults.broken != 0, states))
    return states;
  start();
  return bringDown();
}

std::vector<TableState> GpuProgram::bringDown() {
  std::vector<TableState> states = results_.finish(setup_.plan());
  states_.clearStage();
  given_.clearStage();
  states_.note(states);
  isStarted_ = false;
  return states;
}

void GpuProgram::setBestSlices(std::span<const uint32_t> noted) {
  MPF_CHECK(kernels_.slices() != nullptr, "best slices of {}, which the host leads",
            replicas_.bundle.name);
  kernels_.slices()->uploadBest(noted);
  synchronize();
}

void GpuProgram::synchronize() {
  device_.synchronize();
  states_.clearStage();
  given_.clearStage();
}

void GpuProgram::drain() const noexcept {
  beside_.drain();
  device_.drain();
}

} // namespace mpf
