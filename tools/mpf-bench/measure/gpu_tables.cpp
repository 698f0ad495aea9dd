#include "tools/mpf-bench/measure/gpu_tables.h"

#include "tools/mpf-bench/shapes/bucket_values.h"

#include <algorithm>

namespace mpf::bench {

namespace {

constexpr uint64_t kAlignedBytes = 256;
constexpr uint64_t kPlacedBytes = uint64_t{256} << 20; ///< five times the L2 cache of an H200

uint64_t aligned(uint64_t bytes) {
  return (bytes + kAlignedBytes - 1) / kAlignedBytes * kAlignedBytes;
}

/// Return the bytes of one placement.
uint64_t operandBytes(const BucketJob &job) {
  return aligned(placesNeeded(job.plan->operation(), job.type) * elementBytes(job.type));
}
uint64_t resultBytes(const BucketJob &job) {
  return aligned(job.plan->operation().result.sizeElems * elementBytes(job.type));
}

uint64_t splitBytes(const BucketJob &job) {
  return job.cut ? job.cut->partial.operation().result.sizeElems * elementBytes(job.type) : 0;
}

} // namespace

GpuTables::GpuTables(const CudaDevice &device, unsigned threads, GpuTiming timing)
    : device_(device), threads_(threads), timing_(timing) {}

void GpuTables::prepare(const std::vector<BucketJob *> &jobs) {
  operands_ = DeviceMemory();
  result_ = DeviceMemory();
  splits_ = DeviceMemory();
  // Room for modules, local memory of kernels and the array that flushes L2.
  const uint64_t room = device_.freeBytes() / 10 * 9;
  uint64_t operands = 0, result = 0, splits = 0;
  for (const BucketJob *job : jobs) {
    const uint64_t count = placements(*job);
    const uint64_t more = std::max(operands, count * operandBytes(*job));
    const uint64_t moreResult = std::max(result, count * resultBytes(*job));
    const uint64_t moreSplits = std::max(splits, splitBytes(*job));
    if (more + moreResult + moreSplits > room)
      continue;
    operands = more;
    result = moreResult;
    splits = moreSplits;
  }
  if (operands == 0)
    return;
  operands_ = DeviceMemory(device_, operands);
  result_ = DeviceMemory(device_, result);
  if (splits > 0)
    splits_ = DeviceMemory(device_, splits);
  const BucketJob &first = *jobs.front();
  const uint64_t count = operands / elementBytes(first.type);
  if (first.type == ElementType::F32)
    fillOperands<float>(count, first.valueForm);
  else
    fillOperands<double>(count, first.valueForm);
}

template <class T> void GpuTables::fillOperands(uint64_t count, ValueForm form) {
  constexpr uint64_t kChunk = uint64_t{1} << 24;
  std::vector<T> entries(std::min(count, kChunk));
  for (uint64_t first = 0; first < count; first += kChunk) {
    const uint64_t part = std::min(kChunk, count - first);
    fillEntries(entries.data(), first, part, form, threads_);
    operands_.upload(entries.data(), part * sizeof(T), first * sizeof(T));
    device_.synchronize();
  }
}

uint64_t GpuTables::bytes(const BucketJob &job) { return operandBytes(job) + resultBytes(job); }

uint64_t GpuTables::placements(const BucketJob &job) const {
  return timing_ != GpuTiming::Train ? 1 : std::max<uint64_t>(2, kPlacedBytes / bytes(job) + 1);
}

bool GpuTables::fits(const BucketJob &job) const {
  const uint64_t count = placements(job);
  return count * operandBytes(job) <= operands_.sizeBytes() &&
         count * resultBytes(job) <= result_.sizeBytes() && splitBytes(job) <= splits_.sizeBytes();
}

std::vector<CudaDevicePointer> GpuTables::addresses(const BucketJob &job,
                                                    uint64_t placement) const {
  const CudaDevicePointer operands = operands_.address() + placement * operandBytes(job);
  std::vector<CudaDevicePointer> tables;
  for (const uint64_t place : operandPlaces(job.plan->operation(), job.type))
    tables.push_back(operands + place * elementBytes(job.type));
  tables.push_back(result_.address() + placement * resultBytes(job));
  return tables;
}

} // namespace mpf::bench
