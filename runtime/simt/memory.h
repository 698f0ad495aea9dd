// The memory of a simulated launch: global buffers with forbidden zones between them, and a block's
// shared memory. It decides whether an access is allowed and records it in shadow memory
// (shadow.h).
#pragma once

#include "runtime/simt/launch.h"
#include "runtime/simt/report.h"
#include "runtime/simt/shadow.h"

#include <map>
#include <memory>

namespace mpf::simt {

class Memory {
public:
  Memory(const Launch &launch, std::span<Buffer> buffers, Report &report);
  void copyBack(std::span<Buffer> buffers) const;

  void *bufferAddress(size_t buffer) const { return buffers_[buffer].address; }
  void *dynamicShared() const { return shared_; }
  void *staticShared(uint32_t id, uint64_t bytes);
  void nextBlock();
  void fence(const Moment &now) { order_.fence(now); }

  /// Bytes of host memory for each byte of a buffer whose accesses are watched word by word.
  static constexpr size_t bytesPerByte() { return 1 + Shadow::bytesPerByte(kWordBytes); }

  struct Result {
    void *address;      ///< the address, or a dummy after a fault
    bool valid = false; ///< the access is allowed and counts as a request
    bool shared = false;
    bool constant = false; ///< Buffer::isConstant
  };
  Result access(uint32_t site, const Moment &now, const void *address, uint32_t bytes,
                AccessKind kind);

private:
  struct Region {
    std::string name;
    std::byte *address;
    uint64_t bytes;
    bool isReadOnly = false;
    bool isConstant = false;
  };
  bool mayTouch(uint32_t site, const std::string &name) const;
  Result accessShared(uint32_t site, const Moment &now, std::byte *at, uint32_t bytes,
                      AccessKind kind);
  Result accessGlobal(uint32_t site, const Moment &now, std::byte *at, uint32_t bytes,
                      AccessKind kind);
  Result fault(FaultKind kind, uint32_t site, std::string text);

  static constexpr uint64_t kAlign = 256;      ///< alignment of every buffer, as on the device
  static constexpr uint64_t kForbidden = 4096; ///< size of the zones between buffers
  static constexpr uint64_t kStaticBytes = 48 * 1024;
  static constexpr size_t kWordBytes = 4;

  const Launch &launch_;
  Report &report_;
  std::vector<std::byte> global_, sharedStorage_;
  std::byte *shared_ = nullptr;
  std::vector<Region> buffers_, arrays_;
  BlockOrder order_;
  std::vector<Shadow> bufferShadows_;
  Shadow sharedShadow_;
  std::map<uint32_t, uint64_t> staticOffsets_;
  uint64_t sharedEnd_ = 0; ///< dynamic and static arrays named so far
  alignas(16) std::byte dummy_[16] = {};
};

} // namespace mpf::simt
