#include "runtime/api/device_buffer.h"

#include "runtime/execute/gpu/cuda_stream.h"

#include <algorithm>

namespace mpf {

namespace {

/// Returns the GPU, opened at the first call. The process keeps it: buffers may live as long.
const CudaDevice &openedDevice() {
  static const CudaDevice *const device = new CudaDevice(0);
  device->makeCurrent();
  return *device;
}

} // namespace

struct DeviceBuffer::State {
  explicit State(uint64_t bytes) : memory(openedDevice(), std::max<uint64_t>(bytes, 16)) {}
  ~State() { openedDevice(); } // the thread that frees

  const DeviceMemory memory;
};

DeviceBuffer::DeviceBuffer(uint64_t bytes) : state_(std::make_unique<State>(bytes)) {}
DeviceBuffer::~DeviceBuffer() = default;

uint64_t DeviceBuffer::address() const { return state_->memory.address(); }

void orderStreams(void *before, void *after) {
  StreamOrder(openedDevice())
      .order(static_cast<CudaStreamHandle>(before), static_cast<CudaStreamHandle>(after));
}

} // namespace mpf
