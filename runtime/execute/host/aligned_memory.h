// A block of zeroed memory that starts at a page. It uses huge pages where the system grants them:
// with small pages, a pass over gigabytes spends most of its time in page faults.
#pragma once

#include <cstddef>
#include <cstdint>

namespace mpf {

class AlignedMemory {
public:
  AlignedMemory() = default;
  /// Throws Error(MemoryBound) with `what` and the size when the system refuses.
  AlignedMemory(uint64_t bytes, const char *what);
  ~AlignedMemory();
  AlignedMemory(AlignedMemory &&other) noexcept;
  AlignedMemory &operator=(AlignedMemory &&other) noexcept;

  std::byte *data() const { return data_; }
  uint64_t sizeBytes() const { return bytes_; }

private:
  std::byte *data_ = nullptr;
  uint64_t bytes_ = 0;
};

} // namespace mpf
