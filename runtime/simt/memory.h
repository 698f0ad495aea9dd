// The memory of a simulated launch: global buffers with forbidden zones between them. It decides
// whether an access, also to a block's shared memory (shared_memory.h), is allowed, and records it
// in shadow memory (shadow.h).
#pragma once

#include "runtime/simt/launch.h"
#include "runtime/simt/report.h"
#include "runtime/simt/shadow.h"
#include "runtime/simt/shared_memory.h"

#include <string>
#include <vector>

namespace mpf::simt {

class Memory {
public:
  Memory(const Launch &launch, std::span<Buffer> buffers, Report &report);
  void copyBack(std::span<Buffer> buffers) const;

  void *bufferAddress(size_t buffer) const { return buffers_[buffer].address; }
  const BlockOrder &order() const { return order_; }
  void fence(const Moment &now) { order_.fence(now); }
  /// Notes that the thread has seen what others published at this address (block_order.h).
  void acquire(const Moment &now, const void *address) {
    order_.acquire(now, reinterpret_cast<uintptr_t>(address));
  }

  /// Returns the bytes of host memory for each byte of a buffer that is watched word by word.
  static constexpr size_t bytesPerByte() { return 1 + Shadow::bytesPerByte(kWordBytes); }

  struct Result {
    void *address;      ///< the address, or a dummy after a fault
    bool valid = false; ///< the access is allowed and counts as a request
    bool shared = false;
    bool constant = false; ///< Buffer::isConstant
  };
  /// Judges and records an access by a thread of the block that owns `shared`.
  Result access(SharedMemory &shared, uint32_t site, const Moment &now, const void *address,
                uint32_t bytes, AccessKind kind);

private:
  struct Region {
    std::string name;
    std::byte *address;
    uint64_t bytes;
    bool isReadOnly = false;
    bool isConstant = false;
  };
  bool mayTouch(uint32_t site, const std::string &name) const;
  Result accessGlobal(uint32_t site, const Moment &now, std::byte *at, uint32_t bytes,
                      AccessKind kind);
  template <class... Args>
  Result fault(FaultKind kind, uint32_t site, fmt::format_string<Args...> text, Args &&...args);

  static constexpr uint64_t kAlign = 256;      ///< alignment of every buffer, as on the device
  static constexpr uint64_t kForbidden = 4096; ///< size of the zones between buffers
  static constexpr size_t kWordBytes = 4;

  const Launch &launch_;
  Report &report_;
  std::vector<std::byte> global_;
  std::vector<Region> buffers_;
  BlockOrder order_;
  std::vector<Shadow> bufferShadows_;
  alignas(16) std::byte dummy_[16] = {};
};

} // namespace mpf::simt
