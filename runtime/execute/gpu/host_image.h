// Host memory of recurring copies. A copy of ordinary memory goes through a buffer of the driver
// and blocks the host; the device itself reads and writes memory with locked pages. Locking takes
// longer than one copy, so it pays only for memory that is copied again.
#pragma once

#include "runtime/execute/gpu/cuda_device.h"
#include "runtime/execute/host/aligned_memory.h"

#include <cstddef>
#include <cstdint>

namespace mpf {

/// The device must outlive it.
class HostImage {
public:
  HostImage() = default;
  /// Allocates zeros. Throws Error(MemoryBound) when the system refuses.
  HostImage(const CudaDevice &device, uint64_t bytes);
  ~HostImage();
  HostImage(HostImage &&other) noexcept;
  HostImage &operator=(HostImage &&other) noexcept;

  std::byte *data() const { return pages_.data(); }
  uint64_t sizeBytes() const { return pages_.sizeBytes(); }
  /// Locks the pages once. They stay unlocked if system or driver refuse, or for images of more
  /// than 1 GiB.
  void lock();
  bool isLocked() const { return isLocked_; }

private:
  const CudaDevice *device_ = nullptr;
  AlignedMemory pages_; ///< separate whole pages: other data in a page would be locked too
  bool wasTried_ = false, isLocked_ = false;
};

/// A stage for uploads of small tables: the caller may change its memory at once.
class UploadStage {
public:
  UploadStage(const CudaDevice &device, uint64_t bytes) : device_(device), bytes_(bytes) {}

  /// Uploads on the device's stream. Waits for it if uploads in flight fill the stage.
  void put(const DeviceMemory &to, const void *from, uint64_t bytes, uint64_t offsetBytes);
  /// Returns room for the caller's copies until clear(), or null if none is left.
  std::byte *take(uint64_t bytes);
  /// Frees the stage after all uploads have ended.
  void clear() { usedBytes_ = 0; }

private:
  const CudaDevice &device_;
  const uint64_t bytes_;
  HostImage image_;
  uint64_t usedBytes_ = 0;
};

} // namespace mpf
