#include "runtime/api/device_buffer.h"

#include "dsl/support/system/fork_count.h"
#include "runtime/execute/gpu/cuda_stream.h"

#include <algorithm>
#include <memory>

namespace mpf {

namespace {

constexpr int kDeviceOrdinal = 9; ///< CU_POINTER_ATTRIBUTE_DEVICE_ORDINAL

/// Returns the GPU, opened at the first call. The process keeps it: buffers may live as long.
const CudaDevice &openedDevice() {
  static const CudaDevice *const device = new CudaDevice(0);
  return *device;
}

} // namespace

struct DeviceBuffer::State {
  explicit State(uint64_t bytes) : device(openedDevice()) {
    const CurrentContext current(device);
    memory = std::make_unique<DeviceMemory>(device, std::max<uint64_t>(bytes, 16));
  }
  ~State() {
    if (forks != forkCount()) {
      static_cast<void>(memory.release());
      return;
    }
    device.driver().contextSetCurrent(device.context()); // the thread that frees
    memory.reset();
  }

  const CudaDevice &device;
  const unsigned forks = forkCount();
  std::unique_ptr<DeviceMemory> memory;
};

DeviceBuffer::DeviceBuffer(uint64_t bytes) : state_(std::make_unique<State>(bytes)) {}
DeviceBuffer::~DeviceBuffer() = default;

uint64_t DeviceBuffer::address() const { return state_->memory->address(); }

void orderStreams(void *before, void *after) {
  const CurrentContext current(openedDevice());
  StreamOrder(openedDevice())
      .order(static_cast<CudaStreamHandle>(before), static_cast<CudaStreamHandle>(after));
}

int deviceOf(uint64_t address) {
  const CudaDevice &device = openedDevice();
  int number = -1;
  if (device.driver().pointerAttribute == nullptr ||
      device.driver().pointerAttribute(&number, kDeviceOrdinal, address) != 0)
    return -1;
  return number;
}

void copyFromDevice(uint64_t address, void *to, uint64_t bytes) {
  const CudaDevice &device = openedDevice();
  const CurrentContext current(device);
  if (bytes != 0)
    device.check(device.driver().copyToHost(to, address, bytes, device.stream()),
                 "cuMemcpyDtoHAsync");
  device.synchronize();
}

void copyToDevice(const void *from, uint64_t address, uint64_t bytes) {
  const CudaDevice &device = openedDevice();
  const CurrentContext current(device);
  if (bytes != 0)
    device.check(device.driver().copyToDevice(address, from, bytes, device.stream()),
                 "cuMemcpyHtoDAsync");
  device.synchronize();
}

} // namespace mpf
