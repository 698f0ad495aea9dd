// SHARED MEMORY of one block of a simulated launch: its dynamic segment with the arrays in it, the
// static arrays behind it, and the shadow of both.
#pragma once

#include "runtime/simt/launch.h"
#include "runtime/simt/report.h"
#include "runtime/simt/shadow.h"

#include <map>
#include <string>
#include <vector>

namespace mpf::simt {

/// `launch`, `order` and `report` must outlive it.
class SharedMemory {
public:
  SharedMemory(const Launch &launch, const BlockOrder &order, Report &report);
  SharedMemory(const SharedMemory &) = delete;
  SharedMemory &operator=(const SharedMemory &) = delete;

  void *dynamicArrays() const { return begin_; }
  /// Returns the static array number `id`; all calls return the same address.
  void *staticArray(uint32_t id, uint64_t bytes);
  /// Forgets all accesses: the next block gets the memory.
  void clear() { shadow_.clear(); }

  /// True for an address in or near the segment; accesses near it count as meant for it.
  bool isNear(const std::byte *at) const;
  /// Records the access, or adds a fault and returns false.
  bool access(uint32_t site, const Moment &now, const std::byte *at, uint32_t bytes,
              AccessKind kind);

private:
  struct Array {
    std::string name;
    std::byte *address;
    uint64_t bytes;
  };

  static constexpr uint64_t kAlign = 256;
  static constexpr uint64_t kNearBytes = 4096;
  static constexpr uint64_t kStaticBytes = 48 * 1024;
  static constexpr size_t kWordBytes = 4;

  const Launch &launch_;
  Report &report_;
  std::vector<std::byte> storage_;
  std::byte *begin_ = nullptr;
  std::vector<Array> arrays_;
  Shadow shadow_;
  std::map<uint32_t, uint64_t> staticOffsets_;
  uint64_t end_ = 0; ///< end of the dynamic and static arrays so far
};

} // namespace mpf::simt
