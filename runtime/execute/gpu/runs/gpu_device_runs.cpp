#include "runtime/execute/gpu/runs/gpu_device_runs.h"

#include "codegen/bundle/entry_type_text.h"
#include "codegen/bundle/table_map.h"
#include "dsl/support/check.h"
#include "runtime/execute/host/bind_input.h"

#include <fmt/format.h>
#include <utility>

namespace mpf {

extern const std::string_view kDeviceRunText;

namespace {

constexpr uint64_t kFlagBytes = 8; ///< `refused`, then `zeros`

const CudaDevice &thatOrdersStreams(const CudaDevice &device) {
  if (!copiesOverlap(device))
    fail(ErrorKind::Device, "the driver has no cuStreamWaitEvent");
  return device;
}

} // namespace

std::string deviceRunSource(ElementType type) {
  return fmt::format("typedef {} MpfEntry;\n{}", entryTypeText(type), kDeviceRunText);
}

std::string deviceRunName(ElementType type) {
  return fmt::format("device_run_{}", elementTypeName(type));
}

template <class Task>
GpuDeviceRuns::Map::Map(const CudaDevice &device, const GpuMapTable<Task> &table)
    : chunkCount(table.chunks.size()) {
  const uint64_t taskBytes = table.tasks.size() * sizeof(Task);
  const uint64_t digitBytes = table.digits.size() * sizeof(GpuMapDigit);
  const uint64_t chunkBytes = table.chunks.size() * sizeof(GpuChunk);
  if (taskBytes == 0)
    return;
  memory = DeviceMemory(device, taskBytes + digitBytes + chunkBytes);
  memory.upload(table.tasks.data(), taskBytes);
  memory.upload(table.digits.data(), digitBytes, taskBytes);
  memory.upload(table.chunks.data(), chunkBytes, taskBytes + digitBytes);
  device.synchronize(); // the caller owns the table
  tasks = memory.address();
  digits = tasks + taskBytes;
  chunks = digits + digitBytes;
}

GpuDeviceRuns::GpuDeviceRuns(const CudaDevice &device, const Bundle &bundle, KernelStore &store,
                             GpuProgram &program)
    : device_(device), bundle_(bundle), arenas_(program.arenas()), states_(program.states()),
      order_(thatOrdersStreams(device)) {
  const std::vector<CompiledKernel> compiled = store.compileAll(
      {{deviceRunName(bundle.type), deviceRunSource(bundle.type), device.properties().arch}});
  module_.emplace_back(device, compiled.front().cubin, false);
  bindRange_ = module_.front().function("mpf_bind_range", 0);
  bindEntries_ = module_.front().function("mpf_bind_entries", 0);
  readSums_ = module_.front().function("mpf_read_sums", 0);
  readEntries_ = module_.front().function("mpf_read_entries", 0);
  readMap_ = Map(device, buildReadTable(bundle, arenas_.buffers(),
                                        {arenas_.inputs().address(), arenas_.work().address()}));
  sums_ = DeviceMemory(device, (readMap_.chunkCount + bundle.outputs.size()) * kReadSumBytes);
  program.unseen().compileGuard(store);
  prepare({});
}

void GpuDeviceRuns::prepare(std::span<const uint32_t> inputs) {
  const GpuMapTable<GpuBindTask> table = buildBindTable(
      bundle_, arenas_.buffers(), inputs, {arenas_.inputs().address(), arenas_.work().address()});
  // Allocations come first because they may fail: inputs and memory must change together.
  Map map(device_, table);
  DeviceMemory counters(device_, kFlagBytes + inputs.size() * kBindRangeBytes +
                                     bundle_.outputs.size() * sizeof(uint32_t));
  bindMap_ = std::move(map);
  counters_ = std::move(counters);
  inputs_.assign(inputs.begin(), inputs.end());
  parts_.clear();
  for (uint64_t c = 0; c < table.chunks.size(); ++c) {
    const auto task = static_cast<uint32_t>(table.chunks[c].task);
    if (parts_.empty() || task >= parts_.back().firstTask + kMaxBindSources)
      parts_.push_back({task, 0, c, 0});
    parts_.back().endTask = task + 1;
    parts_.back().endChunk = c + 1;
  }
}

void GpuDeviceRuns::launch(const CudaKernel &kernel, const char *name, uint64_t blocks,
                           void *argument) const {
  void *arguments[] = {argument};
  device_.launch(kernel, {blocks, kMapThreads, 0}, arguments, name);
}

void GpuDeviceRuns::begin(const DeviceRuns::Request &request) const {
  order_.order(static_cast<CudaStreamHandle>(request.stream), device_.stream());
}

void GpuDeviceRuns::bind(const DeviceRuns::Request &request) const {
  MPF_CHECK(request.values.size() == inputs_.size(), "{} arrays for {} inputs",
            request.values.size(), inputs_.size());
  counters_.fill(0);
  GpuBindLaunch bind;
  bind.tasks = bindMap_.tasks;
  bind.digits = bindMap_.digits;
  bind.states = states_.initialAddress();
  bind.refused = counters_.address();
  bind.ranges = counters_.address() + kFlagBytes;
  bind.kind = bindKind(bundle_);
  bind.exponent = request.sumExponent;
  bind.greatest = request.greatestExponent;
  for (const Part &part : parts_) {
    bind.firstTask = static_cast<int32_t>(part.firstTask);
    bind.chunks = bindMap_.chunks + part.firstChunk * sizeof(GpuChunk);
    for (uint32_t task = part.firstTask; task < part.endTask; ++task)
      bind.sources[task - part.firstTask] = {
          request.values[task],
          mapOfInput(bundle_, bundle_.inputs[inputs_[task]], request.evidence).baseElems};
    const uint64_t blocks = part.endChunk - part.firstChunk;
    launch(bindRange_, "mpf_bind_range", blocks, &bind);
    launch(bindEntries_, "mpf_bind_entries", blocks, &bind);
  }
}

void GpuDeviceRuns::end(const DeviceRuns::Request &request) const {
  GpuReadLaunch read;
  read.chunks = readMap_.chunks;
  read.tasks = readMap_.tasks;
  read.digits = readMap_.digits;
  read.states = states_.address();
  read.chunkSums = sums_.address();
  read.sums = read.chunkSums + readMap_.chunkCount * kReadSumBytes;
  read.refused = counters_.address();
  read.zeros = read.refused + sizeof(uint32_t);
  read.finished = read.refused + kFlagBytes + inputs_.size() * kBindRangeBytes;
  read.results = request.results;
  read.exponents = request.exponents;
  read.taskCount = static_cast<int32_t>(bundle_.outputs.size());
  read.isPlain = hasPlainTables(bundle_) ? 1 : 0;
  read.exponent = request.sumExponent;
  if (readMap_.chunkCount != 0) {
    if (read.isPlain == 0)
      launch(readSums_, "mpf_read_sums", readMap_.chunkCount, &read);
    launch(readEntries_, "mpf_read_entries", readMap_.chunkCount, &read);
  }
  order_.order(device_.stream(), static_cast<CudaStreamHandle>(request.stream));
}

} // namespace mpf
