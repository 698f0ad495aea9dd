#include "runtime/execute/host/aligned_memory.h"

#include "dsl/support/check.h"
#include "dsl/support/memory/memory_price.h"
#include "dsl/support/number_text.h"

#include <sys/mman.h>
#include <utility>

namespace mpf {

AlignedMemory::AlignedMemory(uint64_t bytes, const char *what) {
  if (bytes == 0)
    return;
  void *memory = mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (memory == MAP_FAILED)
    fail(ErrorKind::MemoryBound, "the system refused {} for {}", formatBytes(bytes), what);
  if (bytes >= kHugePagesFrom)
    madvise(memory, bytes, MADV_HUGEPAGE); // a hint: refusal only costs speed
  data_ = static_cast<std::byte *>(memory);
  bytes_ = bytes;
}

AlignedMemory::~AlignedMemory() {
  if (data_ != nullptr)
    munmap(data_, bytes_);
}

AlignedMemory::AlignedMemory(AlignedMemory &&other) noexcept
    : data_(std::exchange(other.data_, nullptr)), bytes_(std::exchange(other.bytes_, 0)) {}

AlignedMemory &AlignedMemory::operator=(AlignedMemory &&other) noexcept {
  std::swap(data_, other.data_);
  std::swap(bytes_, other.bytes_);
  return *this;
}

} // namespace mpf
