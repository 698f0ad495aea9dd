// Work beside the stream of the device: further streams, the order between them, and host memory
// that copies read and write without going through the driver's own.
#pragma once

#include "runtime/execute/gpu/cuda_device.h"

#include <cstddef>
#include <cstdint>
#include <memory>

namespace mpf {

/// Whether the driver has what these need.
bool copiesOverlap(const CudaDevice &device);

/// A point of one stream that another waits for, now or whenever recorded launches are replayed.
/// The device must outlive it, and it the graphs that were recorded of it.
class StreamMark {
public:
  explicit StreamMark(const CudaDevice &device);
  ~StreamMark();
  StreamMark(const StreamMark &) = delete;
  StreamMark &operator=(const StreamMark &) = delete;

  /// What is on `stream` now is in front of the point.
  void set(CudaStreamHandle stream) const;
  /// What comes later on `stream` begins when all in front of the point is done. `isRecorded`: of a
  /// stream that is being recorded; a replay waits for the point as it was set last before it.
  /// Drivers before CUDA 11.1 cannot: Error(Device). Nothing is waited for where it was never set.
  void await(CudaStreamHandle stream, bool isRecorded) const;

private:
  const CudaDevice &device_;
  CudaEventHandle event_ = nullptr;
};

/// Orders streams of the device, whoever made them. The device must outlive it.
class StreamOrder {
public:
  explicit StreamOrder(const CudaDevice &device) : mark_(device) {}

  /// What comes later on `after` begins when what is on `before` now is done.
  void order(CudaStreamHandle before, CudaStreamHandle after) const {
    mark_.set(before);
    mark_.await(after, false);
  }

private:
  const StreamMark mark_;
};

/// Ordered in itself, and beside the device's stream. The device must outlive it.
class CudaStream {
public:
  explicit CudaStream(const CudaDevice &device);
  ~CudaStream();
  CudaStream(const CudaStream &) = delete;
  CudaStream &operator=(const CudaStream &) = delete;

  /// What comes later on this stream begins when what is on the device's stream now is done.
  void waitForDevice() const;
  /// The other way round.
  void holdDevice() const;
  /// Where sleepUntilMark() waits for: the end of what is on the stream now.
  void mark() const;
  /// Waits without using the processor, which other threads need; some 20 us longer than a wait
  /// that looks again and again, but where the mark was reached before.
  void sleepUntilMark() const;
  /// Waits, and throws nothing: for what has failed already.
  void drain() const noexcept;

  void upload(const DeviceMemory &to, const void *from, uint64_t bytes,
              uint64_t offsetBytes = 0) const;
  void download(void *to, const DeviceMemory &from, uint64_t bytes, uint64_t offsetBytes = 0) const;
  CudaStreamHandle handle() const { return stream_; }

private:
  const CudaDevice &device_;
  const StreamOrder order_;
  CudaStreamHandle stream_ = nullptr;
  CudaEventHandle done_ = nullptr;
};

/// Page-locked, so that copies run while the host works. Where the system refuses to lock memory it
/// is ordinary memory, and copies are slower. The device must outlive it.
class PinnedMemory {
public:
  PinnedMemory() = default;
  PinnedMemory(const CudaDevice &device, uint64_t bytes);
  ~PinnedMemory();
  PinnedMemory(const PinnedMemory &) = delete;
  PinnedMemory &operator=(const PinnedMemory &) = delete;
  PinnedMemory(PinnedMemory &&other) noexcept;
  PinnedMemory &operator=(PinnedMemory &&other) noexcept;

  void *data() const { return pinned_ != nullptr ? pinned_ : plain_.get(); }
  template <class T> T *as() const { return static_cast<T *>(data()); }

private:
  const CudaDevice *device_ = nullptr;
  void *pinned_ = nullptr;
  std::unique_ptr<std::byte[]> plain_;
};

} // namespace mpf
