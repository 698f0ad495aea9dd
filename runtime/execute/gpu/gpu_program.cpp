#include "runtime/execute/gpu/gpu_program.h"

#include "codegen/bundle/kernel_interface.h"
#include "codegen/bundle/table_driven_shape.h"
#include "dsl/support/check.h"
#include "runtime/execute/gpu/launch_kernel.h"
#include "runtime/schedule/build_launch_plan.h"
#include "runtime/schedule/verify_launch_plan.h"

#include <algorithm>
#include <utility>

namespace mpf {

namespace {

// Modes of the table-driven kernels' last parameter (mpf_table_driven.cuh).
constexpr int kTableAuto = 0;
constexpr int kTableOnlyInexact = 1;
constexpr int kTableForcedLog = 2;

int tableMode(LaunchArithmetic arithmetic) {
  return arithmetic == LaunchArithmetic::IfInexact ? kTableOnlyInexact
         : arithmetic == LaunchArithmetic::Log     ? kTableForcedLog
                                                   : kTableAuto;
}

} // namespace

GpuProgram::GpuProgram(const CudaDevice &device, const Bundle &bundle, KernelStore &store)
    : device_(device), bundle_(bundle), buffers_(bundle), slice_(bundle.sliced.size(), 0),
      runs_(bundle.operations.size(), 1), chained_(bundle.operations.size(), 0) {
  MPF_CHECK(bundle.tableDriven.has_value(), "bundle {} was built without GPU kernels", bundle.name);
  inputs_ = DeviceMemory(device, buffers_.inputBytes());
  work_ = DeviceMemory(device, bundle.workArenaBytes);
  states_ = DeviceMemory(device, bundle.buffers.size() * sizeof(TableState));
  const GpuOperationTable table =
      buildGpuOperationTable(bundle, buffers_, inputs_.address(), work_.address());
  operations_ = DeviceMemory(device, table.operations.size() * sizeof(GpuOperation));
  digits_ = DeviceMemory(device, table.digits.size() * sizeof(GpuDigit));
  finishedBlocks_ = DeviceMemory(device, table.operations.size() * sizeof(uint32_t));
  operations_.upload(table.operations.data(), operations_.sizeBytes());
  digits_.upload(table.digits.data(), digits_.sizeBytes());
  device.synchronize(); // the tables above are host memory of this constructor
  table_ = table.operations;
  loadKernels(store);
  traceback_.emplace(
      device, bundle, modules_[*bundle.tableDriven],
      GpuTraceback::Places{buffers_, inputs_.address(), work_.address(), states_.address()});
}

void GpuProgram::loadKernels(KernelStore &store) {
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
  waits_ = waitingKernels(bundle_); // what a user put in a kernel's place may not
  const std::vector<CompiledKernel> compiled = store.compileAll(requests);
  for (size_t i = 0; i < compiled.size(); ++i) {
    images[slots[i]] = compiled[i].cubin;
    waits_[slots[i]] &= compiled[i].source == bundle_.kernels[slots[i]].source;
  }

  for (size_t i = 0; i < images.size(); ++i)
    modules_.emplace_back(device_, images[i], waits_[i] != 0);
  for (size_t i = 0; i < images.size(); ++i) {
    const BundleKernel &kernel = bundle_.kernels[i];
    const bool single = i != *bundle_.tableDriven;
    specialised_.push_back(single ? modules_[i].function(kernel.name, kernel.sharedBytes)
                                  : CudaKernel{});
  }
  for (const char *entry : {"mpf_operation", "mpf_normalise", "mpf_small_operations"})
    if (!isIntegerType(bundle_.type) || entry != std::string_view("mpf_normalise"))
      tableDriven_[entry] = modules_[*bundle_.tableDriven].function(entry, 0);
}

CudaDevicePointer GpuProgram::addressOf(const BundleAccess &access) const {
  return (bundle_.buffer(access.buffer).input ? inputs_ : work_).address() +
         buffers_.offsetBytes(access.buffer, sliceOffsetElems(access, slice_));
}

void GpuProgram::setInputs(std::span<const std::byte> arena, const std::vector<TableState> &states,
                           const std::vector<char> &changed) {
  MPF_CHECK(states.size() == bundle_.buffers.size(), "{} states for {} buffers", states.size(),
            bundle_.buffers.size());
  const std::span<const std::byte> image = buffers_.image(arena, states, changed, packed_);
  inputs_.upload(image.data(), inputs_.sizeBytes());
  device_.synchronize();
  initialStates_ = states;
  setPlan(planFor(true));
}

void GpuProgram::setPlan(LaunchPlan plan) {
  if (plan == plan_)
    return;
  plan_ = std::move(plan);
  graph_.reset();
  ranBefore_ = false;
}

void GpuProgram::setOperations(std::vector<char> runs) {
  MPF_CHECK(runs.size() == bundle_.operations.size(), "{} flags for {} operations", runs.size(),
            bundle_.operations.size());
  if (runs == runs_)
    return;
  runs_ = std::move(runs);
  setPlan(planFor(true));
}

LaunchPlan GpuProgram::planFor(bool grouped) const {
  LaunchPlan plan = buildLaunchPlan(
      bundle_, {initialStates_, runs_, waits_, device_.properties().smCount, grouped});
  const std::string fault = findFault(plan, bundle_, waits_, runs_);
  MPF_CHECK(fault.empty(), "{}: {}", bundle_.name, fault);
  return plan;
}

void GpuProgram::launchTable(const char *entry, const Launch &launch) {
  CudaDevicePointer operations = operations_.address(), digits = digits_.address(),
                    states = states_.address(), finished = finishedBlocks_.address();
  int first = static_cast<int>(launch.first), count = static_cast<int>(launch.count),
      mode = tableMode(launch.arithmetic);
  std::vector<void *> arguments = {&operations};
  const bool normalises = launch.kind == LaunchKind::Normalise;
  if (!normalises)
    arguments.push_back(&digits);
  arguments.push_back(&states);
  if (normalises)
    arguments.push_back(&finished);
  arguments.push_back(&first);
  if (launch.kind == LaunchKind::SmallOperations)
    arguments.push_back(&count);
  arguments.push_back(&mode);
  device_.launch(tableDriven_.at(entry),
                 {static_cast<uint32_t>(launch.gridBlocks), kTableDrivenThreads, 0},
                 arguments.data(), entry);
}

void GpuProgram::launchKernelNumber(uint32_t kernel,
                                    const std::vector<const BundleAccess *> &operands,
                                    const BundleAccess &result, int mode, WaitPoint wait) {
  std::vector<LaunchTable> tables;
  for (const BundleAccess *access : operands)
    tables.push_back({addressOf(*access), static_cast<int>(access->buffer.value)});
  tables.push_back({addressOf(result), static_cast<int>(result.buffer.value)});
  const CudaKernel &function = specialised_[kernel];
  if (function.waits)
    mode |= waitBits(wait);
  launchKernel(device_, bundle_.kernels[kernel], function, tables, states_.address(), mode);
}

void GpuProgram::launchSpecialised(const Launch &launch) {
  const BundleOperation &operation = bundle_.operations[launch.first];
  std::vector<const BundleAccess *> operands;
  for (const BundleAccess &access : operation.operands)
    operands.push_back(&access);
  launchKernelNumber(*operation.kernel, operands, operation.result,
                     launch.arithmetic == LaunchArithmetic::IfExact ? kRunIfExact : kRunAlways,
                     launch.wait);
}

/// Unless a chain has done it already.
void GpuProgram::launch(const Launch &launch) {
  if (launch.kind != LaunchKind::Chain && chained_[launch.first])
    return;
  switch (launch.kind) {
  case LaunchKind::Specialised:
    return launchSpecialised(launch);
  case LaunchKind::TableDriven:
  case LaunchKind::Fallback:
    return launchTable("mpf_operation", launch);
  case LaunchKind::Normalise:
    return launchTable("mpf_normalise", launch);
  case LaunchKind::SmallOperations:
    return launchTable("mpf_small_operations", launch);
  case LaunchKind::Chain:
    return launchChain(launch);
  }
}

void GpuProgram::prepareRun() {
  MPF_CHECK(initialStates_.size() == bundle_.buffers.size(), "{}: run before the inputs are bound",
            bundle_.name);
  std::vector<size_t> buffers;
  for (const BundleInput &input : bundle_.inputs)
    buffers.push_back(input.buffer.index());
  for (uint32_t i = 0; i < bundle_.operations.size(); ++i)
    if (runs_[i])
      buffers.push_back(bundle_.operations[i].result.buffer.index());
  resetStates(buffers);
  finishedBlocks_.fill(0);
  std::fill(chained_.begin(), chained_.end(), 0);
}

/// Launches that run once more as they are: one graph of all of them. Not where the host has to
/// look at ranges in between.
bool GpuProgram::replay() {
  if (plan_.hostDecides() || !std::exchange(ranBefore_, true))
    return false;
  if (!graph_)
    recordGraph();
  if (!graph_)
    return false;
  graph_->launch();
  chained_ = graphChained_;
  return true;
}

/// Some drivers may refuse to record launches that overlap: such a program runs launch by launch.
void GpuProgram::recordGraph() {
  if (graphRefused_)
    return;
  try {
    graph_.emplace(device_, [this] {
      for (const Launch &each : plan_.launches)
        launch(each);
    });
    graphChained_ = chained_;
  } catch (const Error &error) {
    if (error.kind() != ErrorKind::Device)
      throw;
    graphRefused_ = true;
    std::fill(chained_.begin(), chained_.end(), 0);
  }
}

std::vector<double> GpuProgram::run(bool perOperation) {
  std::vector<double> operationUs;
  prepareRun();
  std::vector<CudaEvent> events;
  const auto mark = [&] {
    events.emplace_back(device_);
    events.back().record();
  };
  if (perOperation)
    mark();
  if (perOperation || !replay())
    for (const Launch &each : plan_.launches) {
      launch(each);
      if (perOperation)
        mark();
    }
  device_.synchronize();
  if (perOperation) {
    operationUs.assign(bundle_.operations.size(), 0);
    for (size_t s = 0; s < plan_.launches.size(); ++s) {
      const Launch &each = plan_.launches[s];
      const double time = events[s + 1].microsecondsSince(events[s]);
      for (uint32_t k = 0; k < each.count; ++k)
        operationUs[each.first + k] += time / each.count;
    }
  }
  return operationUs;
}

void GpuProgram::runStepwise(const StepwiseCalls &calls) {
  prepareRun();
  const std::vector<Launch> launches = planFor(false).launches;
  for (size_t s = 0; s < launches.size(); ++s) {
    if (s == 0 || launches[s - 1].first != launches[s].first)
      calls.before(launches[s].first);
    launch(launches[s]);
    if (s + 1 == launches.size() || launches[s + 1].first != launches[s].first) {
      device_.synchronize();
      calls.after(launches[s].first);
    }
  }
}

std::vector<TableState> GpuProgram::readStates() const {
  std::vector<TableState> states(bundle_.buffers.size());
  states_.download(states.data(), states_.sizeBytes());
  device_.synchronize();
  return states;
}

std::vector<std::byte> GpuProgram::readBuffer(BufferId buffer, const TableState &state) const {
  std::vector<std::byte> bytes = startRead(buffer, state);
  device_.synchronize();
  return bytes;
}

std::vector<std::byte> GpuProgram::startRead(BufferId buffer, const TableState &state) const {
  const BundleBuffer &place = bundle_.buffer(buffer);
  MPF_CHECK(!place.packed, "packed input {} is read from the device", place.name);
  std::vector<std::byte> bytes(bufferBytes(place.sizeElems, bundle_.type, bundle_.signedValues));
  const bool hasSigns = state.form != 0 && bundle_.signedValues;
  const uint64_t written = bufferBytes(place.sizeElems, bundle_.type, hasSigns);
  (place.input ? inputs_ : work_).download(bytes.data(), written, buffers_.offsetBytes(buffer));
  return bytes;
}

const char *GpuProgram::pathName(uint32_t index) const {
  if (chained_[index])
    return "chain";
  return bundle_.operations[index].kernel ? "specialised" : "table-driven";
}

} // namespace mpf
