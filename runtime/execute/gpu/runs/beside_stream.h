// The stream of a program's copies beside its launches.
#pragma once

#include "runtime/execute/gpu/cuda_stream.h"

#include <optional>

namespace mpf {

/// Not thread-safe; the device must outlive it.
class BesideStream {
public:
  explicit BesideStream(const CudaDevice &device) : device_(device) {}

  /// Returns the stream. The first call makes it, so it must not be made while a graph is recorded.
  const CudaStream &get() {
    if (!stream_)
      stream_.emplace(device_);
    return *stream_;
  }
  /// Waits for work that has failed, and throws nothing.
  void drain() const noexcept {
    if (stream_)
      stream_->drain();
  }

private:
  const CudaDevice &device_;
  std::optional<CudaStream> stream_;
};

} // namespace mpf
