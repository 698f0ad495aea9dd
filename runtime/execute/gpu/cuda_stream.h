// Work beside the stream of the device: further streams, the order between them, and host memory
// that copies use without a buffer of the driver.
#pragma once

#include "runtime/execute/gpu/cuda_device.h"

#include <cstddef>
#include <cstdint>
#include <memory>

namespace mpf {

/// True if the driver has the functions that these classes need.
bool copiesOverlap(const CudaDevice &device);

/// A point of one stream for which another waits, now or at each replay of recorded launches. The
/// device must outlive it, and it must outlive the graphs that wait for it.
class StreamMark {
public:
  explicit StreamMark(const CudaDevice &device);
  ~StreamMark();
  StreamMark(const StreamMark &) = delete;
  StreamMark &operator=(const StreamMark &) = delete;

  /// Sets the point behind all present work of `stream`.
  void set(CudaStreamHandle stream) const;
  /// Makes later work of `stream` wait for all work before the point. `isRecorded`: the stream is
  /// being recorded; a replay waits for the point that was set last before it. Drivers before CUDA
  /// 11.1 cannot do that: Error(Device). A point that was never set is not waited for.
  void await(CudaStreamHandle stream, bool isRecorded) const;

private:
  const CudaDevice &device_;
  CudaEventHandle event_ = nullptr;
};

/// Orders streams of the device, also streams of the host program. The device must outlive it.
class StreamOrder {
public:
  explicit StreamOrder(const CudaDevice &device) : mark_(device) {}

  /// Makes later work of `after` wait for the present work of `before`.
  void order(CudaStreamHandle before, CudaStreamHandle after) const {
    mark_.set(before);
    mark_.await(after, false);
  }

private:
  const StreamMark mark_;
};

/// A stream beside the device's stream. The device must outlive it.
class CudaStream {
public:
  explicit CudaStream(const CudaDevice &device);
  ~CudaStream();
  CudaStream(const CudaStream &) = delete;
  CudaStream &operator=(const CudaStream &) = delete;

  /// Makes later work of this stream wait for the present work of the device's stream.
  void waitForDevice() const;
  /// Makes later work of the device's stream wait for the present work of this stream.
  void holdDevice() const;
  /// Sets the mark of sleepUntilMark() behind the present work of the stream.
  void mark() const;
  /// Waits for the mark without using the processor, which other threads need. Takes some 20 us
  /// longer than polling, unless the mark was already reached.
  void sleepUntilMark() const;
  /// Waits for work that has failed, and throws nothing.
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

/// Page-locked memory, so that copies run while the host works. If the system refuses to lock
/// memory it is ordinary memory, and copies are slower. The device must outlive it.
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
