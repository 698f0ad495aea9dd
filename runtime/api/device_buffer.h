// Memory and streams of the GPU that mpf uses, for host programs that have no package for them.
//
// Errors and threads: see runtime/api/mpf.h.
#pragma once

#include <cstdint>
#include <memory>

namespace mpf {

/// Device memory in the primary context of the GPU, freed with the object. Any thread may free it.
class DeviceBuffer {
public:
  /// Throws Error(Device), and Error(MemoryBound) if the device has no room.
  explicit DeviceBuffer(uint64_t bytes);
  /// Waits for the device, so that no kernel writes there then. A child of fork, which has no GPU,
  /// leaves the memory to its parent.
  ~DeviceBuffer();
  DeviceBuffer(const DeviceBuffer &) = delete;
  DeviceBuffer &operator=(const DeviceBuffer &) = delete;

  uint64_t address() const; ///< a CUdeviceptr

private:
  struct State;
  std::unique_ptr<State> state_;
};

/// Makes later work of the stream `after` wait for the present work of `before`; the host does not
/// wait. Streams as in CaseSession::runOnDevice. Throws Error(Device).
void orderStreams(void *before, void *after);

/// Returns the number of the GPU in whose memory the address is; -1: the driver does not say.
/// Throws Error(Device).
int deviceOf(uint64_t address);

/// Copy memory of the GPU to the host and back, and wait for it. Work of other streams must have
/// ended. Throw Error(Device).
void copyFromDevice(uint64_t address, void *to, uint64_t bytes);
void copyToDevice(const void *from, uint64_t address, uint64_t bytes);

} // namespace mpf
