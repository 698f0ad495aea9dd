#include "runtime/execute/gpu/host_image.h"

#include "dsl/support/table_layout.h"

#include <cstring>
#include <utility>

namespace mpf {

namespace {
constexpr uint64_t kPageBytes = 4096;
constexpr uint64_t kMostLockedBytes = uint64_t{1} << 30;
} // namespace

HostImage::HostImage(const CudaDevice &device, uint64_t bytes)
    : device_(&device), pages_(bytes, "tables on their way to and from the GPU") {}

HostImage::~HostImage() {
  if (isLocked_)
    device_->driver().hostUnregister(pages_.data());
}

HostImage::HostImage(HostImage &&other) noexcept
    : device_(other.device_), pages_(std::move(other.pages_)),
      wasTried_(std::exchange(other.wasTried_, false)),
      isLocked_(std::exchange(other.isLocked_, false)) {}

HostImage &HostImage::operator=(HostImage &&other) noexcept {
  std::swap(device_, other.device_);
  std::swap(pages_, other.pages_);
  std::swap(wasTried_, other.wasTried_);
  std::swap(isLocked_, other.isLocked_);
  return *this;
}

void HostImage::lock() {
  if (std::exchange(wasTried_, true) || sizeBytes() == 0 || sizeBytes() > kMostLockedBytes ||
      device_->driver().hostRegister == nullptr)
    return;
  isLocked_ = device_->driver().hostRegister(pages_.data(), roundUp(sizeBytes(), kPageBytes),
                                             0 /* no flags */) == 0;
}

std::byte *UploadStage::take(uint64_t bytes) {
  if (usedBytes_ + bytes > bytes_)
    return nullptr;
  if (image_.sizeBytes() == 0) {
    image_ = HostImage(device_, bytes_);
    image_.lock();
  }
  std::byte *const room = image_.data() + usedBytes_;
  usedBytes_ += roundUp(bytes, kTableGrainBytes);
  return room;
}

void UploadStage::put(const DeviceMemory &to, const void *from, uint64_t bytes,
                      uint64_t offsetBytes) {
  if (bytes > bytes_) { // for large tables the copy takes longer than the wait
    to.upload(from, bytes, offsetBytes);
    device_.synchronize();
    clear();
    return;
  }
  std::byte *room = take(bytes);
  if (room == nullptr) {
    device_.synchronize();
    clear();
    room = take(bytes);
  }
  std::memcpy(room, from, bytes);
  to.upload(room, bytes, offsetBytes);
}

} // namespace mpf
