#include "runtime/execute/gpu/gpu_program.h"

#include "codegen/bundle/kernel_interface.h"
#include "codegen/bundle/table_driven_shape.h"
#include "codegen/bundle/verify_chains.h"
#include "dsl/support/check.h"
#include "runtime/execute/gpu/launch_kernel.h"
#include "runtime/execute/host/range_bounds.h"

#include <algorithm>
#include <utility>

namespace mpf {

namespace {

// Modes of the table-driven kernels' last parameter (mpf_table_driven.cuh).
constexpr int kTableAuto = 0;
constexpr int kTableOnlyInexact = 1;
constexpr int kTableForcedLog = 2;

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
  for (const GpuOperation &operation : table.operations) {
    groups_.push_back(operation.keptAddresses * static_cast<uint64_t>(operation.lanes));
    addresses_.push_back(operation.keptAddresses * operation.reducedAddresses);
  }
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
  std::vector<char> waits; // what a user put in a kernel's place may not
  for (const BundleKernel &kernel : bundle_.kernels)
    waits.push_back(startsByWaiting(kernel.source));
  const std::vector<CompiledKernel> compiled = store.compileAll(requests);
  for (size_t i = 0; i < compiled.size(); ++i) {
    images[slots[i]] = compiled[i].cubin;
    waits[slots[i]] &= compiled[i].source == bundle_.kernels[slots[i]].source;
  }

  for (size_t i = 0; i < images.size(); ++i)
    modules_.emplace_back(device_, images[i], waits[i] != 0);
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

/// The whole buffer; inputs are in the other arena, and stay.
void GpuProgram::addRange(const BundleAccess &access, std::vector<ByteRange> &ranges) const {
  const BundleBuffer &buffer = bundle_.buffer(access.buffer);
  if (buffer.input)
    return;
  const uint64_t begin = buffers_.offsetBytes(access.buffer);
  ranges.push_back(
      {begin, begin + bufferBytes(buffer.sizeElems, bundle_.type, bundle_.signedValues)});
}

LaunchUse GpuProgram::useOf(const Step &step) const {
  LaunchUse use;
  for (uint32_t i = step.first; i < step.first + step.count; ++i) {
    for (const BundleAccess &operand : bundle_.operations[i].operands)
      addRange(operand, use.reads);
    addRange(bundle_.operations[i].result, use.writes);
  }
  return use;
}

/// A run of small operations goes on: the next one of the same loop.
bool GpuProgram::joinsRun(const std::vector<Step> &steps, uint32_t operation) const {
  return !steps.empty() && steps.back().kind == Step::Kind::SmallRun &&
         steps.back().first + steps.back().count == operation &&
         bundle_.operations[steps.back().first].loop == bundle_.operations[operation].loop;
}

void GpuProgram::setInputs(std::span<const std::byte> arena, const std::vector<TableState> &states,
                           const std::vector<char> &changed) {
  MPF_CHECK(states.size() == bundle_.buffers.size(), "{} states for {} buffers", states.size(),
            bundle_.buffers.size());
  const std::span<const std::byte> image = buffers_.image(arena, states, changed, packed_);
  inputs_.upload(image.data(), inputs_.sizeBytes());
  device_.synchronize();
  initialStates_ = states;
  setSteps(planSteps(true));
}

void GpuProgram::setSteps(std::vector<Step> steps) {
  if (steps == steps_)
    return;
  steps_ = std::move(steps);
  graph_.reset();
  ranBefore_ = false;
}

void GpuProgram::setOperations(std::vector<char> runs) {
  MPF_CHECK(runs.size() == bundle_.operations.size(), "{} flags for {} operations", runs.size(),
            bundle_.operations.size());
  if (runs == runs_)
    return;
  runs_ = std::move(runs);
  setSteps(planSteps(true));
}

std::vector<GpuProgram::Step> GpuProgram::planSteps(bool grouped) const {
  const ProvenRanges ranges = provablyLinear(bundle_, initialStates_);
  const std::vector<bool> &proven = ranges.operations;
  const int tableMode = bundle_.forcedLog ? kTableForcedLog : kTableAuto;
  std::vector<Step> steps;
  size_t chain = 0;      // that ends after operation i
  uint32_t chainEnd = 0; // of the last one that is among the steps
  for (uint32_t i = 0; i < bundle_.operations.size(); ++i) {
    if (chain < bundle_.chains.size() &&
        bundle_.chains[chain].first + bundle_.chains[chain].count <= i)
      ++chain;
    if (bundle_.operations[i].accumulates || !runs_[i])
      continue; // the executor's, or none
    if (grouped && startsChain(chain, i)) {
      const bool decided = ranges.chains[chain] || bundle_.forcedLog;
      steps.push_back({Step::Kind::Chain, i, bundle_.chains[chain].count,
                       decided ? kRunAlways : kRunIfExact, static_cast<uint32_t>(chain)});
      chainEnd = i + steps.back().count;
    }
    // The steps of a chain's operations stay behind it, for the case that it does not run.
    const bool mayTurnLog = !proven[i] && !bundle_.forcedLog;
    if (bundle_.operations[i].kernel) {
      steps.push_back({Step::Kind::Specialised, i, 1, mayTurnLog ? kRunIfExact : kRunAlways});
      if (mayTurnLog)
        steps.push_back({Step::Kind::Fallback, i, 1, kTableOnlyInexact});
    } else if (addresses_[i] <= kOneBlockAddresses) {
      // Normalised inside the run.
      if (grouped && i != chainEnd && joinsRun(steps, i))
        ++steps.back().count;
      else
        steps.push_back({Step::Kind::SmallRun, i, 1, tableMode});
      continue;
    } else {
      steps.push_back({Step::Kind::TableDriven, i, 1, tableMode});
    }
    if (mayTurnLog && !isIntegerType(bundle_.type))
      steps.push_back({Step::Kind::Normalise, i, 1, 0});
  }
  return steps;
}

uint32_t GpuProgram::tableBlocks(uint32_t operation) const {
  const uint64_t wanted = (groups_[operation] + kTableDrivenThreads - 1) / kTableDrivenThreads;
  const uint64_t resident = uint64_t{device_.properties().smCount} * 8;
  return static_cast<uint32_t>(std::clamp<uint64_t>(wanted, 1, resident));
}

void GpuProgram::launchTable(const char *entry, const Step &step, uint32_t blocks, bool withDigits,
                             bool withCount) {
  CudaDevicePointer operations = operations_.address(), digits = digits_.address(),
                    states = states_.address(), finished = finishedBlocks_.address();
  int first = static_cast<int>(step.first), count = static_cast<int>(step.count), mode = step.mode;
  std::vector<void *> arguments = {&operations};
  if (withDigits)
    arguments.push_back(&digits);
  arguments.push_back(&states);
  if (!withDigits)
    arguments.push_back(&finished);
  arguments.push_back(&first);
  if (withCount)
    arguments.push_back(&count);
  arguments.push_back(&mode);
  window_.addSerial(useOf(step));
  device_.launch(tableDriven_.at(entry), {blocks, kTableDrivenThreads, 0}, arguments.data(), entry);
}

void GpuProgram::launchOwn(const BundleKernel &kernel, const CudaKernel &function,
                           const std::vector<const BundleAccess *> &operands,
                           const BundleAccess &result, int mode) {
  std::vector<LaunchTable> tables;
  LaunchUse use;
  for (const BundleAccess *access : operands) {
    tables.push_back({addressOf(*access), static_cast<int>(access->buffer.value)});
    addRange(*access, use.reads);
  }
  tables.push_back({addressOf(result), static_cast<int>(result.buffer.value)});
  addRange(result, use.writes);
  if (function.waits)
    mode |= waitBits(window_.add(std::move(use)));
  else
    window_.addSerial(std::move(use));
  launchKernel(device_, kernel, function, tables, states_.address(), mode);
}

void GpuProgram::launchSpecialised(const Step &step) {
  const BundleOperation &operation = bundle_.operations[step.first];
  std::vector<const BundleAccess *> operands;
  for (const BundleAccess &access : operation.operands)
    operands.push_back(&access);
  launchOwn(bundle_.kernels[*operation.kernel], specialised_[*operation.kernel], operands,
            operation.result, step.mode);
}

/// Unless a chain has done it already.
void GpuProgram::launch(const Step &step) {
  if (step.kind != Step::Kind::Chain && chained_[step.first])
    return;
  switch (step.kind) {
  case Step::Kind::Specialised:
    launchSpecialised(step);
    break;
  case Step::Kind::TableDriven:
  case Step::Kind::Fallback:
    launchTable("mpf_operation", step, tableBlocks(step.first), true, false);
    break;
  case Step::Kind::Normalise:
    launchTable("mpf_normalise", step, tableBlocks(step.first), false, false);
    break;
  case Step::Kind::SmallRun:
    launchTable("mpf_small_operations", step, 1, true, true);
    break;
  case Step::Kind::Chain:
    launchChain(step);
    break;
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
  window_.clear();
  std::fill(chained_.begin(), chained_.end(), 0);
}

/// Steps that run once more as they are: one launch for all of them. Not where the host has to look
/// at ranges in between.
bool GpuProgram::replay() {
  const bool decides = std::any_of(steps_.begin(), steps_.end(), [](const Step &step) {
    return step.kind == Step::Kind::Chain && step.mode != kRunAlways;
  });
  if (decides || !std::exchange(ranBefore_, true))
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
      for (const Step &step : steps_)
        launch(step);
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
    for (const Step &step : steps_) {
      launch(step);
      if (perOperation)
        mark();
    }
  device_.synchronize();
  if (perOperation) {
    operationUs.assign(bundle_.operations.size(), 0);
    for (size_t s = 0; s < steps_.size(); ++s) {
      const double time = events[s + 1].microsecondsSince(events[s]);
      for (uint32_t k = 0; k < steps_[s].count; ++k)
        operationUs[steps_[s].first + k] += time / steps_[s].count;
    }
  }
  return operationUs;
}

void GpuProgram::runStepwise(const StepwiseCalls &calls) {
  prepareRun();
  const std::vector<Step> steps = planSteps(false);
  for (size_t s = 0; s < steps.size(); ++s) {
    if (s == 0 || steps[s - 1].first != steps[s].first)
      calls.before(steps[s].first);
    launch(steps[s]);
    if (s + 1 == steps.size() || steps[s + 1].first != steps[s].first) {
      device_.synchronize();
      calls.after(steps[s].first);
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
