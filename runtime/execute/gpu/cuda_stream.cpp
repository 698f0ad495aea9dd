#include "runtime/execute/gpu/cuda_stream.h"

#include "dsl/support/check.h"

#include <utility>

namespace mpf {

namespace {
constexpr unsigned kNoTiming = 2;
/// CU_EVENT_WAIT_EXTERNAL: waits for work that is not recorded.
constexpr unsigned kWaitExternal = 1;
} // namespace

bool copiesOverlap(const CudaDevice &device) { return device.driver().overlapsCopies; }

CudaStream::CudaStream(const CudaDevice &device) : device_(device), order_(device) {
  device.check(device.driver().eventCreate(&done_, 1 /* waiters sleep */ | kNoTiming),
               "cuEventCreate");
  if (const int code = device.driver().streamCreate(&stream_, 1 /* non-blocking */); code != 0) {
    device.driver().eventDestroy(done_);
    device.check(code, "cuStreamCreate");
  }
}

CudaStream::~CudaStream() {
  if (done_)
    device_.driver().eventDestroy(done_);
  if (stream_)
    device_.driver().streamDestroy(stream_);
}

void CudaStream::waitForDevice() const { order_.order(device_.stream(), stream_); }
void CudaStream::holdDevice() const { order_.order(stream_, device_.stream()); }

void CudaStream::mark() const {
  device_.check(device_.driver().eventRecord(done_, stream_), "cuEventRecord");
}

void CudaStream::sleepUntilMark() const {
  device_.check(device_.driver().eventSynchronize(done_), "cuEventSynchronize");
}

void CudaStream::drain() const noexcept { device_.driver().streamSynchronize(stream_); }

void CudaStream::upload(const DeviceMemory &to, const void *from, uint64_t bytes,
                        uint64_t offsetBytes) const {
  MPF_CHECK(offsetBytes + bytes <= to.sizeBytes(), "upload of {} bytes at {} into {}", bytes,
            offsetBytes, to.sizeBytes());
  if (bytes != 0)
    device_.check(device_.driver().copyToDevice(to.address() + offsetBytes, from, bytes, stream_),
                  "cuMemcpyHtoDAsync");
}

void CudaStream::download(void *to, const DeviceMemory &from, uint64_t bytes,
                          uint64_t offsetBytes) const {
  MPF_CHECK(offsetBytes + bytes <= from.sizeBytes(), "download of {} bytes at {} from {}", bytes,
            offsetBytes, from.sizeBytes());
  if (bytes != 0)
    device_.check(device_.driver().copyToHost(to, from.address() + offsetBytes, bytes, stream_),
                  "cuMemcpyDtoHAsync");
}

StreamMark::StreamMark(const CudaDevice &device) : device_(device) {
  device.check(device.driver().eventCreate(&event_, kNoTiming), "cuEventCreate");
}

StreamMark::~StreamMark() {
  if (event_)
    device_.driver().eventDestroy(event_);
}

void StreamMark::set(CudaStreamHandle stream) const {
  device_.check(device_.driver().eventRecord(event_, stream), "cuEventRecord");
}

void StreamMark::await(CudaStreamHandle stream, bool isRecorded) const {
  device_.check(device_.driver().streamWait(stream, event_, isRecorded ? kWaitExternal : 0),
                "cuStreamWaitEvent");
}

PinnedMemory::PinnedMemory(const CudaDevice &device, uint64_t bytes) : device_(&device) {
  if (device.driver().hostAlloc(&pinned_, bytes, 0) == 0)
    return;
  pinned_ = nullptr;
  plain_ = std::make_unique<std::byte[]>(bytes);
}

PinnedMemory::~PinnedMemory() {
  if (pinned_ != nullptr)
    device_->driver().hostFree(pinned_);
}

PinnedMemory::PinnedMemory(PinnedMemory &&other) noexcept
    : device_(other.device_), pinned_(std::exchange(other.pinned_, nullptr)),
      plain_(std::move(other.plain_)) {}

PinnedMemory &PinnedMemory::operator=(PinnedMemory &&other) noexcept {
  std::swap(device_, other.device_);
  std::swap(pinned_, other.pinned_);
  std::swap(plain_, other.plain_);
  return *this;
}

} // namespace mpf
