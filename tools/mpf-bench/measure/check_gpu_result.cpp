#include "tools/mpf-bench/measure/check_gpu_result.h"

#include "tools/mpf-bench/shapes/bucket_values.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace mpf::bench {

namespace {

constexpr uint64_t kSearched = uint64_t{1} << 26, kChunk = uint64_t{1} << 20;

template <class T>
bool hasNan(const CudaDevice &device, const DeviceMemory &memory, uint64_t count) {
  std::vector<T> entries(std::min(count, kChunk));
  const uint64_t parts = (count + kChunk - 1) / kChunk;
  const uint64_t step = std::max<uint64_t>(1, parts / (kSearched / kChunk));
  for (uint64_t part = 0; part < parts; part += step) {
    // The last part searched is the last of the table.
    const uint64_t chosen = part + step >= parts ? parts - 1 : part;
    const uint64_t first = chosen * kChunk, size = std::min(kChunk, count - first);
    memory.download(entries.data(), size * sizeof(T), first * sizeof(T));
    device.synchronize();
    bool found = false;
    for (uint64_t i = 0; i < size; ++i)
      found |= entries[i] != entries[i];
    if (found)
      return true;
  }
  return false;
}

template <class T>
double worstErrorOf(const CudaDevice &device, const DeviceMemory &memory, const BucketJob &job,
                    unsigned samples, int scale) {
  const DigitForm form = job.plan->operation();
  if (hasNan<T>(device, memory, form.result.sizeElems))
    return std::numeric_limits<double>::infinity();
  return worstError(form, job.type, job.valueForm, samples, [&](uint64_t offset) {
    T entry = 0;
    memory.download(&entry, sizeof(T), offset * sizeof(T));
    device.synchronize();
    const auto value = static_cast<double>(entry);
    return job.valueForm == ValueForm::Log ? value + scale : std::ldexp(value, scale);
  });
}

} // namespace

double worstGpuError(const CudaDevice &device, const DeviceMemory &memory, const BucketJob &job,
                     unsigned samples, int scale) {
  return job.type == ElementType::F32 ? worstErrorOf<float>(device, memory, job, samples, scale)
                                      : worstErrorOf<double>(device, memory, job, samples, scale);
}

} // namespace mpf::bench
