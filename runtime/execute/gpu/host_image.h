// Host memory of copies that recur. A copy from or to ordinary memory goes through the driver's
// own, and holds up the host; of memory whose pages are locked the device fetches it by itself. To
// lock pages takes longer than one copy, so that is for memory that is copied again.
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
  /// Zeros. Error(MemoryBound) when the system refuses it.
  HostImage(const CudaDevice &device, uint64_t bytes);
  ~HostImage();
  HostImage(HostImage &&other) noexcept;
  HostImage &operator=(HostImage &&other) noexcept;

  std::byte *data() const { return pages_.data(); }
  uint64_t sizeBytes() const { return pages_.sizeBytes(); }
  /// Locks the pages, once; where system or driver refuse that, and for images of more than 1 GiB,
  /// they stay as they are.
  void lock();
  bool isLocked() const { return isLocked_; }

private:
  const CudaDevice *device_ = nullptr;
  AlignedMemory
      pages_; ///< whole pages of its own: what else lies in a page would be locked with it
  bool wasTried_ = false, isLocked_ = false;
};

/// Small tables on their way up, copied from here: the caller's memory is the caller's at once.
class UploadStage {
public:
  UploadStage(const CudaDevice &device, uint64_t bytes) : device_(device), bytes_(bytes) {}

  /// Ordered on the device's stream. Waits for it where what is on its way fills the stage.
  void put(const DeviceMemory &to, const void *from, uint64_t bytes, uint64_t offsetBytes);
  /// Room that is the caller's until clear(), for copies of its own. Null: there is none left.
  std::byte *take(uint64_t bytes);
  /// What was on its way is there.
  void clear() { usedBytes_ = 0; }

private:
  const CudaDevice &device_;
  const uint64_t bytes_;
  HostImage image_;
  uint64_t usedBytes_ = 0;
};

} // namespace mpf
