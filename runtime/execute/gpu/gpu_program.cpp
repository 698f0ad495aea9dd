#include "runtime/execute/gpu/gpu_program.h"

#include "codegen/bundle/kernel_interface.h"
#include "codegen/bundle/slice_arenas.h"
#include "codegen/bundle/table_driven_shape.h"
#include "dsl/support/check.h"
#include "runtime/compile/nvrtc_compiler.h"
#include "runtime/execute/gpu/launch_kernel.h"
#include "runtime/execute/gpu/start_times.h"
#include "runtime/schedule/launches/build_launch_plan.h"
#include "runtime/schedule/launches/launch_use.h"
#include "runtime/schedule/launches/linear_assumption.h"
#include "runtime/schedule/launches/verify_launch_plan.h"

#include <algorithm>
#include <array>
#include <utility>

namespace mpf {

namespace {

// Modes of the level kernel's last parameter (MpfRunMode of mpf_operations.cuh); flags of tasks
// mark fallbacks.
constexpr int kTableAuto = 0;
constexpr int kTableForcedLog = 2;

constexpr uint64_t kStageBytes = uint64_t{1} << 20, kGivenBytes = uint64_t{8} << 20;

/// True if the device runs through slices. Without a compiler, a bundle with machine code still
/// runs, but the host leads.
bool deviceLeads(const Bundle &bundle) {
  return !bundle.sliced.empty() && NvrtcCompiler::available();
}

ReplicatedBundle replicatedFor(const CudaDevice &device, const Bundle &bundle,
                               ReplicaOptions options) {
  MPF_CHECK(bundle.tableDriven.has_value(), "bundle {} was built without GPU kernels", bundle.name);
  options.speed.multiprocessors = device.properties().smCount;
  if (!deviceLeads(bundle))
    options.atOnce = 1;
  return replicateForGpu(bundle, options);
}

std::vector<uint32_t> inputsByPlace(const Bundle &bundle, const DeviceBuffers &buffers) {
  std::vector<uint32_t> inputs;
  for (const BundleInput &input : bundle.inputs)
    inputs.push_back(input.buffer.value);
  std::ranges::sort(inputs, {}, [&](uint32_t buffer) {
    return buffers.rangeOf(BufferId(size_t{buffer})).firstBytes;
  });
  return inputs;
}

} // namespace

GpuProgram::GpuProgram(const CudaDevice &device, const Bundle &bundle, KernelStore &store,
                       const JoinOptions &joins, const ReplicaOptions &replicas,
                       const CopySpeed &copies)
    : device_(device), replicas_(replicatedFor(device, bundle, replicas)),
      bundle_(replicas_.bundle), givenWorkBytes_(workTableBytes(bundle)), buffers_(bundle_),
      joins_(joins), copies_(copies), slice_(bundle.sliced.size(), 0), operationsNow_(replicas_),
      stage_(device, kStageBytes), inputsByPlace_(inputsByPlace(bundle_, buffers_)),
      given_(device, kGivenBytes), deviceStates_(bundle_.buffers.size(), TableState{0, 0, 0, 0}),
      groupOf_(bundle_.buffers.size(), kNoGroup), chained_(bundle_.operations.size(), 0) {
  inputs_ = DeviceMemory(device, buffers_.inputBytes());
  work_ = DeviceMemory(device, bundle_.workArenaBytes);
  stateBytes_ = bundle_.buffers.size() * sizeof(TableState);
  table_ = buildGpuOperationTable(bundle_, buffers_, inputs_.address(), work_.address());
  recordTable_ = buildGpuRecords(table_);
  operations_ = DeviceMemory(device, table_.operations.size() * sizeof(GpuOperation));
  records_ = DeviceMemory(device, recordTable_.units.size() * sizeof(GpuRecordUnit));
  const uint64_t runBytes = stateBytes_ + counterBytes();
  run_ = DeviceMemory(device, runBytes);
  initialRun_ = DeviceMemory(device, runBytes);
  run_.fill(0); // the states of results of another device are read too
  initialRun_.fill(0);
  operations_.upload(table_.operations.data(), operations_.sizeBytes());
  records_.upload(recordTable_.units.data(), records_.sizeBytes());
  compileKernels(store);
  joins_.speed.multiprocessors = device.properties().smCount;
  joins_.residentBlocks =
      uint64_t{device.residentBlocks(kernels_->tableDriven("mpf_level"), kTableDrivenThreads)} *
      device.properties().smCount;
  traceback_.emplace(
      device, bundle_, kernels_->tableDrivenModule(),
      GpuTraceback::Places{buffers_, inputs_.address(), work_.address(), run_.address()});
}

void GpuProgram::compileKernels(KernelStore &store) {
  const std::string &arch = device_.properties().arch;
  std::vector<std::string> images(bundle_.kernels.size());
  std::vector<CompileRequest> requests;
  std::vector<size_t> slots;
  for (size_t i = 0; i < images.size(); ++i) {
    const BundleKernel &kernel = bundle_.kernels[i];
    for (const BundleCubin &cubin : kernel.cubins)
      if (cubin.arch == arch)
        images[i] = cubin.contents;
    if (images[i].empty()) {
      requests.push_back({kernel.name, kernel.source, arch});
      slots.push_back(i);
    }
  }
  const bool playsSlices = deviceLeads(bundle_);
  if (playsSlices)
    requests.push_back({sliceKernelName(bundle_.type), sliceKernelSource(bundle_.type), arch});
  waits_ = waitingKernels(bundle_); // a user's replacement may not wait
  const std::vector<CompiledKernel> compiled = [&] {
    const StartTimer timer(StartPart::Compile);
    return store.compileAll(requests);
  }();
  for (size_t i = 0; i < slots.size(); ++i) {
    images[slots[i]] = compiled[i].cubin;
    waits_[slots[i]] &= compiled[i].source == bundle_.kernels[slots[i]].source;
  }
  if (playsSlices)
    sliceKernels_.emplace(device_, replicas_, compiled.back(),
                          SliceKernels::Places{run_.address(), initialRun_.address(), counters()});
  kernels_.emplace(device_, bundle_, std::move(images), waits_);
}

CudaDevicePointer GpuProgram::addressOf(const BundleAccess &access,
                                        const SliceStates &states) const {
  return (bundle_.buffer(access.buffer).input ? inputs_ : work_).address() +
         buffers_.offsetBytes(access.buffer, sliceOffsetElems(access, states));
}

/// Makes the plan of the current operations, unless it exists.
void GpuProgram::usePlan(const GpuPlans::Kind &kind) {
  GpuPlan &plan = plans_.use(kind.allReplicas ? operationsNow_.runs() : operationsNow_.led(), kind);
  if (plan.heldFor != statesNumber_ && !plan.ranges.contain(initialStates_)) {
    try {
      setPlan(plan, planFor(kind, plan.ranges.widen(initialStates_)));
    } catch (...) {
      plans_.drop(); // the next use makes it again
      throw;
    }
  }
  plan.heldFor = statesNumber_;
  chooseTransfers(plan, kind);
}

/// Returns the kind of the next whole run. After a broken assumption some runs assume nothing,
/// because such inputs come in series.
GpuPlans::Kind GpuProgram::nextKind() {
  const bool isCareful = carefulRuns_ != 0;
  carefulRuns_ -= isCareful ? 1 : 0;
  assumes_ = !isCareful && operationsNow_.canRunAgain() && mayAssumeLinear(bundle_);
  // The host does not read ranges between slices.
  return {true, assumes_, bundle_.sliced.empty()};
}

bool GpuProgram::wasWrong(const std::vector<TableState> &states) {
  if (!assumes_ || (outcome_.faults.broken == 0 && plans_.inUse().assumption.held(states)))
    return false;
  constexpr unsigned kCarefulRuns = 64;
  carefulRuns_ = kCarefulRuns;
  return true;
}

void GpuProgram::setPlan(GpuPlan &plan, LaunchPlan launches) {
  if (!plan.due.empty() && plan.launches == launches)
    return;
  kernels_->load(launches);
  plan.forgetGraph();
  plan.guard.reset();
  plan.number = ++planNumber_;
  plan.launches = std::move(launches);
  plan.levels = buildGpuLevelTable(plan.launches, table_, recordTable_,
                                   !bundle_.forcedLog && !isIntegerType(bundle_.type));
  plan.assumption = LinearAssumption(bundle_, plan.launches);
  plan.due = dueLaunches(bundle_, plan.launches, plans_.runs());
  if (sliceKernels_) {
    plan.steps = buildSliceSteps(replicas_, plan.launches, plans_.runs());
    const SlicePlaces places{
        buffers_, {inputs_.address(), work_.address()}, records_.address(), recordTable_};
    plan.slices.emplace(device_, buildSliceTables(replicas_, places, plans_.runs(), plan.assumption,
                                                  plan.steps.sums));
  }
  const uint64_t bytes = plan.levels.tasks.size() * sizeof(GpuLevelTask);
  if (plan.tasks.sizeBytes() < bytes)
    plan.tasks = DeviceMemory(device_, bytes);
  if (const uint64_t sums = plan.levels.partials * partialBytes(bundle_.type);
      partials_.sizeBytes() < sums) {
    plans_.forgetGraphs();
    partials_ = DeviceMemory(device_, sums);
  }
  plan.tasks.upload(plan.levels.tasks.data(), bytes);
  device_.synchronize();
}

void GpuProgram::setOperations(const std::vector<char> &runs, std::vector<uint32_t> wanted) {
  operationsNow_.use(runs);
  wanted_ = std::move(wanted);
  std::sort(wanted_.begin(), wanted_.end());
}

LaunchPlan GpuProgram::planFor(const GpuPlans::Kind &kind,
                               const std::vector<TableState> &ranges) const {
  LaunchPlan plan =
      buildLaunchPlan(bundle_, {ranges, plans_.runs(), waits_, device_.properties().smCount,
                                kind.grouped, kind.assumesLinear, kind.hostLooks, joins_});
  const std::string fault = findFault(plan, bundle_, waits_, plans_.runs(), joins_.residentBlocks);
  MPF_CHECK(fault.empty(), "{}: {}", bundle_.name, fault);
  return plan;
}

void GpuProgram::launchNormalise(const Launch &launch) {
  CudaDevicePointer operations = operations_.address(), states = run_.address(),
                    finished = counters();
  int index = static_cast<int>(launch.first);
  std::array<void *, 4> arguments = {&operations, &states, &finished, &index};
  device_.launch(behindSteps(kernels_->tableDriven("mpf_normalise")),
                 {launch.gridBlocks, kTableDrivenThreads, 0}, arguments.data(), "mpf_normalise");
}

void GpuProgram::launchMapped(const Launch &launch) {
  const GpuPlan &plan = plans_.inUse();
  CudaDevicePointer tasks = plan.tasks.address(), records = records_.address(),
                    states = run_.address(), finished = counters(), partials = partials_.address();
  GpuLevelTable::Place place = plan.levels.places[launch.mapping];
  int mode = launch.arithmetic == LaunchArithmetic::Log ? kTableForcedLog : kTableAuto;
  std::array<void *, 8> arguments = {&tasks,    &records,         &states,      &finished,
                                     &partials, &place.firstStep, &place.heads, &mode};
  GridShape grid{launch.gridBlocks, kTableDrivenThreads, 0};
  grid.isCooperative = phasesOf(plan.launches.mappings[launch.mapping]) > 1;
  device_.launch(behindSteps(kernels_->tableDriven("mpf_level")), grid, arguments.data(),
                 "mpf_level");
}

void GpuProgram::launchKernelNumber(uint32_t kernel,
                                    const std::vector<const BundleAccess *> &operands,
                                    const BundleAccess &result, const SliceStates &states, int mode,
                                    WaitPoint wait) {
  std::vector<LaunchTable> tables;
  for (const BundleAccess *access : operands)
    tables.push_back({addressOf(*access, states), static_cast<int>(access->buffer.value)});
  tables.push_back({addressOf(result, states), static_cast<int>(result.buffer.value)});
  const CudaKernel function = kernels_->specialised(kernel);
  if (function.waits)
    mode |= waitBits(wait);
  launchKernel(device_, bundle_.kernels[kernel], behindSteps(function), tables, run_.address(),
               mode);
}

void GpuProgram::launchSpecialised(const Launch &launch) {
  const BundleOperation &operation = bundle_.operations[launch.first];
  std::vector<const BundleAccess *> operands;
  for (const BundleAccess &access : operation.operands)
    operands.push_back(&access);
  launchKernelNumber(
      *operation.kernel, operands, operation.result, replicas_.statesOf(launch.first, slice_),
      launch.arithmetic == LaunchArithmetic::IfExact ? kRunIfExact : kRunAlways, launch.wait);
}

/// Launches, unless a chain has already computed the operation.
void GpuProgram::launch(const Launch &launch) {
  if (launch.kind != LaunchKind::Chain && chained_[launch.first])
    return;
  switch (launch.kind) {
  case LaunchKind::Specialised:
    return launchSpecialised(launch);
  case LaunchKind::Normalise:
    return launchNormalise(launch);
  case LaunchKind::Fallback:
  case LaunchKind::Level:
    return launchMapped(launch);
  case LaunchKind::Chain:
    return launchChain(launch);
  }
}

std::vector<double> GpuProgram::runMeasured() {
  prepareRun(nextKind());
  resetPlanned();
  std::vector<CudaEvent> events;
  const auto mark = [&] {
    events.emplace_back(device_);
    events.back().record();
  };
  mark();
  const LaunchPlan &plan = plans_.inUse().launches;
  for (const Launch &each : plan.launches) {
    launch(each);
    mark();
  }
  device_.synchronize();
  if (wasWrong(readStates()))
    return runMeasured();
  std::vector<double> operationUs(replicas_.first.size(), 0);
  for (size_t s = 0; s < plan.launches.size(); ++s) {
    const Launch &each = plan.launches[s];
    const double time = events[s + 1].microsecondsSince(events[s]);
    for (const uint32_t operation : operationsOf(plan, each))
      operationUs[replicas_.original[operation]] += time / each.count;
  }
  return operationUs;
}

void GpuProgram::runStepwise(const StepwiseCalls &calls) {
  assumes_ = false;
  prepareRun({false, false, true, true, false});
  resetPlanned();
  const std::vector<Launch> &launches = plans_.inUse().launches.launches;
  for (size_t s = 0; s < launches.size(); ++s) {
    if (s == 0 || launches[s - 1].first != launches[s].first)
      calls.before(replicas_.original[launches[s].first]);
    launch(launches[s]);
    if (s + 1 == launches.size() || launches[s + 1].first != launches[s].first) {
      device_.synchronize();
      calls.after(replicas_.original[launches[s].first]);
    }
  }
}

const char *GpuProgram::pathName(uint32_t index) const {
  if (chained_[replicas_.first[index]])
    return "chain";
  return bundle_.operations[replicas_.first[index]].kernel ? "specialised" : "table-driven";
}

} // namespace mpf
