#include "runtime/api/device_buffer.h"

#include "runtime/execute/gpu/cuda_stream.h"

#include <algorithm>
#include <mutex>
#include <vector>

namespace mpf {

namespace {

/// Returns the GPU, opened at the first call. It is closed when the last buffer is freed.
std::shared_ptr<const CudaDevice> openedDevice() {
  static std::mutex mutex;
  static std::weak_ptr<const CudaDevice> known;
  const std::lock_guard lock(mutex);
  std::shared_ptr<const CudaDevice> device = known.lock();
  if (device == nullptr)
    known = device = std::make_shared<const CudaDevice>(0);
  device->makeCurrent();
  return device;
}

} // namespace

struct DeviceBuffer::State {
  explicit State(uint64_t bytes)
      : device(openedDevice()), memory(*device, std::max<uint64_t>(bytes, 16)) {}
  ~State() { device->makeCurrent(); }

  const std::shared_ptr<const CudaDevice> device;
  const DeviceMemory memory;
};

DeviceBuffer::DeviceBuffer(uint64_t bytes) : state_(std::make_unique<State>(bytes)) {}
DeviceBuffer::~DeviceBuffer() = default;

uint64_t DeviceBuffer::address() const { return state_->memory.address(); }

void orderStreams(void *before, void *after) {
  const std::shared_ptr<const CudaDevice> device = openedDevice();
  StreamOrder(*device).order(static_cast<CudaStreamHandle>(before),
                             static_cast<CudaStreamHandle>(after));
}

} // namespace mpf
