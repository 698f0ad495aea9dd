#include "runtime/execute/gpu/gpu_slice_kernels.h"

#include "codegen/bundle/entry_type_text.h"
#include "dsl/support/table_layout.h"

#include <algorithm>
#include <cstring>
#include <fmt/format.h>
#include <string_view>
#include <utility>

namespace mpf {

extern const std::string_view kSliceRealText;
extern const std::string_view kSliceIntegerText;

namespace {

constexpr uint64_t kSectionBytes = 16; ///< alignment of the sections of memory

uint64_t sumsOf(const Bundle &bundle) {
  return static_cast<uint64_t>(
      std::count_if(bundle.operations.begin(), bundle.operations.end(),
                    [](const BundleOperation &operation) { return operation.accumulates; }));
}

} // namespace

DeviceSliceTables::DeviceSliceTables(const CudaDevice &device, SliceTables tables)
    : tables_(std::move(tables)) {
  const auto forEachList = [&](const auto &call) {
    call(tables_.moves, moves);
    call(tables_.strides, strides);
    call(tables_.resets, resets);
    call(tables_.assumed.products, products);
    call(tables_.assumed.operands, operands);
    call(tables_.sums, sums);
    call(tables_.slices, slices);
    call(tables_.chunks, chunks);
    call(tables_.sources, sources);
  };
  uint64_t bytes = 0;
  const auto place = [&](const auto &list, CudaDevicePointer &at) {
    at = bytes;
    bytes = roundUp(bytes + list.size() * sizeof(list[0]), kSectionBytes);
  };
  forEachList(place);
  memory_ = DeviceMemory(device, bytes);
  const auto upload = [&](const auto &list, CudaDevicePointer &at) {
    memory_.upload(list.data(), list.size() * sizeof(list[0]), at);
    at += memory_.address();
  };
  forEachList(upload);
  device.synchronize();
}

SliceKernels::SliceKernels(const CudaDevice &device, const ReplicatedBundle &program,
                           const CompiledKernel &kernels, const Places &places)
    : device_(device), program_(program), bundle_(program.bundle), rows_(program), places_(places),
      module_(device, kernels.cubin, kernels.source == sliceKernelSource(bundle_.type)),
      enter_(module_.function("mpf_enter_slice", 0)), add_(module_.function("mpf_add_slices", 0)),
      step_(module_.function("mpf_step_slices", 0)),
      loopsAt_(roundUp(sumsOf(bundle_) * sizeof(GpuSumRange), kSectionBytes)),
      arrivedAt_(loopsAt_ + bundle_.sliced.size() * sizeof(uint32_t)),
      faultsAt_(roundUp(arrivedAt_ + sizeof(uint32_t), kSectionBytes)),
      bestAt_(faultsAt_ + sizeof(GpuSliceFaults)),
      bytes_(bestAt_ + rows_.count() * bundle_.sliced.size() * sizeof(uint32_t)) {
  std::vector<std::byte> image(bytes_, std::byte{0});
  const auto put = [&](uint64_t offset, const auto &value) {
    std::memcpy(image.data() + offset, &value, sizeof(value));
  };
  for (uint64_t sum = 0; sum < sumsOf(bundle_); ++sum)
    put(sum * sizeof(GpuSumRange), GpuSumRange());
  for (uint32_t loop = 1; loop <= bundle_.sliced.size(); ++loop)
    put(loopsAt_ + (loop - 1) * sizeof(uint32_t), program.extent(loop) - 1);
  put(faultsAt_, GpuSliceFaults());
  memory_ = DeviceMemory(device, bytes_);
  initial_ = DeviceMemory(device, bestAt_);
  memory_.upload(image.data(), bytes_);
  initial_.upload(image.data(), bestAt_);
  device.synchronize();
}

void SliceKernels::begin() const { memory_.copyFrom(initial_, bestAt_, 0); }

GpuEnterLaunch SliceKernels::enterLaunch(const DeviceSliceTables &tables, uint32_t loop) const {
  GpuEnterLaunch launch;
  launch.loops = at(loopsAt_);
  launch.moves = tables.moves;
  launch.strides = tables.strides;
  launch.resets = tables.resets;
  launch.products = tables.products;
  launch.operands = tables.operands;
  launch.states = places_.states;
  launch.initialStates = places_.initialStates;
  launch.finished = places_.finishedBlocks;
  launch.faults = at(faultsAt_);
  launch.loop = tables.host().loops[loop - 1];
  launch.operationCount = static_cast<int32_t>(bundle_.operations.size());
  if (isIntegerType(bundle_.type))
    launch.lostExponent = static_cast<int32_t>(integerBits(bundle_.type));
  return launch;
}

GpuSumLaunch SliceKernels::sumLaunch(const DeviceSliceTables &tables, const SliceSumGroup &group,
                                     uint32_t index) const {
  GpuSumLaunch launch;
  launch.chunks = tables.chunks + tables.host().groups[index].firstChunk * sizeof(GpuChunk);
  launch.tasks = tables.sums;
  launch.slices = tables.slices;
  launch.ranges = at(0);
  launch.states = places_.states;
  launch.loops = at(loopsAt_);
  launch.best = at(bestAt_);
  launch.sources = tables.sources;
  launch.faults = at(faultsAt_);
  launch.loop = static_cast<int32_t>(group.loop - 1);
  launch.loopCount = static_cast<int32_t>(bundle_.sliced.size());
  launch.extent = static_cast<int32_t>(program_.extent(group.loop));
  return launch;
}

void SliceKernels::enter(const DeviceSliceTables &tables, uint32_t loop, bool overlaps) const {
  GpuEnterLaunch launch = enterLaunch(tables, loop);
  void *arguments[] = {&launch};
  const CudaKernel kernel{enter_.function, enter_.waits && overlaps};
  device_.launch(kernel, {1, enterThreads(launch.loop), 0}, arguments, "mpf_enter_slice");
}

void SliceKernels::add(const DeviceSliceTables &tables, const SliceSumGroup &group,
                       uint32_t index) const {
  GpuSumLaunch launch = sumLaunch(tables, group, index);
  void *arguments[] = {&launch};
  device_.launch(add_, {tables.host().groups[index].chunkCount, kSliceThreads, 0}, arguments,
                 "mpf_add_slices");
}

void SliceKernels::step(const DeviceSliceTables &tables, const SliceSumGroup &group,
                        uint32_t index) const {
  GpuStepLaunch launch{sumLaunch(tables, group, index), enterLaunch(tables, group.loop),
                       at(arrivedAt_)};
  void *arguments[] = {&launch};
  device_.launch(step_, {tables.host().groups[index].chunkCount, kSliceThreads, 0}, arguments,
                 "mpf_step_slices");
}

uint64_t SliceKernels::outcomeBytes() const { return bytes_ - faultsAt_; }

void SliceKernels::downloadOutcome(void *to) const {
  memory_.download(to, outcomeBytes(), faultsAt_);
}

/// Reads each loop's row of the replica without shifts: sums include the other replicas.
SliceKernels::Outcome SliceKernels::outcomeOf(const void *downloaded) const {
  Outcome outcome;
  const auto *bytes = static_cast<const std::byte *>(downloaded);
  std::memcpy(&outcome.faults, bytes, sizeof(outcome.faults));
  const size_t loops = bundle_.sliced.size(), rowBytes = loops * sizeof(uint32_t);
  outcome.best.resize(loops * loops);
  for (uint32_t loop = 1; loop <= loops; ++loop)
    std::memcpy(&outcome.best[(loop - 1) * loops],
                bytes + sizeof(outcome.faults) +
                    rows_.rowOf(loop, SliceStates(loops, 0)) * rowBytes,
                rowBytes);
  return outcome;
}

void SliceKernels::uploadBest(std::span<const uint32_t> noted) const {
  const size_t loops = bundle_.sliced.size(), rowBytes = loops * sizeof(uint32_t);
  for (uint32_t loop = 1; loop <= loops; ++loop)
    memory_.upload(&noted[(loop - 1) * loops], rowBytes,
                   bestAt_ + rows_.rowOf(loop, SliceStates(loops, 0)) * rowBytes);
}

std::string sliceKernelSource(ElementType type) {
  return fmt::format("typedef {} MpfEntry;\n{}", entryTypeText(type),
                     isIntegerType(type) ? kSliceIntegerText : kSliceRealText);
}

std::string sliceKernelName(ElementType type) {
  return fmt::format("slices_{}", elementTypeName(type));
}

} // namespace mpf
