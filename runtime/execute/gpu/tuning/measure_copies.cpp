#include "runtime/execute/gpu/tuning/measure_copies.h"

#include "runtime/execute/gpu/cuda_stream.h"
#include "runtime/execute/gpu/host_image.h"

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <limits>

namespace mpf {

namespace {

constexpr uint64_t kLargeBytes = uint64_t{32} << 20, kSmallBytes = 4096;
constexpr int kShortRow = 1, kLongRow = 17, kLongRowOfLarge = 5;
constexpr int kTimes = 9;

/// Returns the microseconds of one copy in a row of copies. `put` puts a copy on a stream; the
/// device has no other work.
template <class Put> double oneOfRowUs(const CudaDevice &device, int longRow, const Put &put) {
  using Clock = std::chrono::steady_clock;
  const auto leastUs = [&](int count) {
    double least = std::numeric_limits<double>::infinity();
    for (int i = 0; i < kTimes; ++i) {
      device.synchronize();
      const Clock::time_point start = Clock::now();
      for (int k = 0; k < count; ++k)
        put();
      device.synchronize();
      least =
          std::min(least, std::chrono::duration<double, std::micro>(Clock::now() - start).count());
    }
    return least;
  };
  const double shortUs = leastUs(kShortRow);
  return (leastUs(longRow) - shortUs) / (longRow - kShortRow);
}

} // namespace

CopySpeed measureCopies(const CudaDevice &device, const CopySpeed &otherwise) {
  const DeviceMemory memory(device, kLargeBytes);
  HostImage image(device, kLargeBytes);
  image.lock();
  if (!image.isLocked())
    return otherwise;
  const auto upUs = [&](uint64_t bytes, int longRow) {
    return oneOfRowUs(device, longRow, [&] { memory.upload(image.data(), bytes); });
  };
  const auto downUs = [&](uint64_t bytes, int longRow) {
    return oneOfRowUs(device, longRow, [&] { memory.download(image.data(), bytes); });
  };
  const double smallUs = (upUs(kSmallBytes, kLongRow) + downUs(kSmallBytes, kLongRow)) / 2;
  const double largeUs =
      (upUs(kLargeBytes, kLongRowOfLarge) + downUs(kLargeBytes, kLongRowOfLarge)) / 2;
  CopySpeed speed = otherwise;
  if (smallUs > 0)
    speed.copyUs = smallUs;
  if (largeUs > speed.copyUs)
    speed.bytesPerUs = static_cast<double>(kLargeBytes - kSmallBytes) / (largeUs - speed.copyUs);
  if (!copiesOverlap(device))
    return speed;
  const CudaStream beside(device);
  const double groupUs = oneOfRowUs(device, kLongRow, [&] {
    beside.waitForDevice();
    beside.upload(memory, image.data(), kSmallBytes);
    beside.holdDevice();
  });
  if (groupUs > speed.copyUs)
    speed.groupUs = groupUs - speed.copyUs;
  return speed;
}

} // namespace mpf
